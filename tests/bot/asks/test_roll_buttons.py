"""The rows of buttons below a roll."""

from dataclasses import replace
from functools import partial

from bot.asks.roll_buttons import roll_rows
from bot.render.card import Weight
from rules.cortex import gm_roll
from rules.cortex.roll import with_roll
from tests.bot.asks.asking import GM, after, begun, highest, newest, rolled


def test_a_closed_roll_has_no_buttons() -> None:
    table = rolled(begun(), "2d6 d8", 3, 3, 4)
    assert roll_rows(table, newest(table))
    assert roll_rows(replace(table, rolls={}), newest(table)) == ()
    assert with_roll(table, newest(table)) == table


def test_a_row_holds_five_at_most() -> None:
    table = rolled(begun(), "4d6 4d8 2d10", 1, 2, 3, 4, 1, 2, 3, 4, 5, 6)
    assert all(len(row) <= 5 for row in roll_rows(table, newest(table)))


def test_the_first_button_alone_is_in_colour_and_is_for_who_is_to_answer() -> None:
    table = after(begun(), (GM, partial(gm_roll.roll_doom, throw=highest, on="Alice")))
    shown = [button for row in roll_rows(table, newest(table)) for button in row]
    assert shown[0].label == "Roll against"
    assert [button.weight for button in shown] == [Weight.MAIN] + [Weight.QUIET] * (len(shown) - 1)
