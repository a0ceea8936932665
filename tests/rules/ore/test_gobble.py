"""Gobbling: dice of a set spoil dice of somebody else's set that is no wider and no higher."""

import pytest

from rules.campaign.seats import Actor
from rules.errors import Ambiguous, NotAllowed, TooLate, Unknown
from rules.ore import gobble, roll
from rules.ore.damage import usable
from rules.ore.gobble import meant, prey_words, preys, stamp
from rules.ore.model import ORE, OreGobbled, OreHand, OreRoll, OreSet, acting, idle, latest, loose, sets
from rules.ore.notation import read
from rules.ore.placing import offered
from rules.ore.pool import OrePool
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, ZOE, after, faces, table

ATTACK, DEFENCE = 1, 2


def met(attack: tuple[int, ...], defence: tuple[int, ...], special: str = "") -> Table:
    """Alice has rolled an attack, Bob a defence."""
    at = after(roll.full(table(), ALICE, faces(*attack), read(f"{len(attack)}d {special}")))
    return after(roll.full(at, BOB, faces(*defence), read(f"{len(defence)}d")))


def spoils(at: Table, count: int = 0, which: int = 0) -> Table:
    sign = preys(at, ORE.of(at).rolls[DEFENCE])[which].sign
    return after(gobble.gobble(at, BOB, DEFENCE, sign, count))


def made(at: Table, number: int) -> list[str]:
    return [str(one) for one in sets(ORE.of(at).rolls[number].hands[0])]


def test_each_die_of_a_set_spoils_one_of_a_set_that_is_no_wider_and_no_higher() -> None:
    at = met((6, 6, 6, 6), (8, 8, 8, 8))
    after_one = spoils(at, 1)
    assert (made(after_one, ATTACK), made(after_one, DEFENCE)) == (["3×6"], ["4×8"])
    assert made(spoils(after_one, 1), ATTACK) == ["2×6"]


def test_as_many_as_it_takes_leave_a_loose_die_and_no_set() -> None:
    at = spoils(met((6, 6, 1), (8, 8)))
    here = ORE.of(at)
    assert made(at, ATTACK) == []
    assert loose(here.rolls[ATTACK].hands[0]) == (1, 6)
    assert here.rolls[DEFENCE].hands[0].spent == (8,)


def test_what_was_spoiled_is_told() -> None:
    at = met((6, 6, 6), (8, 8, 8))
    step = gobble.gobble(at, BOB, DEFENCE, preys(at, ORE.of(at).rolls[DEFENCE])[0].sign, 1)
    mine, theirs = ORE.of(step.table).rolls[DEFENCE], ORE.of(step.table).rolls[ATTACK]
    said = OreGobbled(mine, OreSet(3, 8), theirs, 0, OreSet(3, 6), 1, OreSet(2, 6))
    assert step.facts == (said,)


@pytest.mark.parametrize(("height", "may"), [(5, False), (6, True), (7, True)])
def test_only_a_set_as_high_can_spoil(height: int, may: bool) -> None:
    at = met((6, 6), (height, height))
    assert bool(preys(at, ORE.of(at).rolls[DEFENCE])) is may


@pytest.mark.parametrize(("defence", "may"), [((8, 8), False), ((8, 8, 8), True), ((8, 8, 8, 8), True)])
def test_only_a_set_as_wide_can_spoil(defence: tuple[int, ...], may: bool) -> None:
    at = met((6, 6, 6), defence)
    assert bool(preys(at, ORE.of(at).rolls[DEFENCE])) is may


def test_the_width_that_counts_is_the_one_rolled_on_both_sides() -> None:
    at = spoils(met((6, 6, 6), (8, 8, 8)), 1)
    late = after(roll.full(at, GRETA, faces(9, 9), read("2d")))
    one_roll = ORE.of(late)
    assert made(late, ATTACK) == ["2×6"]
    assert [prey.roll for prey in preys(late, one_roll.rolls[max(one_roll.rolls)])] == []
    assert made(spoils(at, 1), ATTACK) == []
    eaten = after(roll.full(met((6, 6, 6), (8, 8, 8)), GRETA, faces(9, 9, 9), read("3d")))
    here = ORE.of(eaten)
    captain = here.rolls[max(here.rolls)]
    sign = next(prey.sign for prey in preys(eaten, captain) if prey.roll == DEFENCE)
    slower = after(gobble.gobble(eaten, GRETA, captain.number, sign, 1))
    assert made(slower, DEFENCE) == ["2×8"]
    assert made(spoils(slower, 1), ATTACK) == ["2×6"]


