"""What is offered below the table."""

from bot.asks.cortex import table as asking
from bot.render.card import Button, Form
from rules import scenes
from rules.cortex.state.part import CORTEX
from tests.bot.asks.asking import ALICE, BOB, GM, after, answers, begun, of, opened, rolled


def test_what_waits_has_a_button_only_where_something_does() -> None:
    assert [each.label for each in asking.buttons(begun())] == ["My sheet", "Roll", "Join"]
    waits = rolled(begun(), "2d6 d8", 1, 1, 5, vs="2")
    assert [each.label for each in asking.buttons(waits)] == ["My sheet", "Roll", "Waiting: 2", "Join"]


def test_a_roll_that_is_filled_in_is_made() -> None:
    button = of(asking.buttons(begun()), "rollnow")
    (step,) = answers(begun(), ALICE, button, dice="2d6", vs="11", note="the door")
    (roll,) = CORTEX.of(step.table).rolls.values()
    assert (roll.who, roll.note, roll.against and roll.against.number) == ("Alice", "the door", 11)


def test_a_session_is_started_by_a_press() -> None:
    table = after(begun(), (GM, scenes.end_session))
    (step,) = answers(table, GM, Button("Start session", "startsession"))
    assert step.table.session == 2


def test_a_sheet_is_edited_and_rolled_from_below_it_by_who_may() -> None:
    table = begun()
    edit, roll = asking.sheet_buttons(table, table.characters["alice"], ALICE)
    assert isinstance(opened(table, ALICE, roll), Form)
    form = opened(table, ALICE, edit)
    assert isinstance(form, Form)
    assert form.title == "The sheet of Alice"
    assert [each.label for each in asking.sheet_buttons(table, table.characters["alice"], GM)] == ["Edit"]
    assert asking.sheet_buttons(table, table.characters["alice"], BOB) == ()
