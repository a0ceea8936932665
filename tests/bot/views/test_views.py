"""Views and sheets: what a button names is what is shown."""

import re

import pytest

from bot.language.printers import harmless
from bot.views import table
from rules.errors import TooLate
from tests.bot.views.asking import begun


@pytest.mark.parametrize("view", table.views())
def test_each_view_is_named_as_its_buttons_say(view: str) -> None:
    for button in (table.share_button(view, 0), table.page_button(view), table.all_button()):
        assert re.fullmatch(table.VIEW, button.subject)
        assert table.view_lines(button.subject, begun(), {})


def test_a_sheet_is_named_by_its_character() -> None:
    view = table.sheet_of(begun().characters["alice"])
    assert re.fullmatch(table.VIEW, view)
    lines = table.view_lines(view, begun(), {})[:2]
    assert [*map(harmless, lines)] == ["### Alice", "-# played by alice"]
    with pytest.raises(TooLate):
        table.view_lines(view[:-1] + "x", begun(), {})
