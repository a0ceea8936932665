"""What Cortex has to look at."""

from bot.language import say
from bot.language.line import nothing
from bot.views.cortex.table import NO_CONTEST
from bot.views.table import view_lines, view_rows
from tests.bot.views.asking import GM, begun


def test_where_there_is_nothing_a_view_says_how_it_begins() -> None:
    assert view_lines("contest", begun(), {}) == [nothing(say(NO_CONTEST))]
    assert view_rows(begun(), "contest", GM) == ()
