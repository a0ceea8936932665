"""What doom dice do."""

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cortex import doom, doom_use, outcome
from rules.cortex.doom_use import PRICES, Use, roll, spend
from rules.cortex.facts import PointsChanged, PoolChanged, Told
from rules.cortex.roll import make, with_roll
from rules.cortex.ruleset import ADEPT, EMPIRE, PRIME, Ruleset
from rules.cortex.seats import Actor
from rules.cortex.table import Kind, Roll, Table, Trait
from rules.dice import Throw
from rules.errors import NotAllowed, Unknown, Unreadable
from tests import strategies
from tests.rules.people import ALICE, BOB, GRETA, ZOE, after, die, faces, having, never, pp, table, tried


def newest(at: Table) -> Roll:
    return at.rolls[max(at.rolls)]


def pool(*sizes: int, rules: Ruleset = ADEPT) -> Table:
    return replace(table(rules, doom=sizes), is_scene=True, scene="Docks")


def test_M3_all_doom_dice_are_rolled_and_go_back() -> None:
    step = roll(pool(6, 6, 10), GRETA, faces(3, 4, 9))
    made = newest(step.table)
    assert [each.size for each in made.hand.dice] == [6, 6, 10]
    assert (outcome.total(made.hand), outcome.kept(made.hand).effect) == (13, 6)
    assert doom.dice(step.table) == (6, 6, 10)


def test_M3_some_doom_dice_are_rolled_with_traits_kept_apart() -> None:
    at = having(pool(6, 6, 10), "alice", Kind.COMPLICATION, Trait("Leg", 8))
    made = newest(roll(at, GRETA, faces(3, 4), "d10", "Leg").table)
    assert [(each.size, each.source) for each in made.hand.dice] == [(10, "doom"), (8, "complication")]


def test_M3_dice_that_doom_does_not_have_are_not_rolled() -> None:
    with pytest.raises(NotAllowed, match=r"has no 2d10. Doom pool: 2d6 d10"):
        roll(pool(6, 6, 10), GRETA, never, "2d10")


@pytest.mark.parametrize("rules", [PRIME, EMPIRE], ids=["prime", "empire"])
def test_M3_doom_that_is_off_is_not_rolled(rules: Ruleset) -> None:
    for dice in (None, "d6"):
        with pytest.raises(NotAllowed, match="setting is doom pool"):
            roll(pool(6, rules=rules), GRETA, never, dice)


def test_M9_an_empty_pool_is_not_rolled() -> None:
    with pytest.raises(NotAllowed, match="difficulty dice oppose instead"):
        roll(pool(), GRETA, never)


@pytest.mark.parametrize(
    ("on", "names"),
    [(None, ()), ("Alice", ("Alice",)), ("alice, Bob", ("Alice", "Bob")), ("all", ("Alice", "Bob"))],
)
def test_M3_a_roll_may_concern_some_alone(on: str | None, names: tuple[str, ...]) -> None:
    assert newest(roll(pool(6), GRETA, faces(3), on=on).table).on == names


@pytest.mark.parametrize("who", [ALICE, BOB, ZOE])
def test_M3_only_the_gm_rolls_and_spends_doom(who: Actor) -> None:
    with pytest.raises(NotAllowed, match="Only the GM may roll"):
        roll(pool(6), who, never)
    with pytest.raises(NotAllowed, match="Only the GM may spend"):
        spend(pool(6), who, never, "d6", Use.SFX)


@pytest.mark.parametrize(
    ("use", "dice", "owner", "kind", "size"),
    [
        (Use.COMPLICATION, "d10", "scene", Kind.COMPLICATION, 10),
        (Use.ASSET, "d6", "scene", Kind.ASSET, 6),
        (Use.DISTINCTION, "d8", "scene", Kind.DISTINCTION, 8),
        (Use.DISTINCTION, "d12", "scene", Kind.DISTINCTION, 8),
        (Use.EXTRA, "d6", "fog", Kind.DISTINCTION, 6),
        (Use.GMC, "d12", "fog", Kind.DISTINCTION, 12),
    ],
)
def test_M5_a_doom_die_makes_something_for_the_scene(
    use: Use, dice: str, owner: str, kind: Kind, size: int
) -> None:
    step = spend(pool(6, 8, 10, 12), GRETA, never, dice, use, "Fog")
    assert die(step.table, owner, kind, "Fog") == size
    assert len(doom.dice(step.table)) == 3
    assert owner == "scene" or step.table.characters[owner].gmc


