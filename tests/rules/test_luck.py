"""The faces that were thrown, and how far from expectation they are."""

import pytest

from rules.campaign.rolls import faces
from rules.cortex.facts import DiceRerolled, RollChanged, RollMade
from rules.cortex.model import Against, Hand, Roll, RolledDie
from rules.cortex.pool import Die
from rules.dice import Faces
from rules.facts import SeatChange, Seated
from rules.ore.model import OreHand, OreRoll, OreRolled
from rules.ore.notation import read
from rules.ore.pool import QuickDice
from rules.values import replace


def roll(*shown: int, gm: bool = False, of: int = 0) -> Roll:
    """Six-sided dice of Alice, or of doom, against two d8 or the roll of that number."""
    against = Against("2d8", hand=Hand((RolledDie(8, 7), RolledDie(8, 1))), roll=of)
    who = "Doom pool" if gm else "Alice"
    return Roll(3, 2, who, Hand(tuple(RolledDie(6, face) for face in shown)), gm, None if gm else against)


def test_faces_are_whose_who_threw_them() -> None:
    steps = [(RollMade(roll(3, 3)),)]
    assert faces(steps, "alice").of == {6: {3: 2}}
    assert faces(steps, "GM").of == {8: {1: 1, 7: 1}}
    assert faces(steps).of == {6: {3: 2}, 8: {1: 1, 7: 1}}
    assert faces([(RollMade(roll(3, of=2)),)], "GM").of == {}
    assert faces([(RollMade(roll(5, gm=True)),)], "GM").of == {6: {5: 1}}


def test_a_die_that_is_rolled_again_counts_each_time() -> None:
    again = DiceRerolled("Alice", (Die(6),), (2,))
    assert faces([(RollMade(roll(2, 3)),), (again, RollChanged(roll(6, 3)))], "Alice").of == {
        6: {2: 1, 3: 1, 6: 1}
    }


def test_how_rarely_dice_are_so_far_off() -> None:
    assert Faces({6: dict.fromkeys(range(1, 7), 10)}).chance == pytest.approx(1)
    coins = Faces({6: {1: 40, 6: 60}})
    assert coins.beyond == pytest.approx(0.5)
    assert coins.chance == pytest.approx(0.0034, abs=0.0002)
    assert Faces({6: {1: 60, 6: 40}}).chance == pytest.approx(coins.chance)


def test_a_spread_is_uneven_where_the_sum_is_as_expected() -> None:
    ends = Faces({8: {1: 50, 8: 50}})
    assert ends.chance == pytest.approx(1)
    assert ends.uneven == pytest.approx(300)
    assert ends.uneven_expected == 7
    assert ends.uneven_chance < 1e-9
    even = Faces({8: dict.fromkeys(range(1, 9), 10), 6: dict.fromkeys(range(1, 7), 5)})
    assert (even.uneven, even.uneven_expected) == (0, 12)
    assert even.uneven_chance == pytest.approx(1)


@pytest.mark.parametrize(("counts", "seldom"), [((14, 14, 2, 10), 0.0223), ((15, 8, 9, 8), 0.3340)])
def test_how_rarely_faces_are_so_uneven(counts: tuple[int, ...], seldom: float) -> None:
    thrown = Faces({4: dict(enumerate(counts, start=1))})
    assert thrown.uneven_chance == pytest.approx(seldom, abs=0.001)


def test_whoever_is_renamed_threw_the_dice_before_and_after() -> None:
    again = DiceRerolled("Alice", (Die(6),), (2,))
    steps = [
        (RollMade(roll(2, 3)),),
        (again, RollChanged(roll(6, 3))),
        (Seated("Lady A", SeatChange.RENAMED, was="Alice"),),
        (RollMade(replace(roll(5), number=9, who="Lady A")),),
    ]
    assert faces(steps, "lady a").of == {6: {2: 1, 3: 1, 5: 1, 6: 1}}
    assert faces(steps, "Alice").of == {}


def test_dice_of_one_roll_games_count_as_far_as_they_are_thrown() -> None:
    full = OreHand(read("3d 2h e7 1w"), (2, 2, 9))
    quick = OreHand(read("5d"), quick=QuickDice(3, 0, (8,)))
    steps = [
        (OreRolled(OreRoll(2, 2, "Alice", (full, quick))),),
        (OreRolled(OreRoll(3, 1, "Rex", (quick,), gm=True)),),
    ]
    assert faces(steps, "Alice").of == {10: {2: 2, 3: 1, 8: 1, 9: 1}}
    assert faces(steps, "GM").of == {10: {3: 1, 8: 1}}
    assert faces(steps).count(10) == 7
