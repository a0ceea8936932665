"""What is offered below the table and below a sheet."""

from bot.language.printers import spelled
from bot.views.card import Form
from bot.views.cortex.table import sheet_buttons
from tests.bot.views.asking import ALICE, BOB, GM, begun, opened


def test_a_sheet_is_edited_and_rolled_from_below_it_by_who_may() -> None:
    table = begun()
    edit, roll = sheet_buttons(table, table.characters["alice"], ALICE)
    assert roll.verb == "rollnow"
    form = opened(table, ALICE, edit)
    assert isinstance(form, Form)
    assert spelled(form.title) == "Alice's sheet"
    assert [spelled(each.label) for each in sheet_buttons(table, table.characters["alice"], GM)] == ["Edit"]
    assert sheet_buttons(table, table.characters["alice"], BOB) == ()
