"""What is offered where a session ends."""

import pytest

from bot.views import session
from bot.views.card import Button, Form
from rules.campaign import scenes
from rules.errors import TooLate
from rules.table import Table
from tests.bot.views.asking import GM, after, answers, begun, of, opened


def ended() -> Table:
    return after(begun(), (GM, scenes.end_session))


def test_the_title_is_of_the_session_that_ended() -> None:
    button = of(session.session_buttons(Table(), 1), "titlesession")
    later = after(ended(), (GM, scenes.start_session))
    assert isinstance(opened(later, GM, button), Form)
    (step,) = answers(later, GM, button, title="The fall")
    assert step.table.titles == {1: "The fall"}


def test_a_session_is_started_by_a_press_unless_one_runs() -> None:
    button = Button("Start session", "startsession")
    (step,) = answers(ended(), GM, button)
    assert step.table.session == 2
    with pytest.raises(TooLate, match="Session 2 has already begun"):
        answers(step.table, GM, button)


def test_the_next_session_is_started_once() -> None:
    button = of(session.session_buttons(Table(), 1), "nextsession")
    (step,) = answers(ended(), GM, button)
    assert step.table.session == 2
    with pytest.raises(TooLate, match="has already begun"):
        answers(step.table, GM, button)
