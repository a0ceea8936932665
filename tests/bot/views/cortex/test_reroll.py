"""Which die is rolled again."""

from rules.table import Table
from tests.bot.views.asking import ALICE, answers, below, newest, rolled


def test_each_die_that_is_offered_is_rolled_again() -> None:
    table = rolled(Table(), "2d6 d8", 2, 3, 4)
    steps = answers(table, ALICE, below(table, "reroll"))
    again = [[die.face for die in newest(step.table).hand.dice] for step in steps]
    assert again == [[6, 3, 4], [2, 6, 4], [2, 3, 8]]


def test_a_single_die_is_rolled_again_at_once() -> None:
    table = rolled(Table(), "d6", 2)
    (step,) = answers(table, ALICE, below(table, "reroll"))
    assert newest(step.table).hand.dice[0].face == 6
