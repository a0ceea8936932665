"""Buying 1s, for the GM and for the players."""

import pytest

from rules.campaign.seats import Actor
from rules.cortex.effects import hitches
from rules.cortex.gm_pools import doom_dice
from rules.cortex.hitches import Buyable, Way, buy, opportunities, seize, touchable, ways
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX, Roll
from rules.cortex.roll import against_roll, make, with_roll
from rules.cortex.roll_status import resolve
from rules.cortex.ruleset import ADEPT, BASES, EMPIRE, HEROIC, PRIME, Ruleset
from rules.errors import NotAllowed, SettingOff, Unknown
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, ZOE, after, die, faces, having, pp, table, tried


def rolled(at: Table, dice: str, *shown: int, who: Actor = ALICE, vs: str | None = None) -> Table:
    return after(make(at, who, faces(*shown), dice, vs))


def newest(at: Table) -> Roll:
    here = CORTEX.of(at)
    return here.rolls[max(here.rolls)]


def bought(at: Table, way: Way, what: str = "", count: int | None = None) -> Table:
    return after(buy(at, GRETA, max(CORTEX.of(at).rolls), way, what, count))


@pytest.mark.parametrize(("ones", "size"), [(1, 6), (2, 8), (3, 10), (4, 12)])
def test_H1a_a_complication_is_d6_and_a_step_more_for_each_further_hitch(ones: int, size: int) -> None:
    at = bought(rolled(table(), "5d6", *[1] * ones, *[2] * (5 - ones)), Way.COMPLICATION, "Mud")
    assert (die(at, "alice", TraitKind.COMPLICATION, "Mud"), pp(at, "alice")) == (size, 2)


def test_H1a_one_hitch_gives_d6_and_two_on_the_next_roll_make_it_d10() -> None:
    at = bought(rolled(table(), "3d6", 1, 2, 2), Way.COMPLICATION, "Mud")
    assert die(at, "alice", TraitKind.COMPLICATION, "Mud") == 6
    at = bought(rolled(at, "3d6", 1, 1, 2), Way.COMPLICATION, "mud")
    assert (die(at, "alice", TraitKind.COMPLICATION, "Mud"), pp(at, "alice")) == (10, 3)


def test_C4_a_fifth_hitch_steps_past_d12_and_takes_out() -> None:
    at = bought(rolled(table(), "6d6", 1, 1, 1, 1, 1, 2), Way.COMPLICATION)
    assert die(at, "alice", TraitKind.COMPLICATION, "Trouble") == 12
    assert CORTEX.has(at.characters["alice"]).is_taken_out


@pytest.mark.parametrize(
    ("way", "ones", "before", "after_", "pps"),
    [
        (Way.DOOM_ONE, 1, (6, 8), (6, 6, 8), 1),
        (Way.DOOM_ONE, 3, (), (10,), 1),
        (Way.DOOM_EACH, 3, (8,), (6, 6, 6, 8), 3),
        (Way.DOOM_EACH, 1, (8,), (6, 8), 1),
        (Way.DOOM_STEP, 1, (6, 8), (8, 8), 1),
        (Way.DOOM_STEP, 3, (6, 8), (10, 10), 1),
        (Way.DOOM_SIZE, 2, (6,), (6, 10, 10), 2),
    ],
)
@pytest.mark.parametrize("rules", [HEROIC, ADEPT], ids=["heroic", "adept"])
def test_H1b_to_H1e_hitches_make_doom_grow(
    rules: Ruleset, way: Way, ones: int, before: tuple[int, ...], after_: tuple[int, ...], pps: int
) -> None:
    at = rolled(table(rules, doom=before), "4d10", *[1] * ones, *[2] * (4 - ones))
    at = bought(at, way)
    assert (doom_dice(at), pp(at, "alice")) == (after_, 1 + pps)
    assert hitches(newest(at)) == ()


