"""What is asked about a roll is asked while it is open."""

import pytest

from bot.views.card import Form
from bot.views.cortex.roll_changes import about
from bot.views.question import Pressed
from rules.errors import Unknown
from tests.bot.views.asking import ALICE, begun, newest, rolled


def test_of_a_roll_that_is_closed_nothing_is_asked() -> None:
    ask = about(lambda table, actor, roll: Form(roll.who, ()))
    table = rolled(begun(), "2d6", 3, 4)
    number = newest(table).number
    assert ask(table, ALICE, Pressed("keep", 1, number, "")).title == "Alice"
    with pytest.raises(Unknown, match="That roll is closed"):
        ask(begun(), ALICE, Pressed("keep", 1, number, ""))