def test_ones_own_sets_and_a_roll_without_sets_are_no_prey() -> None:
    at = met((6, 5), (8, 8, 2, 2))
    assert preys(at, ORE.of(at).rolls[DEFENCE]) == []
    with pytest.raises(
        NotAllowed,
        match=r"There's no set to spoil: it has to be someone else's, .*Example: 2×8 spoils dice of 2×6",
    ):
        gobble.require_preys(at, BOB, DEFENCE)


def test_no_die_gobbles_twice() -> None:
    at = spoils(met((6, 6, 6), (8, 8, 8)), 1)
    at = spoils(at, 2)
    assert made(at, ATTACK) == []
    at = after(roll.full(at, GRETA, faces(6, 6), read("2d")))
    assert preys(at, ORE.of(at).rolls[DEFENCE]) == []


def test_more_dice_than_there_are_are_refused() -> None:
    with pytest.raises(NotAllowed, match=r"3×8 can spoil 1 to 2 of 2×6's dice right now, not 3\."):
        spoils(met((6, 6), (8, 8, 8)), 3)


@pytest.mark.parametrize("actor", [ALICE, ZOE])
def test_only_whoever_rolled_gobbles(actor: Actor) -> None:
    at = met((6, 6), (8, 8))
    with pytest.raises(NotAllowed, match="Only Bob can do that: it's their roll"):
        gobble.gobble(at, actor, DEFENCE, preys(at, ORE.of(at).rolls[DEFENCE])[0].sign)


def test_one_press_gobbles_once() -> None:
    at = met((6, 6, 6), (8, 8, 8))
    here = ORE.of(at)
    sign, seen = preys(at, here.rolls[DEFENCE])[0].sign, stamp(here.rolls[DEFENCE])
    once = after(gobble.gobble(at, BOB, DEFENCE, sign, 1, seen))
    with pytest.raises(TooLate, match="That roll gobbled dice in the meantime"):
        gobble.gobble(once, BOB, DEFENCE, sign, 1, seen)


def test_a_set_that_is_gone_meanwhile_is_refused() -> None:
    at = met((6, 6), (8, 8, 8))
    sign = preys(at, ORE.of(at).rolls[DEFENCE])[0].sign
    with pytest.raises(TooLate, match="That set changed in the meantime"):
        gobble.gobble(spoils(at), BOB, DEFENCE, sign)


def test_wiggle_dice_that_gobbled_or_were_gobbled_stay_where_they_are() -> None:
    at = after(roll.place(met((6, 6, 1), (8, 8, 8), "1w"), ALICE, ATTACK, (6,)))
    at = spoils(at, 1)
    with pytest.raises(
        TooLate, match=("Dice in that roll have gobbled, been gobbled or hit, so the roll can't change")
    ):
        roll.place(at, ALICE, ATTACK, (1,))


def test_wiggle_dice_that_wait_may_mend_a_spoiled_set() -> None:
    at = spoils(met((6, 6, 1), (8, 8), "1w"))
    assert made(after(roll.place(at, GRETA, ATTACK, (6,))), ATTACK) == ["2×6"]


def test_a_spoiled_set_is_out_of_the_order_of_action() -> None:
    at = spoils(met((6, 6), (8, 8)))
    assert [each.roll.who for each in acting(latest(at))] == ["Bob"]


def test_a_quick_set_is_spoiled_as_well() -> None:
    at = after(roll.quick(table(), ALICE, faces(5, 6), read("7d")))
    at = after(roll.full(at, BOB, faces(8, 8), read("2d")))
    assert made(spoils(at), ATTACK) == []


def crowded() -> Table:
    """Fifty guards have a set of sixes each, Bob a 2×8 and a 3×9."""
    widths, heights = [7] * 50, [6] * 50
    at = after(roll.crowd(table(), GRETA, faces(*widths, *heights), "4d", 50, "Guards"))
    return after(roll.full(at, BOB, faces(8, 8, 9, 9, 9), read("5d")))


def test_every_set_of_a_crowd_can_be_typed() -> None:
    at = crowded()
    here = ORE.of(at)
    found = preys(at, here.rolls[DEFENCE])
    assert len(found) == 100
    for prey in found:
        assert meant(at, here.rolls[DEFENCE], prey_words(at, prey)) == prey


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("pool 30", "GM (Guards), pool 30: 2×6, by 3×9"),
        ("Guards pool 3 by 2 x 8", "GM (Guards), pool 3: 2×6, by 2×8"),
        ("gm, pool 5, 2×6, 2X8", "GM (Guards), pool 5: 2×6, by 2×8"),
    ],
)
def test_as_much_of_a_set_is_typed_as_tells_it_from_others(typed: str, says: str) -> None:
    at = crowded()
    assert prey_words(at, meant(at, ORE.of(at).rolls[DEFENCE], typed)) == says