@pytest.mark.parametrize(("count", "dice", "pps"), [(1, (6,), 2), (2, (6, 6), 3), (3, (6, 6, 6), 4)])
def test_H1c_any_number_of_several_hitches_gives_a_d6_each(
    count: int, dice: tuple[int, ...], pps: int
) -> None:
    at = bought(rolled(table(HEROIC), "4d6", 1, 1, 1, 2), Way.DOOM_EACH, count=count)
    assert (doom_dice(at), pp(at, "alice"), len(hitches(newest(at)))) == (dice, pps, 3 - count)


def test_H1b_three_hitches_give_one_d10() -> None:
    assert doom_dice(bought(rolled(table(HEROIC), "4d6", 1, 1, 1, 2), Way.DOOM_ONE)) == (10,)


def test_H1b_each_new_die_has_its_price() -> None:
    at = bought(rolled(table(HEROIC), "3d6", 1, 1, 2), Way.DOOM_ONE, count=1)
    at = bought(at, Way.DOOM_ONE)
    assert (doom_dice(at), pp(at, "alice")) == ((6, 6), 3)


def test_H1d_an_empty_pool_steps_up_nothing() -> None:
    at = rolled(table(HEROIC), "3d6", 1, 2, 2)
    assert Way.DOOM_STEP not in [offer.way for offer in ways(at, resolve(at, newest(at)))]
    with pytest.raises(NotAllowed):
        bought(at, Way.DOOM_STEP)


def test_H1e_a_d4_does_not_join_doom() -> None:
    at = rolled(table(HEROIC), "d4 d8 d6", 1, 1, 2)
    assert [offer.pp for offer in ways(at, resolve(at, newest(at))) if offer.way is Way.DOOM_SIZE] == [1]
    one = bought(at, Way.DOOM_SIZE)
    assert [die.used for die in newest(one).hand.dice] == [False, True, False]
    assert (doom_dice(one), pp(one, "alice")) == ((8,), 2)
    with pytest.raises(NotAllowed):
        bought(one, Way.DOOM_SIZE)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (PRIME, [Way.COMPLICATION]),
        (EMPIRE, [Way.COMPLICATION]),
        (HEROIC, [Way.DOOM_ONE, Way.DOOM_EACH, Way.DOOM_STEP, Way.DOOM_SIZE]),
        (ADEPT, [Way.COMPLICATION, Way.DOOM_ONE, Way.DOOM_EACH, Way.DOOM_STEP, Way.DOOM_SIZE]),
    ],
)
def test_H1_the_profile_says_what_hitches_buy(rules: Ruleset, expected: list[Way]) -> None:
    at = rolled(table(rules, doom=[6] if rules.doom else []), "3d6", 1, 1, 2)
    assert [offer.way for offer in ways(at, resolve(at, newest(at)))] == expected
    for way in {*Way} - {*expected}:
        with pytest.raises(SettingOff, match=r"Hitches can't (?:buy that|thin out groups)") as refused:
            bought(at, way)
        needed = (
            ("hitches buy", "complication or doom") if way is not Way.THIN_OUT else ("gangs thin out", "on")
        )
        assert (refused.value.setting, refused.value.value) == needed


def test_H1_each_hitch_is_activated_once() -> None:
    at = bought(rolled(table(), "3d6", 1, 1, 2), Way.COMPLICATION)
    with pytest.raises(NotAllowed, match=r"there first\. That roll has no hitches left"):
        bought(at, Way.COMPLICATION)


def test_H1_hitches_of_one_roll_go_different_ways() -> None:
    at = bought(rolled(table(ADEPT), "3d6", 1, 1, 2), Way.COMPLICATION, "Mud", count=1)
    at = bought(at, Way.DOOM_ONE)
    assert (die(at, "alice", TraitKind.COMPLICATION, "Mud"), doom_dice(at), pp(at, "alice")) == (6, (6,), 3)