@pytest.mark.parametrize("use", [Use.EXTRA, Use.GMC])
@pytest.mark.parametrize(
    ("name", "who", "trait"),
    [("Thug: Brawler", "Thug", "Brawler"), ("Thug", "Thug", "Thug"), ("Thug:", "Thug", "Thug")],
)
def test_B2_a_colon_names_the_trait_of_an_extra(use: Use, name: str, who: str, trait: str) -> None:
    step = spend(pool(8), GRETA, never, "d8", use, name)
    assert step.table.characters[who.lower()].name == who
    assert die(step.table, who.lower(), Kind.DISTINCTION, trait) == 8


def test_B2_an_extra_with_a_trait_alone_is_refused() -> None:
    with pytest.raises(Unreadable, match="is empty"):
        spend(pool(8), GRETA, never, "d8", Use.EXTRA, ": Brawler")


@pytest.mark.parametrize(("use", "shown"), [(Use.TOTAL, ()), (Use.EFFECT, ()), (Use.DIE, (5,))])
def test_M4_what_a_doom_die_buys_for_a_roll_is_told_once(use: Use, shown: tuple[int, ...]) -> None:
    at = rolled(6, 6, 8, 8)
    step = spend(at, GRETA, faces(*shown), "d6", use)
    assert [fact.why for fact in step.facts if isinstance(fact, PoolChanged)] == [""]


def test_M5_a_complication_is_on_whom_the_gm_names() -> None:
    step = spend(pool(8), GRETA, never, "d8", Use.COMPLICATION, "Mud", "Alice")
    assert die(step.table, "alice", Kind.COMPLICATION, "Mud") == 8


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
    with pytest.raises(NotAllowed, match=f"The price of {use} is {PRICES[use]}"):
        spend(pool(6, 6, 8, 10, 12, 12), GRETA, never, dice, use, "Fog")


def test_M5_two_d12_end_the_scene() -> None:
    step = spend(pool(6, 12, 12), GRETA, never, "2d12", Use.END_SCENE)
    assert (step.table.is_scene, doom.dice(step.table)) == (False, (6,))
    with pytest.raises(NotAllowed, match="No scene runs"):
        spend(replace(pool(12, 12), is_scene=False), GRETA, never, "2d12", Use.END_SCENE)


@pytest.mark.parametrize("dice", ["d10", "d12"])
def test_M5_a_large_die_splits_the_group(dice: str) -> None:
    step = spend(pool(10, 12), GRETA, never, dice, Use.SPLIT)
    assert Told("The group is split") in step.facts
    assert len(doom.dice(step.table)) == 1


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
    assert doom.dice(spend(pool(6, 8, 10, 12, 12), GRETA, never, None, use, "Fog").table) == left


@pytest.mark.parametrize("use", [Use.COMPLICATION, Use.ASSET, Use.DISTINCTION, Use.EXTRA, Use.GMC])
def test_M5_what_comes_needs_a_name(use: Use) -> None:
    with pytest.raises(Unreadable, match="Give it a name"):
        spend(pool(8), GRETA, never, "d8", use)


def test_M5_a_gmc_who_is_known_enters_and_a_players_character_does_not() -> None:
    step = spend(pool(8), GRETA, never, "d8", Use.GMC, "rex")
    assert "enters the scene" in str(step.facts)
    with pytest.raises(NotAllowed, match="Alice is a character of a player"):
        spend(pool(8), GRETA, never, "d8", Use.GMC, "Alice")


def rolled(*sizes: int) -> Table:
    return after(roll(pool(*sizes), GRETA, faces(*[3] * len(sizes))))


def test_M4_a_rolled_doom_die_pays_for_the_total_and_still_counts() -> None:
    step = spend(rolled(6, 8, 10), GRETA, never, "d6", Use.TOTAL)
    assert (outcome.total(newest(step.table).hand), doom.dice(step.table)) == (9, (8, 10))


def test_M4_a_doom_die_buys_another_effect_die() -> None:
    step = spend(rolled(6, 8, 10, 12), GRETA, never, "d6", Use.EFFECT)
    assert outcome.kept(newest(step.table).hand).effects == (12, 10)


