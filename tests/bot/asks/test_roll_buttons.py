"""The rows of buttons below a roll."""

from dataclasses import replace

from bot.asks.roll_buttons import roll_rows
from rules.cortex.roll import with_roll
from tests.bot.asks.asking import begun, newest, rolled


def test_a_closed_roll_has_no_buttons() -> None:
    table = rolled(begun(), "2d6 d8", 3, 3, 4)
    assert roll_rows(table, newest(table))
    assert roll_rows(replace(table, rolls={}), newest(table)) == ()
    assert with_roll(table, newest(table)) == table


def test_a_row_holds_five_at_most() -> None:
    table = rolled(begun(), "4d6 4d8 2d10", 1, 2, 3, 4, 1, 2, 3, 4, 5, 6)
    assert all(len(row) <= 5 for row in roll_rows(table, newest(table)))
