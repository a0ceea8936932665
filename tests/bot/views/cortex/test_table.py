"""What is offered below the table and below a sheet."""

from bot.language.printers import spelled
from bot.views.card import Form
from bot.views.cortex.table import sheet_buttons
from bot.views.question import below_table
from rules.cortex.model import CORTEX
from tests.bot.views.asking import ALICE, BOB, GM, answers, begun, of, opened


def test_a_roll_that_is_filled_in_is_made() -> None:
    button = of(below_table(begun()), "rollnow")
    (step,) = answers(begun(), ALICE, button, dice="2d6", vs="11", note="the door")
    (roll,) = CORTEX.of(step.table).rolls.values()
    assert (roll.who, roll.note, roll.against and roll.against.number) == ("Alice", "the door", 11)


def test_a_sheet_is_edited_and_rolled_from_below_it_by_who_may() -> None:
    table = begun()
    edit, roll = sheet_buttons(table, table.characters["alice"], ALICE)
    assert isinstance(opened(table, ALICE, roll), Form)
    form = opened(table, ALICE, edit)
    assert isinstance(form, Form)
    assert spelled(form.title) == "Alice's sheet"
    assert [spelled(each.label) for each in sheet_buttons(table, table.characters["alice"], GM)] == ["Edit"]
    assert sheet_buttons(table, table.characters["alice"], BOB) == ()
