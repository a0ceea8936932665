"""Whoever is late in Cortex is passed over."""

from functools import partial

import pytest

from bot.views import play_by_post
from bot.views.waiting import people, waiting
from rules.cortex import challenge, contest, turn
from rules.cortex.facts import GaveIn, PassedOver
from rules.errors import TooLate
from rules.table import Pace, Table
from tests.bot.views.asking import ALICE, GM, after, answers, begun, highest

TURNS = partial(turn.start, who="Alice")
STORM = partial(challenge.new, name="Storm")
FIRST = partial(challenge.first, who="Bob")
CONTEST = partial(contest.start, throw=highest, dice="2d6", against="Bob")


@pytest.mark.parametrize(
    ("table", "player", "view", "fact"),
    [
        (after(begun(pace=Pace.POST), (GM, TURNS)), 2, "turn", PassedOver),
        (after(begun(pace=Pace.POST), (GM, STORM), (GM, FIRST)), 3, "challenge", PassedOver),
        (after(begun(pace=Pace.POST), (ALICE, CONTEST)), 3, "contest", GaveIn),
    ],
)
def test_who_is_late_is_passed_over_once(table: Table, player: int, view: str, fact: type) -> None:
    (each,) = waiting(table)
    ((act, passing, wait),) = play_by_post.late_rows(table, [each])
    assert people(table, each) == (player,)
    assert play_by_post.view_of(table, each) == view
    assert [button.verb for button in (act, passing, wait)] == ["actfor", "passover", "waiton"]
    (step,) = answers(table, GM, passing)
    assert isinstance(step.facts[0], fact)
    with pytest.raises(TooLate, match="That has been settled"):
        play_by_post.find_late(step.table, GM, each.sign)
