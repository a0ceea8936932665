"""Who is next: everybody who is offered."""

from functools import partial

import pytest

from bot.views.card import Button
from bot.views.cortex import challenge
from rules.campaign.seats import Actor, join
from rules.cortex import challenge as cortex_challenge
from rules.cortex import turn
from rules.cortex.kinds import Foe, Target
from rules.cortex.model import CORTEX, TurnOrder
from rules.table import Table
from tests.bot.views.asking import GM, after, answers, begun

CROWD = range(4, 10)


def many() -> Table:
    """A table with more people than a row has buttons."""
    return after(begun(), *((Actor(n, f"p{n}"), partial(join, name=f"Player {n}")) for n in CROWD))


def named(table: Table, buttons: list[Button]) -> list[TurnOrder | None]:
    """The order after each that can be named."""
    steps = [step for button in buttons for step in answers(table, GM, button)]
    return [CORTEX.of(step.table).order or CORTEX.of(step.table).challenges["storm"].order for step in steps]


@pytest.mark.parametrize("is_challenge", [False, True])
def test_each_who_is_offered_is_next(is_challenge: bool) -> None:
    begins = partial(cortex_challenge.new, name="Storm") if is_challenge else partial(turn.start, who="Alice")
    table = after(many(), (GM, begins))
    storm = Target(Foe.CHALLENGE, "storm")
    buttons = (
        challenge.challenge_turn_buttons(table, storm) if is_challenge else challenge.turn_buttons(table)
    )
    assert {button.verb for button in buttons} == {"next", "another"}
    came = {order.turn for order in named(table, buttons) if order}
    assert came >= {f"player {n}" for n in CROWD}