def test_M4_a_doom_die_joins_the_roll_and_is_rolled_alone() -> None:
    step = spend(rolled(6, 8, 10), GRETA, faces(10), "d10", Use.DIE)
    made = newest(step.table)
    assert ([each.size for each in made.hand.dice], outcome.total(made.hand)) == ([6, 8, 10, 10], 13)
    assert doom.dice(step.table) == (6, 8)


@pytest.mark.parametrize("use", [Use.TOTAL, Use.EFFECT, Use.DIE])
def test_M4_a_roll_whose_effect_is_applied_stays(use: Use) -> None:
    at = rolled(6, 8, 10, 12)
    at = with_roll(at, replace(newest(at), applied=(0,)))
    with pytest.raises(NotAllowed):
        spend(at, GRETA, never, "d6", use)


@pytest.mark.parametrize("use", [Use.TOTAL, Use.EFFECT, Use.DIE])
def test_M4_without_a_roll_of_the_gm_there_is_nothing_to_pay_for(use: Use) -> None:
    at = after(make(pool(6), ALICE, faces(3, 4, 5, 6), "4d6"))
    with pytest.raises(Unknown, match="The GM has no open roll"):
        spend(at, GRETA, never, "d6", use)


def test_M6_the_gm_pays_those_it_concerns_and_keeps_the_die() -> None:
    step = spend(pool(8), GRETA, never, "d8", Use.COMPLICATION, "Mud", "Alice", keep_for_pp=True)
    assert (doom.dice(step.table), pp(step.table, "alice"), pp(step.table, "bob")) == ((8,), 2, 1)
    step = spend(pool(8), GRETA, never, "d8", Use.SFX, keep_for_pp=True)
    assert [fact for fact in step.facts if isinstance(fact, PointsChanged)] == [
        PointsChanged("Alice", 1, 2, "the GM keeps the doom dice"),
        PointsChanged("Bob", 1, 2, "the GM keeps the doom dice"),
    ]
    assert not step.table.characters["rex"].pp


def test_M6_a_die_is_not_kept_where_nobody_is_paid() -> None:
    with pytest.raises(NotAllowed, match="paying a player's character"):
        spend(pool(8), GRETA, never, "d8", Use.COMPLICATION, "Mud", "Rex", keep_for_pp=True)


def test_M6_dice_that_doom_does_not_have_are_not_kept_either() -> None:
    with pytest.raises(NotAllowed, match="has no d10"):
        spend(pool(8), GRETA, never, "d10", Use.SFX, keep_for_pp=True)


@pytest.mark.parametrize("rules", [PRIME, EMPIRE], ids=["prime", "empire"])
def test_doom_that_is_off_is_not_spent(rules: Ruleset) -> None:
    with pytest.raises(NotAllowed, match="setting is doom pool"):
        spend(pool(8, rules=rules), GRETA, never, "d8", Use.SFX)


def test_every_use_has_its_price_in_the_list() -> None:
    lines = doom_use.price_list()
    assert [line.split(":")[0] for line in lines[1:-1]] == [str(use) for use in Use]


@given(
    strategies.tables(),
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
    before = len(doom.dice(at))
    done = tried(partial(spend, at, GRETA, throw, dice, use, name, on, keep))
    if done is not None:
        assert 4 not in done.table.doom
        gone = before - len(doom.dice(done.table))
        assert gone == (0 if keep else 2 if use is Use.END_SCENE else 1)
        assert all(each.pp >= 0 for each in done.table.characters.values())


def test_M4_a_doom_die_pays_for_dice_that_oppose_a_players_roll() -> None:
    at = after(make(pool(6, 8, 8), ALICE, faces(9, 6, 2, 5, 4, 3), "d10 d8 d6", vs="doom"))
    step = spend(at, GRETA, never, "d8", Use.TOTAL)
    against = newest(step.table).against
    assert against is not None
    assert against.hand is not None
    assert outcome.total(against.hand) == 5 + 4 + 3
    assert step.table.doom == {6: 1, 8: 1}


def test_M4_a_doom_die_joins_the_opposition_of_a_players_roll() -> None:
    at = after(make(pool(6, 8), ALICE, faces(9, 6, 2, 5, 4), "d10 d8 d6", vs="doom"))
    step = spend(at, GRETA, faces(8), "d8", Use.DIE)
    against = newest(step.table).against
    assert against is not None
    assert against.hand is not None
    assert [one.face for one in against.hand.dice] == [5, 4, 8]
    assert outcome.total(against.hand) == 13
