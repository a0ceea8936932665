"""Rolling for the effect: what the button does, and that it does it once."""

from functools import partial

import pytest

from bot.views.cortex import roll_changes
from rules.campaign import lifecycle
from rules.cortex.actions import read_roll
from rules.cortex.roll_status import resolve
from rules.errors import TooLate
from tests.bot.views.asking import ALICE, GM, after, answers, begun, newest, rolled


def test_the_button_rolls_the_dice_again_once() -> None:
    change = partial(lifecycle.change, setting="effect", value="rolled again")
    table = rolled(after(begun(), (GM, change)), "2d8 d10", 8, 6, 5, vs="5")
    assert read_roll(table, newest(table)).actions.can_roll_effect
    button = roll_changes.effect_roll_button(read_roll(table, newest(table)))
    (step,) = answers(table, ALICE, button)
    made = newest(step.table)
    assert len(made.hand.again) == 3
    assert len(resolve(step.table, made).counted) == 1
    assert not read_roll(step.table, made).actions.can_roll_effect
    with pytest.raises(TooLate, match="already"):
        list(answers(step.table, ALICE, button))
