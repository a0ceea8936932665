"""Hearts in the terminal, and in another language."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

from bot.games import GAMES
from bot.language import speaking
from bot.loopback.play import run
from tests.catalog import Capitals
from tests.game import Game
from tests.hearts.rooms import ROOMS
from tests.patience import patient

LINES = (
    "@gm /campaign new name:Skyfall",
    "@alice /character new name:Alice",
    "@alice /hearts roll dice:3",
    "@gm /hearts clock name:Storm",
    "@gm /hearts stress by:2 who:Alice",
    "@alice /hearts bond to:Alice",
    "@alice /hearts show",
    "@alice /hearts roll dice:99",
    "@alice /table show",
)


async def _lines() -> AsyncIterator[str]:
    for line in LINES:
        yield line


async def _shown(folder: Path, *, in_capitals: bool) -> str:
    """What the terminal shows of these lines."""
    seen: list[str] = []
    async with patient() as discord_:
        game = Game(discord_, folder / "game.db")
        game.games = (*GAMES, ROOMS)
        game.dice.show([5, 2, 3])
        if in_capitals:
            with speaking(Capitals()):
                await game.start()
        else:
            await game.start()
        try:
            await run(discord_, lines=_lines(), out=seen.append)
        finally:
            await game.stop()
    return "\n".join(seen)


async def test_the_terminal_shows_it(tmp_path: Path) -> None:
    shown = await _shown(tmp_path, in_capitals=False)
    for line in ("Alice: 5, the highest of 5, 2 and 3", "[1] Push", "Storm: 1 of 6", "Stress 2"):
        assert line in shown
    assert "A pool has 1 to 10 dice." in shown


async def test_it_is_said_in_another_language_whole(tmp_path: Path) -> None:
    shown = await _shown(tmp_path, in_capitals=True)
    assert "Alice: 5, THE HIGHEST OF 5, 2 AND 3" in shown
    assert "Storm: 1 OF 6" in shown
    assert "Alice: STRESS 0 TO 2" in shown
    assert "A POOL HAS 1 TO 10 DICE." in shown
    assert not re.search("highest|stress|push|dice\\.", shown.replace("/hearts stress", ""))
