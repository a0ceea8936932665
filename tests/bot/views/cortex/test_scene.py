"""A split group joined again by its button, as long as its scene runs."""

from functools import partial

import pytest

from bot.views.cortex.scenes import join_button
from rules.campaign import scenes
from rules.cortex import scenes as cortex_scenes
from rules.cortex.model import CORTEX
from rules.errors import TooLate
from tests.bot.views.asking import GM, after, answers, begun


def test_the_button_joins_the_group_and_is_too_late_after_its_scene() -> None:
    table = after(begun(), (GM, partial(scenes.start_scene, name="Docks")))
    table = cortex_scenes.split(table, "Alice").table
    button = join_button(table)
    assert [CORTEX.of(step.table).split for step in answers(table, GM, button)] == [()]
    ended = after(table, (GM, scenes.end_scene))
    with pytest.raises(TooLate):
        list(answers(ended, GM, button))