def test_H1a_a_second_complication_of_the_roll_gives_no_second_pp() -> None:
    at = bought(rolled(table(), "3d6", 1, 1, 2), Way.COMPLICATION, "Mud", count=1)
    assert ways(at, resolve(at, newest(at))) == [Buyable(Way.COMPLICATION, 0)]
    assert pp(bought(at, Way.COMPLICATION, "Rain"), "alice") == 2


@pytest.mark.parametrize("count", [0, -1, 3])
def test_H1_a_number_of_hitches_that_are_not_there_is_refused(count: int) -> None:
    at = rolled(table(), "3d6", 1, 1, 2)
    with pytest.raises(NotAllowed, match="Hitches left in that roll: 2"):
        bought(at, Way.COMPLICATION, count=count)


@pytest.mark.parametrize(("who", "may"), [(GRETA, True), (ALICE, False), (BOB, False), (ZOE, False)])
def test_H1_only_the_gm_buys_hitches(who: Actor, may: bool) -> None:
    at = rolled(table(), "3d6", 1, 1, 2)
    assert (tried(lambda: buy(at, who, 1, Way.COMPLICATION)) is not None) is may


def test_H1_everybody_buys_them_at_an_open_table() -> None:
    at = rolled(Table(), "3d6", 1, 1, 2)
    done = buy(at, ZOE, 1, Way.COMPLICATION).table
    assert (die(done, "alice", TraitKind.COMPLICATION, "Trouble"), pp(done, "alice")) == (8, 1)


def test_H1_a_removed_one_is_no_hitch() -> None:
    at = rolled(table(), "2d6", 1, 1)
    hand = newest(at).hand
    at = with_roll(
        at, replace(newest(at), hand=replace(hand, dice=(replace(hand.dice[0], removed=True), hand.dice[1])))
    )
    assert hitches(newest(at)) == (1,)


def test_H1_a_one_of_the_gm_is_no_hitch() -> None:
    assert hitches(newest(rolled(table(), "2d6", 1, 1, who=GRETA))) == ()


@pytest.mark.parametrize("rules", BASES.values(), ids=[*BASES])
@pytest.mark.parametrize(("ones", "size"), [(1, 6), (2, 8), (4, 12)])
def test_R5_a_botch_buys_a_complication_free_of_charge(rules: Ruleset, ones: int, size: int) -> None:
    at = rolled(table(rules), f"{ones}d6", *[1] * ones)
    assert ways(at, resolve(at, newest(at)))[0] == Buyable(Way.BOTCH, 0)
    at = bought(at, Way.BOTCH, "Mud")
    assert (die(at, "alice", TraitKind.COMPLICATION, "Mud"), pp(at, "alice")) == (size, 1)
    assert hitches(newest(at)) == ()


def test_R5_a_roll_that_is_no_botch_buys_nothing_for_free() -> None:
    at = rolled(table(), "2d6", 1, 2)
    with pytest.raises(NotAllowed):
        bought(at, Way.BOTCH)


def gm_rolled(at: Table) -> Table:
    at = having(at, "alice", TraitKind.COMPLICATION, Trait("Leg", 8), Trait("Cold", 4))
    at = having(
        at, "bob", TraitKind.ASSET, Trait("Rope", 8), Trait("Sword", 12), Trait("Map", 6, signature=6)
    )
    return rolled(at, "3d6", 1, 1, 2, who=GRETA)


@pytest.mark.parametrize(
    ("what", "count", "who", "kind", "size"),
    [
        ("Leg", 1, "alice", TraitKind.COMPLICATION, 6),
        ("Leg", 2, "alice", TraitKind.COMPLICATION, 4),
        ("Cold", 1, "alice", TraitKind.COMPLICATION, 0),
        ("Rope", 1, "bob", TraitKind.ASSET, 10),
        ("Rope", 2, "bob", TraitKind.ASSET, 12),
        ("Bob · Map d6", 1, "bob", TraitKind.ASSET, 8),
    ],
)
def test_H2_a_pp_uses_opportunities_on_one_trait(
    what: str, count: int, who: str, kind: TraitKind, size: int
) -> None:
    at = after(seize(gm_rolled(table()), ALICE, 1, what, count))
    assert (die(at, who, kind, what.removeprefix("Bob · ").removesuffix(" d6")), pp(at, "alice")) == (size, 0)
    assert len(opportunities(newest(at))) == 2 - count


