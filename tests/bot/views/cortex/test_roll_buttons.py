"""The rows of buttons below a roll."""

from functools import partial

import pytest

from bot.language.printers import spelled
from bot.views.card import ROW_WIDTH, Weight
from bot.views.cortex.effects import effect_buttons
from bot.views.cortex.roll_actions import roll_buttons
from rules.cortex import gmc, points, roll, sfx_use
from rules.cortex.actions import read_roll
from rules.cortex.model import CORTEX
from rules.cortex.roll import with_roll
from rules.values import replace
from tests.bot.views.asking import ALICE, GM, after, begun, below_roll, highest, newest, rolled


def test_a_closed_roll_has_no_buttons() -> None:
    table = rolled(begun(), "2d6 d8", 3, 3, 4)
    assert below_roll(table, newest(table))
    empty = CORTEX.put(table, replace(CORTEX.of(table), rolls={}))
    assert roll_buttons(empty, read_roll(empty, newest(table))) == ((), ())
    assert with_roll(table, newest(table)) == table


def test_a_roll_has_five_buttons_at_most_in_two_rows_of_a_phone_and_the_rest_in_a_menu() -> None:
    table = rolled(begun(), "4d6 4d8 2d10", 1, 2, 3, 4, 1, 2, 3, 4, 5, 6)
    rows, more = roll_buttons(table, read_roll(table, newest(table)))
    assert len(rows) == 2
    assert sum(map(len, rows)) <= 5
    assert all(sum(len(spelled(each.label)) + 4 for each in row) <= ROW_WIDTH for row in rows)
    assert [spelled(each.label) for each in more][-3:] == ["Oppose", "Other dice", "What was it?"]


def test_a_choice_that_succeeds_is_a_button_and_one_that_fails_says_in_the_menu_what_for() -> None:
    table = rolled(begun(), "d10 2d6", 6, 4, 8, vs="13")
    rows, more = roll_buttons(table, read_roll(table, newest(table)))
    assert not [each for row in rows for each in row if "failure" in spelled(each.label)]
    (failing,) = [each for each in more if spelled(each.label).endswith(": failure")]
    assert spelled(failing.hint) == "A larger effect die, but the roll fails"
    table = after(table, (ALICE, partial(roll.choose, number=newest(table).number, total=12, effects=(10,))))
    rows, more = roll_buttons(table, read_roll(table, newest(table)))
    assert [each for row in rows for each in row if spelled(each.label).endswith(": success")]


@pytest.mark.parametrize(("price", "is_offered"), [("1 PP", True), ("2 PP", False)])
def test_X1_spend_is_offered_for_an_sfx_whose_pp_are_there(price: str, is_offered: bool) -> None:
    focus = partial(sfx_use.add, name="Focus", benefit="reroll", cost=price)
    table = after(begun(), (GM, partial(points.give_points, who="Alice")), (ALICE, focus))
    table = replace(
        table,
        characters={
            **table.characters,
            "alice": CORTEX.give(
                table.characters["alice"], replace(CORTEX.has(table.characters["alice"]), pp=1)
            ),
        },
    )
    assert bool(sfx_use.usable(table, newest(rolled(table, "d10 d8", 4, 3)))) is is_offered


def test_two_effect_dice_of_one_size_have_two_labels() -> None:
    table = rolled(begun(), "2d6 2d8", 6, 5, 3, 3)
    made = replace(newest(table), hand=replace(newest(table).hand, effects=(2, 3)))
    at = with_roll(table, made)
    shown = [spelled(button.label) for button in effect_buttons(at, read_roll(at, made))]
    assert shown == ["Apply d8", "Apply the other d8"]


def test_the_first_button_alone_is_in_colour_and_is_for_who_is_to_answer() -> None:
    table = after(begun(), (GM, partial(gmc.roll_doom, throw=highest, on="Alice")))
    rows, _ = roll_buttons(table, read_roll(table, newest(table)))
    shown = [button for row in rows for button in row]
    assert spelled(shown[0].label) == "Roll against"
    assert [button.weight for button in shown] == [Weight.MAIN] + [Weight.QUIET] * (len(shown) - 1)
