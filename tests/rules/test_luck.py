"""The faces that were thrown, and how far from expectation they are."""

import pytest

from rules.dice import Die
from rules.facts import DiceRerolled
from rules.luck import Faces, faces
from rules.result import RollChanged, RollMade
from rules.table import Against, Hand, Roll, RolledDie


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
