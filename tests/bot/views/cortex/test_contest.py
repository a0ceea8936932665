"""A contest goes on by its buttons, below the roll and where contests are looked at."""

from functools import partial

from bot.views.cortex import contest
from bot.views.cortex.contest import contest_form
from bot.views.table import view_rows
from rules.cortex import contest as cortex_contest
from rules.cortex import gmc
from rules.cortex.model import CORTEX
from tests.bot.views.asking import ALICE, BOB, GM, after, answers, begun, highest, newest


def test_the_other_side_rolls_or_gives_in() -> None:
    begins = partial(cortex_contest.start, throw=highest, dice="2d6 d8", against="Bob")
    table = after(begun(), (ALICE, begins))
    for roll, give_in in (contest.contest_buttons(newest(table)), view_rows(table, "contest", BOB)):
        (rolled,) = answers(table, BOB, roll, dice="2d10")
        assert newest(rolled.table).who == "Bob"
        (given,) = answers(table, BOB, give_in)
        assert not CORTEX.of(given.table).contests


def test_a_gmc_answers_with_all_its_dice() -> None:
    begins = partial(cortex_contest.start, throw=highest, dice="2d6 d8", against="Rex")
    table = after(begun(), (GM, partial(gmc.new, name="Rex", dice="Fangs d10, 2d8")), (ALICE, begins))
    (going,) = CORTEX.of(table).contests.values()
    assert contest_form(table, GM, going).fields[0].value == "Fangs d10, 2d8"
