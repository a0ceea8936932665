"""Views and sheets: what a button names is what is shown."""

import re

import pytest

from bot.asks import views
from bot.language.printers import harmless
from rules.errors import TooLate
from tests.bot.asks.asking import begun


@pytest.mark.parametrize("view", views.views())
def test_each_view_is_named_as_its_buttons_say(view: str) -> None:
    for button in (views.share_button(view, 0), views.page_button(view), views.all_button()):
        assert re.fullmatch(views.VIEW, button.subject)
        assert views.view_lines(button.subject, begun(), {})


def test_a_sheet_is_named_by_its_character() -> None:
    view = views.sheet_of(begun().characters["alice"])
    assert re.fullmatch(views.VIEW, view)
    lines = views.view_lines(view, begun(), {})[:2]
    assert [*map(harmless, lines)] == ["### Alice", "-# played by alice"]
    with pytest.raises(TooLate):
        views.view_lines(view[:-1] + "x", begun(), {})
