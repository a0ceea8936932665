"""Every generated law holds where one more game is played: these are the laws themselves, run again."""

import pytest

from rules.game import played
from tests.bot.test_every_fact import (
    test_every_fact_has_a_place_in_story_chronicle_charts_and_files as told_everywhere,
)
from tests.drawn import DRAWN
from tests.hearts import draws
from tests.hearts.state import HEARTS, HEARTS_FACTS

__all__ = [
    *("test_character", "test_check", "test_codec", "test_editor", "test_forget", "test_history"),
    *("test_one_step", "test_people", "test_table"),
]


@pytest.fixture(autouse=True, scope="module")
def drawn() -> None:
    """What the laws draw of Hearts."""
    DRAWN[HEARTS.name] = draws.DRAWN


def test_the_laws_draw_every_game_that_can_be_played() -> None:
    assert {game.part.name for game in played()} == {"cortex", "ore", "hearts"}
    assert {game.part.name for game in played()} <= DRAWN.keys()


@pytest.mark.parametrize("kind", [*HEARTS_FACTS.tags], ids=lambda kind: kind.__name__)
def test_every_fact_of_it_has_its_place(kind: type) -> None:
    told_everywhere(kind)
