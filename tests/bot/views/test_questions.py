"""Every button that a table shows is understood when it is pressed, and so is every option of its form."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from hypothesis import given
from hypothesis import strategies as st

from bot.games import GAMES
from bot.games import SHARED_QUESTIONS as SHARED
from bot.views import question
from bot.views.card import Button, Form
from bot.views.question import FormRequired
from bot.views.table import view_rows, views
from rules.campaign.seats import Actor
from rules.cortex.model import CORTEX
from rules.cortex.roll import make
from rules.dice import Throw
from rules.errors import RuleError, TooLate
from rules.game import Step
from rules.table import Table
from rules.values import replace
from tests.bot.views.asking import ALICE, BOB, GM, QUESTIONS, below_roll, opened, reading
from tests.strategies import tables, throws

ROLLERS = st.sampled_from([GM, ALICE])
POOLS = st.sampled_from(["2d6 d8", "d10", "3d4 d12"])
AGAINST = st.sampled_from([None, "11", "hard", "2d6 d8", "Fire", "Storm", "Rex", "doom"])


@given(tables(), throws(), ROLLERS, AGAINST, POOLS)
def test_whatever_is_shown_is_understood(
    table: Table, throw: Throw, roller: Actor, against: str | None, dice: str
) -> None:
    table = replace(table, scenes=1)
    with suppress(RuleError):
        table = make(table, roller, throw, dice, against).table
    for button in shown(table):
        for actor in (GM, ALICE, BOB):
            with refused_by_the_game():
                try_all(table, actor, button)


def shown(table: Table) -> Iterator[Button]:
    """Every button that a table shows."""
    for roll in CORTEX.of(table).rolls.values():
        # What a roll was for is asked with the steps since it at hand: tests/bot/test_what_for.py.
        yield from (button for button in below_roll(table, roll) if button.verb != question.WHAT_FOR)
    for view in views():
        # Those that only show something ask nothing: they are answered by the commands' modules.
        yield from (button for button in view_rows(table, view) if button.verb in QUESTIONS)


@contextmanager
def refused_by_the_game() -> Iterator[None]:
    """What is refused is so for a reason of the game: nothing that is shown is out of date or unreadable."""
    try:
        yield
    except (TooLate, FormRequired):
        raise
    except RuleError:
        pass


def try_all(table: Table, actor: Actor, button: Button) -> None:
    """Press a button, and give every answer to what it asks."""
    if isinstance(opened(table, actor, button), Form):
        for _, rule in reading(table, actor, button):
            with refused_by_the_game():
                assert isinstance(rule(table, actor), Step)


def test_every_verb_is_of_one_question() -> None:
    assert len(QUESTIONS) == len(SHARED) + sum(len(game.questions) for game in GAMES)


def test_every_question_has_a_form_or_is_answered_by_its_press() -> None:
    for verb, each in QUESTIONS.items():
        assert (each.form is None) != (each.press is None), verb
        assert each.form is None or each.read is not None, verb