@pytest.mark.parametrize("what", ["Cold", "Crate"])
def test_H2_what_a_trait_cannot_take_stays_for_others(what: str) -> None:
    at = having(gm_rolled(table()), "bob", TraitKind.ASSET, Trait("Crate", 10))
    at = after(seize(at, ALICE, 1, what, 2))
    assert (len(opportunities(newest(at))), pp(at, "alice")) == (1, 0)


def test_H2_each_opportunity_works_once_for_the_whole_table() -> None:
    at = after(seize(gm_rolled(table()), ALICE, 1, "Leg"))
    at = after(seize(at, BOB, 1, "Rope"))
    with pytest.raises(NotAllowed, match=r"there first\. That roll has no opportunities left"):
        seize(at, BOB, 1, "Leg")


def test_H2_an_opportunity_against_a_player_is_the_gms_roll_alone() -> None:
    at = gm_rolled(table())
    at = after(against_roll(at, ALICE, faces(5, 5), 1, "2d6"))
    assert [len(opportunities(each)) for each in CORTEX.of(at).rolls.values()] == [2, 0]
    with pytest.raises(NotAllowed, match="That roll has no opportunities left: they've already been used"):
        seize(at, ALICE, 2, "Leg")


def test_H2_dice_rolled_against_a_player_give_opportunities_too() -> None:
    at = having(table(), "alice", TraitKind.COMPLICATION, Trait("Leg", 8))
    at = rolled(at, "2d6", 1, 3, 1, 5, vs="2d8")
    done = seize(at, BOB, 1, "Leg").table
    assert (die(done, "alice", TraitKind.COMPLICATION, "Leg"), opportunities(newest(done))) == (6, ())


@pytest.mark.parametrize(
    ("what", "count", "says"),
    [
        ("Sword", 1, "already as large as an asset can"),
        ("Leg", 3, "Opportunities left in that roll: 2"),
        ("Leg", 0, "Opportunities left in that roll: 2"),
    ],
)
def test_H2_what_an_opportunity_cannot_do_is_refused(what: str, count: int, says: str) -> None:
    with pytest.raises(NotAllowed, match=says):
        seize(gm_rolled(table()), ALICE, 1, what, count)


def test_H2_an_unknown_trait_is_refused() -> None:
    with pytest.raises(Unknown, match="no complication, stress or asset called"):
        seize(gm_rolled(table()), ALICE, 1, "Wings")


def test_H2_an_opportunity_costs_a_pp() -> None:
    with pytest.raises(NotAllowed, match=r"Alice has none\. The GM can give some: /pp"):
        seize(gm_rolled(table(pp=0)), ALICE, 1, "Leg")


@pytest.mark.parametrize("rules", BASES.values(), ids=[*BASES])
def test_H3_in_heroic_opportunities_work_for_sfx_only(rules: Ruleset) -> None:
    done = tried(lambda: seize(gm_rolled(table(rules)), ALICE, 1, "Leg"))
    assert (done is None) is (rules is HEROIC)


def test_H2_what_can_be_touched_is_listed_ones_own_first() -> None:
    at = having(gm_rolled(table()), "scene", TraitKind.COMPLICATION, Trait("Fire", 6))
    assert list(map(str, touchable(at, BOB))) == [
        "Bob · Rope d8",
        "Bob · Map d6",
        "Alice · Leg d8",
        "Alice · Cold d4",
        "Scene · Fire d6",
    ]
