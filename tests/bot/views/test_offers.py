"""What is offered below the table, whatever is played there."""

from bot.language.printers import spelled
from bot.views.question import below_table
from tests.bot.views.asking import begun, rolled


def test_what_waits_has_a_button_only_where_something_does() -> None:
    assert [spelled(each.label) for each in below_table(begun())] == ["My sheet", "Roll", "Join"]
    waits = rolled(begun(), "2d6 d8", 1, 1, 5, vs="2")
    assert [spelled(each.label) for each in below_table(waits)] == ["My sheet", "Roll", "Waiting: 2", "Join"]