@pytest.mark.parametrize(
    ("typed", "kind", "because"),
    [
        ("guards", Ambiguous, "could be several sets"),
        ("by 2x8", Ambiguous, "could be several sets"),
        ("pool 51", Unknown, "There's no set"),
        ("?", Unknown, "There's no set"),
    ],
)
def test_what_is_typed_of_no_set_or_several_is_refused_with_an_example(
    typed: str, kind: type[Exception], because: str
) -> None:
    at = crowded()
    with pytest.raises(kind, match=because) as refusal:
        meant(at, ORE.of(at).rolls[DEFENCE], typed)
    example = str(refusal.value).partition("Example: ")[2]
    assert gobble.gobble(at, BOB, DEFENCE, example).facts


def test_an_older_roll_of_the_same_name_is_told_from_the_newest() -> None:
    at = met((6, 6), (8, 8))
    at = after(roll.full(at, ALICE, faces(6, 6), read("2d")))
    found = preys(at, ORE.of(at).rolls[DEFENCE])
    assert [prey_words(at, prey) for prey in found] == [
        "Alice: 2×6, by 2×8",
        "Alice, 1 before the last: 2×6, by 2×8",
    ]
    assert [meant(at, ORE.of(at).rolls[DEFENCE], prey_words(at, prey)) for prey in found] == found


def limited(count: int, *mine: int) -> Table:
    """A crowd whose sets are at most 3 wide shows so many 5s; Bob has rolled these dice."""
    guards = OreHand(OrePool(count), (5,) * count, widest=3)
    rolls = {
        ATTACK: OreRoll(ATTACK, GRETA.id, "Guards", (guards,), gm=True),
        DEFENCE: OreRoll(DEFENCE, BOB.id, "Bob", (OreHand(OrePool(len(mine)), mine),)),
    }
    return ORE.with_rolls(table(), rolls)


def test_O8_gobbling_a_set_of_a_crowd_leaves_its_other_sets_as_they_were() -> None:
    at = limited(7, 8, 8, 8)
    assert made(at, ATTACK) == ["3×5", "2×5", "2×5"]
    # The two that read the same are offered once.
    assert [str(prey.target) for prey in preys(at, ORE.of(at).rolls[DEFENCE])] == ["3×5", "2×5"]
    narrow = spoils(at, which=1)
    assert made(narrow, ATTACK) == ["3×5", "2×5"]
    assert loose(ORE.of(narrow).rolls[ATTACK].hands[0]) == (5,)
    assert made(spoils(at, 1), ATTACK) == ["2×5", "2×5", "2×5"]
    assert made(spoils(limited(4, 8, 8), 1), ATTACK) == ["2×5"]


def test_O8_of_two_equal_sets_the_one_with_more_dice_left_gobbles() -> None:
    at = limited(4, 3, 3)
    once = after(gobble.gobble(at, GRETA, ATTACK, preys(at, ORE.of(at).rolls[ATTACK])[0].sign, 1))
    again = after(roll.full(once, ZOE, faces(4, 4), read("2d")))
    (prey,) = preys(again, ORE.of(again).rolls[ATTACK])
    hand = ORE.of(again).rolls[ATTACK].hands[0]
    assert (prey.own.nth, gobble.dice_left(hand, prey.own)) == (1, 2)


def test_O8_sets_of_a_crowd_of_one_height_are_used_one_by_one() -> None:
    at = limited(4, 3, 3)
    mine = after(gobble.gobble(at, GRETA, ATTACK, preys(at, ORE.of(at).rolls[ATTACK])[0].sign, 2))
    assert [str(one) for _, one in usable(ORE.of(mine).rolls[ATTACK])] == ["2×5"]
    hand = replace(ORE.of(at).rolls[ATTACK].hands[0], struck=(OreSet(2, 5),))
    struck = replace(ORE.of(at).rolls[ATTACK], hands=(hand,))
    assert [one.nth for _, one in usable(struck)] == [1]
    eaten = replace(struck, hands=(replace(hand, spoiled=(OreSet(2, 5).die,)),))
    assert [one.nth for _, one in usable(eaten)] == [1]


def test_a_wiggle_die_whose_dice_are_all_spoiled_is_not_placed() -> None:
    at = spoils(met((7, 7), (9, 9), "1w"), 2)
    hand = ORE.of(at).rolls[ATTACK].hands[0]
    assert (sets(hand), loose(hand), hand.waiting, offered(hand)) == ((), (), 0, [])
    with pytest.raises(TooLate, match="The wiggle die has nothing to join"):
        roll.place(at, ALICE, ATTACK, (7,))
    assert idle(latest(at)) == ["Alice"]
    pair = spoils(met((7, 7), (9, 9), "2w"), 2)
    assert made(after(roll.place(pair, ALICE, ATTACK, (6, 6))), ATTACK) == ["2×6"]
