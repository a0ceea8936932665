"""A game for each test that asks for one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.game import Game, playing


@pytest.fixture
async def game(tmp_path: Path) -> AsyncIterator[Game]:
    """The bot on a loopback Discord, and nobody has played yet."""
    async with playing(tmp_path) as game:
        yield game


@pytest.fixture
async def table(game: Game) -> Game:
    """A campaign by the ruleset `adept` with a GM, Alice and Bob, in a scene."""
    await game.table()
    return game
