"""What doom dice do."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.scenes import scene_ended
from rules.campaign.seats import Actor
from rules.cortex import doom, gm_pools, outcome
from rules.cortex.doom import USES, spend, spend_crisis
from rules.cortex.facts import Called, Cause, GroupSplit, Over, PointsChanged, PoolChanged, Why
from rules.cortex.gmc import roll_doom, roll_pool
from rules.cortex.kinds import Ending, Foe, Rank, Trait, TraitKind, Use
from rules.cortex.model import CORTEX, TurnOrder
from rules.cortex.roll import make, with_roll
from rules.cortex.ruleset import ADEPT, EMPIRE, HEROIC, PRIME, Ruleset
from rules.dice import Throw
from rules.errors import NotAllowed, SettingOff, TooLate, Unknown, Unreadable
from rules.facts import SeatChange, Seated
from rules.table import Table
from rules.values import replace
from tests import strategies
from tests.rules.people import (
    ALICE,
    BOB,
    FIRE,
    GRETA,
    STORM,
    ZOE,
    after,
    challenged,
    die,
    faces,
    facing,
    having,
    in_crisis,
    never,
    newest,
    pp,
    table,
    tried,
)


def pool(*sizes: int, rules: Ruleset = ADEPT) -> Table:
    return replace(table(rules, doom=sizes), is_scene=True, scene="Docks")


def test_M3_all_doom_dice_are_rolled_and_go_back() -> None:
    step = roll_doom(pool(6, 6, 10), GRETA, faces(3, 4, 9))
    made = newest(step.table)
    assert [each.size for each in made.hand.dice] == [6, 6, 10]
    assert (outcome.total(made.hand), outcome.kept(made.hand).effect) == (13, 6)
    assert gm_pools.doom_dice(step.table) == (6, 6, 10)


def test_M3_some_doom_dice_are_rolled_with_traits_kept_apart() -> None:
    at = having(pool(6, 6, 10), "alice", TraitKind.COMPLICATION, Trait("Leg", 8))
    made = newest(roll_doom(at, GRETA, faces(3, 4), "d10", "Leg").table)
    assert [(each.size, str(each.source)) for each in made.hand.dice] == [(10, "doom"), (8, "complication")]


def test_M3_dice_that_doom_does_not_have_are_not_rolled() -> None:
    with pytest.raises(NotAllowed, match=r"has no 2d10. Doom pool: 2d6 d10"):
        roll_doom(pool(6, 6, 10), GRETA, never, "2d10")


@pytest.mark.parametrize("rules", [PRIME, EMPIRE], ids=["prime", "empire"])
def test_M3_doom_that_is_off_is_not_rolled(rules: Ruleset) -> None:
    for dice in (None, "d6"):
        with pytest.raises(SettingOff, match="The doom pool is off in this campaign") as refused:
            roll_doom(pool(6, rules=rules), GRETA, never, dice)
        assert refused.value.setting == "doom pool"


def test_M9_an_empty_pool_is_not_rolled() -> None:
    with pytest.raises(NotAllowed, match="Roll against difficulty dice instead"):
        roll_doom(pool(), GRETA, never)


@pytest.mark.parametrize(
    ("on", "names"),
    [(None, ()), ("Alice", ("Alice",)), ("alice, Bob", ("Alice", "Bob")), ("all", ("Alice", "Bob"))],
)
def test_M3_a_roll_may_concern_some_alone(on: str | None, names: tuple[str, ...]) -> None:
    assert newest(roll_doom(pool(6), GRETA, faces(3), on=on).table).on == names


@pytest.mark.parametrize("who", [ALICE, BOB, ZOE])
def test_M3_only_the_gm_rolls_and_spends_doom(who: Actor) -> None:
    with pytest.raises(NotAllowed, match="Only the GM can roll the doom pool"):
        roll_doom(pool(6), who, never)
    with pytest.raises(NotAllowed, match="Only the GM can spend doom dice"):
        spend(pool(6), who, never, "d6", Use.SFX)


@pytest.mark.parametrize(
    ("use", "dice", "owner", "kind", "size"),
    [
        (Use.COMPLICATION, "d10", "scene", TraitKind.COMPLICATION, 10),
        (Use.ASSET, "d6", "scene", TraitKind.ASSET, 6),
        (Use.DISTINCTION, "d8", "scene", TraitKind.DISTINCTION, 8),
        (Use.DISTINCTION, "d12", "scene", TraitKind.DISTINCTION, 8),
        (Use.EXTRA, "d6", "fog", TraitKind.TRAIT, 6),
        (Use.GMC, "d12", "fog", TraitKind.TRAIT, 12),
    ],
)
def test_M5_a_doom_die_makes_something_for_the_scene(
    use: Use, dice: str, owner: str, kind: TraitKind, size: int
) -> None:
    step = spend(pool(6, 8, 10, 12), GRETA, never, dice, use, "Fog")
    assert die(step.table, owner, kind, "Fog") == size
    assert len(gm_pools.doom_dice(step.table)) == 3
    assert owner == "scene" or step.table.characters[owner].gmc


@pytest.mark.parametrize("use", [Use.EXTRA, Use.GMC])
@pytest.mark.parametrize(
    ("name", "who", "trait"),
    [("Thug: Brawler", "Thug", "Brawler"), ("Thug", "Thug", "Thug"), ("Thug:", "Thug", "Thug")],
)
def test_B2_a_colon_names_the_trait_of_an_extra(use: Use, name: str, who: str, trait: str) -> None:
    step = spend(pool(8), GRETA, never, "d8", use, name)
    assert step.table.characters[who.lower()].name == who
    assert die(step.table, who.lower(), TraitKind.TRAIT, trait) == 8
    assert CORTEX.has(step.table.characters[who.lower()]).rank is Rank.EXTRA


@pytest.mark.parametrize("held", [(6, 10, 12), (6, 12)])
def test_M5_a_gmc_costs_its_highest_trait_or_the_next_larger_die(held: tuple[int, ...]) -> None:
    step = spend(pool(*held), GRETA, never, None, Use.GMC, "Wolf: Fangs d10, Swift d8")
    wolf = step.table.characters["wolf"]
    own = CORTEX.has(wolf)
    assert {trait.label: trait.die for trait in own.sheet.values()} == {"Fangs": 10, "Swift": 8}
    assert (own.rank, gm_pools.doom_dice(step.table)) == (Rank.MINOR, held[:1] + held[2:])


def test_M5_a_boss_costs_its_boss_die() -> None:
    step = spend(pool(8, 10), GRETA, never, None, Use.GMC, "Wolf: Fangs d8, 4d10")
    wolf = step.table.characters["wolf"]
    own = CORTEX.has(wolf)
    assert (own.rank, own.pool, gm_pools.doom_dice(step.table)) == (Rank.BOSS, {10: 4}, (8,))


@pytest.mark.parametrize(
    ("held", "dice", "message"),
    [
        ((6, 8), "d8", r"The highest trait is d10, so the price is d10 or more\. Doom pool: d6 d8$"),
        ((6, 10, 12), "d12", "highest trait is d10, so the price is d10"),
        ((6, 12), "d6", "highest trait is d10, so the price is d12"),
        ((6, 8), None, "it costs .* Doom pool: d6 d8"),
    ],
)
def test_M5_another_die_does_not_bring_a_gmc(held: tuple[int, ...], dice: str | None, message: str) -> None:
    with pytest.raises(NotAllowed, match=message):
        spend(pool(*held), GRETA, never, dice, Use.GMC, "Wolf: Fangs d10, Swift d8")


def test_B2_an_extra_with_a_trait_alone_is_refused() -> None:
    with pytest.raises(Unreadable, match="is empty"):
        spend(pool(8), GRETA, never, "d8", Use.EXTRA, ": Brawler")


@pytest.mark.parametrize(("use", "shown"), [(Use.TOTAL, ()), (Use.EFFECT, ()), (Use.DIE, (5,))])
def test_M4_what_a_doom_die_buys_for_a_roll_is_told_once(use: Use, shown: tuple[int, ...]) -> None:
    at = rolled(6, 6, 8, 8)
    step = spend(at, GRETA, faces(*shown), "d6", use)
    assert [fact.why for fact in step.facts if isinstance(fact, PoolChanged)] == [None]


def test_M5_a_complication_is_on_whom_the_gm_names() -> None:
    step = spend(pool(8), GRETA, never, "d8", Use.COMPLICATION, "Mud", "Alice")
    assert die(step.table, "alice", TraitKind.COMPLICATION, "Mud") == 8


@pytest.mark.parametrize(
    ("use", "dice"),
    [
        (Use.DISTINCTION, "d6"),
        (Use.SPLIT, "d8"),
        (Use.END_SCENE, "d12"),
        (Use.END_SCENE, "d12 d10"),
        (Use.COMPLICATION, "2d6"),
        (Use.SFX, "2d6"),
    ],
)
def test_M5_dice_that_do_not_pay_are_refused_with_the_price(use: Use, dice: str) -> None:
    with pytest.raises(
        NotAllowed,
        match=f"{' '.join(sorted(dice.split()))} doesn't pay for {use}: the price is {USES[use].price}",
    ):
        spend(pool(6, 6, 8, 10, 12, 12), GRETA, never, dice, use, "Fog")


def test_M5_two_d12_end_the_scene() -> None:
    step = spend(pool(6, 12, 12), GRETA, never, "2d12", Use.END_SCENE)
    assert (step.table.is_scene, gm_pools.doom_dice(step.table)) == (False, (6,))
    with pytest.raises(NotAllowed, match="There's no scene to end"):
        spend(replace(pool(12, 12), is_scene=False), GRETA, never, "2d12", Use.END_SCENE)


@pytest.mark.parametrize("dice", ["d10", "d12"])
def test_M5_a_large_die_splits_the_group(dice: str) -> None:
    step = spend(pool(10, 12), GRETA, never, dice, Use.SPLIT, on="bob")
    assert GroupSplit((("Bob",), ("Alice",))) in step.facts
    assert CORTEX.of(step.table).split == (("Bob",), ("Alice",))
    assert len(gm_pools.doom_dice(step.table)) == 1
    assert CORTEX.of(scene_ended(step.table).table).split == ()


@pytest.mark.parametrize("names", [None, "", "Alice, Bob", "Rex", ","])
def test_M5_each_group_has_a_players_character(names: str | None) -> None:
    with pytest.raises(
        NotAllowed,
        match=(r"and put a player's character in each\. Anyone you leave out forms the last group\.$"),
    ):
        spend(pool(10), GRETA, never, None, Use.SPLIT, names)
    with pytest.raises(Unknown, match="no character called"):
        spend(pool(10), GRETA, never, None, Use.SPLIT, on="Zorro")


@pytest.mark.parametrize(
    ("use", "left"),
    [
        (Use.SFX, (8, 10, 12, 12)),
        (Use.COMPLICATION, (8, 10, 12, 12)),
        (Use.DISTINCTION, (6, 10, 12, 12)),
        (Use.SPLIT, (6, 8, 12, 12)),
        (Use.END_SCENE, (6, 8, 10)),
    ],
)
def test_M5_the_smallest_dice_that_pay_are_spent_where_none_are_named(
    use: Use, left: tuple[int, ...]
) -> None:
    name = "Alice" if use is Use.SPLIT else "Fog"
    assert gm_pools.doom_dice(spend(pool(6, 8, 10, 12, 12), GRETA, never, None, use, name).table) == left


@pytest.mark.parametrize("use", [Use.COMPLICATION, Use.ASSET, Use.DISTINCTION, Use.EXTRA, Use.GMC])
def test_M5_what_comes_needs_a_name(use: Use) -> None:
    with pytest.raises(Unreadable, match="Name what you're buying"):
        spend(pool(8), GRETA, never, "d8", use)


def test_M5_a_gmc_who_is_known_enters_and_a_players_character_does_not() -> None:
    at = facing(pool(8), "Rex", "Fangs d8")
    at = at.with_owner("rex", replace(at.characters["rex"], away=True))
    step = spend(at, GRETA, never, "d8", Use.GMC, "rex")
    assert step.facts[1] == Seated("Rex", SeatChange.ENTERS)
    assert not step.table.characters["rex"].away
    with pytest.raises(NotAllowed, match="Rex is already in the scene"):
        spend(pool(8), GRETA, never, "d8", Use.GMC, "rex")
    with pytest.raises(NotAllowed, match=r"Alice is a player's character\. Give the"):
        spend(pool(8), GRETA, never, "d8", Use.GMC, "Alice")


def rolled(*sizes: int) -> Table:
    return after(roll_doom(pool(*sizes), GRETA, faces(*[3] * len(sizes))))


def test_M4_a_rolled_doom_die_pays_for_the_total_and_still_counts() -> None:
    step = spend(rolled(6, 8, 10), GRETA, never, "d6", Use.TOTAL)
    assert (outcome.total(newest(step.table).hand), gm_pools.doom_dice(step.table)) == (9, (8, 10))


def test_M4_a_doom_die_buys_another_effect_die() -> None:
    step = spend(rolled(6, 8, 10, 12), GRETA, never, "d6", Use.EFFECT)
    assert outcome.kept(newest(step.table).hand).effects == (12, 10)


def test_M4_a_doom_die_joins_the_roll_and_is_rolled_alone() -> None:
    step = spend(rolled(6, 8, 10), GRETA, faces(10), "d10", Use.DIE)
    made = newest(step.table)
    assert ([each.size for each in made.hand.dice], outcome.total(made.hand)) == ([6, 8, 10, 10], 13)
    assert gm_pools.doom_dice(step.table) == (6, 8)


@pytest.mark.parametrize("use", [Use.TOTAL, Use.EFFECT, Use.DIE])
def test_M4_a_roll_whose_effect_is_applied_stays(use: Use) -> None:
    at = rolled(6, 8, 10, 12)
    at = with_roll(at, replace(newest(at), applied=(0,)))
    with pytest.raises(NotAllowed):
        spend(at, GRETA, never, "d6", use)


def test_D4_a_doom_die_of_a_roll_goes_back_stepped_up_and_once() -> None:
    at = after(make(pool(6, 8), GRETA, faces(3, 4, 5), "2d6, from doom d8"))
    given = after(doom.give_back(at, GRETA, newest(at).number, 2))
    assert gm_pools.doom_dice(given) == (6, 10)
    for late, place in ((given, 2), (at, 0), (at, 3)):
        with pytest.raises(TooLate, match="already back in the doom pool, or it never came from there"):
            doom.give_back(late, GRETA, newest(at).number, place)


@pytest.mark.parametrize("use", [Use.TOTAL, Use.EFFECT, Use.DIE])
def test_M4_without_a_roll_of_the_gm_there_is_nothing_to_pay_for(use: Use) -> None:
    at = after(make(pool(6), ALICE, faces(3, 4, 5, 6), "4d6"))
    with pytest.raises(Unknown, match="The GM has no open roll"):
        spend(at, GRETA, never, "d6", use)


def test_M6_the_gm_pays_those_it_concerns_and_keeps_the_die() -> None:
    step = spend(pool(8), GRETA, never, "d8", Use.COMPLICATION, "Mud", "Alice", keep_for_pp=True)
    assert (gm_pools.doom_dice(step.table), pp(step.table, "alice"), pp(step.table, "bob")) == ((8,), 2, 1)
    step = spend(pool(8), GRETA, never, "d8", Use.SFX, keep_for_pp=True)
    assert [fact for fact in step.facts if isinstance(fact, PointsChanged)] == [
        PointsChanged("Alice", 1, 2, Why(Cause.DOOM_KEPT)),
        PointsChanged("Bob", 1, 2, Why(Cause.DOOM_KEPT)),
    ]
    assert not CORTEX.has(step.table.characters["rex"]).pp


def test_M6_a_die_is_not_kept_where_nobody_is_paid() -> None:
    with pytest.raises(NotAllowed, match="pay a player's character"):
        spend(pool(8), GRETA, never, "d8", Use.COMPLICATION, "Mud", "Rex", keep_for_pp=True)


def test_M6_dice_that_doom_does_not_have_are_not_kept_either() -> None:
    with pytest.raises(NotAllowed, match="has no d10"):
        spend(pool(8), GRETA, never, "d10", Use.SFX, keep_for_pp=True)


@pytest.mark.parametrize("rules", [PRIME, EMPIRE], ids=["prime", "empire"])
def test_doom_that_is_off_is_not_spent(rules: Ruleset) -> None:
    with pytest.raises(SettingOff, match="The doom pool is off in this campaign") as refused:
        spend(pool(8, rules=rules), GRETA, never, "d8", Use.SFX)
    assert refused.value.setting == "doom pool"


@pytest.mark.parametrize(
    ("held", "sizes", "missing"),
    [
        ((6,), (), {Use.DISTINCTION, Use.SPLIT, Use.END_SCENE}),
        ((6, 12, 12), (), set()),
        ((6, 12, 12), (12,), {Use.END_SCENE}),
        ((12, 12), (12, 12), set(Use) - {Use.END_SCENE}),
    ],
)
def test_only_what_the_dice_pay_for_is_affordable(
    held: tuple[int, ...], sizes: tuple[int, ...], missing: set[Use]
) -> None:
    at = replace(pool(*held), is_scene=True)
    on_roll = {use for use, each in doom.USES.items() if each.is_on_roll}
    assert set(doom.affordable(at, gm_pools.DOOM, sizes)) == set(Use) - on_roll - missing


@given(
    strategies.set_tables(),
    strategies.throws(),
    st.sampled_from(Use),
    st.none() | st.sampled_from(["d6", "d8", "2d12"]) | strategies.typed(),
    strategies.typed(),
    st.none() | st.sampled_from(["Alice", "all", "scene"]) | strategies.typed(),
    st.booleans(),
)
def test_M1_spending_any_dice_for_anything_keeps_doom_whole(
    at: Table, throw: Throw, use: Use, dice: str | None, name: str, on: str | None, keep: bool
) -> None:
    before = len(gm_pools.doom_dice(at))
    done = tried(partial(spend, at, GRETA, throw, dice, use, name, on, keep))
    if done is not None:
        assert 4 not in CORTEX.of(done.table).doom
        gone = before - len(gm_pools.doom_dice(done.table))
        assert gone == (0 if keep else 2 if use is Use.END_SCENE else 1)
        assert all(CORTEX.has(each).pp >= 0 for each in done.table.characters.values())


def test_M4_a_doom_die_pays_for_dice_that_oppose_a_players_roll() -> None:
    at = after(make(pool(6, 8, 8), ALICE, faces(9, 6, 2, 5, 4, 3), "d10 d8 d6", vs="doom"))
    step = spend(at, GRETA, never, "d8", Use.TOTAL)
    against = newest(step.table).against
    assert against is not None
    assert against.hand is not None
    assert outcome.total(against.hand) == 5 + 4 + 3
    assert CORTEX.of(step.table).doom == {6: 1, 8: 1}


def test_M4_a_doom_die_joins_the_opposition_of_a_players_roll() -> None:
    at = after(make(pool(6, 8), ALICE, faces(9, 6, 2, 5, 4), "d10 d8 d6", vs="doom"))
    step = spend(at, GRETA, faces(8), "d8", Use.DIE)
    against = newest(step.table).against
    assert against is not None
    assert against.hand is not None
    assert [one.face for one in against.hand.dice] == [5, 4, 8]
    assert outcome.total(against.hand) == 13


def test_M5_a_gmc_joins_the_turn_order_at_once() -> None:
    at = CORTEX.put(pool(8), replace(CORTEX.of(pool(8)), order=TurnOrder(turn="alice")))
    step = spend(at, GRETA, never, None, Use.GMC, "Wolf: Fangs d8")
    assert Seated("Wolf", SeatChange.ENTERS_ORDER) in step.facts


@pytest.mark.parametrize("rules", [PRIME, ADEPT], ids=["prime", "adept"])
def test_K4_a_crisis_spends_its_dice_like_doom(rules: Ruleset) -> None:
    at = in_crisis(pool(8, rules=rules), 6, 8)
    step = spend_crisis(at, GRETA, never, None, "d8", Use.COMPLICATION, "Smoke")
    assert die(step.table, "scene", TraitKind.COMPLICATION, "Smoke") == 8
    assert (CORTEX.of(step.table).crises["fire"].dice, CORTEX.of(step.table).doom) == ({6: 1}, {8: 1})


def test_K4_a_crisis_that_spends_its_last_die_is_over() -> None:
    step = spend_crisis(in_crisis(pool(), 6), GRETA, never, "fire", None, Use.SFX, "Explosion")
    assert Over(Called(Foe.CRISIS, "Fire"), Ending.RESOLVED) in step.facts
    assert CORTEX.of(step.table).crises == {}


def test_K4_a_crisis_pays_for_its_own_roll_alone() -> None:
    at = in_crisis(pool(6), 6, 6, 8)
    at = after(roll_pool(at, GRETA, faces(3, 4, 5), Foe.CRISIS))
    at = after(roll_doom(at, GRETA, faces(2)))
    step = spend_crisis(at, GRETA, never, None, "d6", Use.TOTAL)
    assert outcome.total(CORTEX.of(step.table).rolls[1].hand) == 12
    with pytest.raises(Unknown, match="Crisis Flood has no open roll"):
        spend_crisis(in_crisis(at, 8, name="Flood"), GRETA, never, "Flood", None, Use.TOTAL)


def test_K4_a_crisis_die_that_joins_a_roll_is_of_the_crisis() -> None:
    at = after(make(in_crisis(table(), 6, 8), ALICE, faces(3, 4, 5, 6), "2d6", "Fire"))
    step = spend_crisis(at, GRETA, faces(7), "Fire", "d8", Use.DIE, "Heat")
    against = newest(step.table).against
    assert against is not None
    assert against.hand is not None
    joined = against.hand.dice[-1]
    assert (joined.size, joined.face, joined.label, str(joined.source)) == (8, 7, "Heat", "crisis")
    assert CORTEX.of(step.table).crises["fire"].dice == {6: 1}


def test_K4_a_crisis_may_keep_its_die_and_pay() -> None:
    step = spend_crisis(
        in_crisis(table(), 8), GRETA, never, None, None, Use.ASSET, "Fan", "Alice", keep_for_pp=True
    )
    assert (pp(step.table, "alice"), CORTEX.of(step.table).crises["fire"].dice) == (2, {8: 1})


@pytest.mark.parametrize("who", [ALICE, ZOE])
def test_K4_only_the_gm_rolls_and_spends_a_crisis(who: Actor) -> None:
    at = in_crisis(table(), 8)
    with pytest.raises(NotAllowed, match="Only the GM can spend crisis dice"):
        spend_crisis(at, who, never, None, None, Use.SFX)
    with pytest.raises(NotAllowed, match="Only the GM can roll a crisis"):
        roll_pool(at, who, never, Foe.CRISIS)


@pytest.mark.parametrize("rules", [HEROIC, EMPIRE], ids=["heroic", "empire"])
def test_K4_a_crisis_that_is_off_is_neither_rolled_nor_spent(rules: Ruleset) -> None:
    at = in_crisis(table(rules), 8)
    with pytest.raises(SettingOff, match="Crises are off in this campaign") as spent:
        spend_crisis(at, GRETA, never, None, None, Use.SFX)
    with pytest.raises(SettingOff, match="Crises are off in this campaign") as rolled_one:
        roll_pool(at, GRETA, never, Foe.CRISIS)
    assert spent.value.setting == rolled_one.value.setting == "crisis pools"


@pytest.mark.parametrize(("foe", "target"), [(Foe.CRISIS, FIRE), (Foe.CHALLENGE, STORM)])
def test_K3_L3_a_pool_is_rolled_with_what_is_in_the_way(foe: Foe, target: object) -> None:
    at = challenged(in_crisis(having(table(), "alice", TraitKind.COMPLICATION, Trait("Leg", 8)), 4, 6), 4, 6)
    made = newest(roll_pool(at, GRETA, faces(4, 5, 7), foe, with_="Leg", on="Alice").table)
    assert [(each.size, str(each.source)) for each in made.hand.dice] == [
        (4, foe),
        (6, foe),
        (8, "complication"),
    ]
    assert (made.target, made.on, made.gm) == (target, ("Alice",), True)
