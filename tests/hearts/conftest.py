"""Hearts is joined to the other games by one argument, and leaves them when its test is over."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.games import GAMES, play_games
from bot.loopback.driver import Loopback
from tests.clock import HeldClock
from tests.game import Game
from tests.hearts.rooms import ROOMS


@pytest.fixture(autouse=True, scope="module")
def joined() -> Iterator[None]:
    """Only the games of the bot are played in other tests."""
    play_games((*GAMES, ROOMS))
    yield
    play_games()


@pytest.fixture
async def hearts(tmp_path: Path) -> AsyncIterator[Game]:
    """The bot with one game more, and a table at which Alice and Bob play."""
    async with Loopback("", clock=HeldClock()) as discord_:
        game = Game(discord_, tmp_path / "game.db")
        game.games = (*GAMES, ROOMS)
        await game.start()
        try:
            await game.play(
                "gm: /campaign new name:Skyfall",
                "alice: /character new name:Alice",
                "bob: /character new name:Bob",
            )
            yield game
        finally:
            await game.stop()
        assert discord_.violations == []
