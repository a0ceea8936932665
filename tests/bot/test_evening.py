"""An evening of play from the first command to the last, as a transcript that is kept.

`evening.lines` is what people type, `texts/evening.txt` what they see. After a change of wording,
`DOOMKEEPER_WRITE=1 uv run pytest tests/bot/test_evening.py` writes it anew: read the difference.
"""

import asyncio
import os
import random
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from bot.doomkeeper import Doomkeeper, point_at
from bot.loopback.play import run
from bot.services.play import Play
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from tests.patience import PATIENCE, patient
from tests.texts import is_kept

HERE = Path(__file__).parent


async def lines() -> AsyncIterator[str]:
    for line in (HERE / "evening.lines").read_text(encoding="utf-8").splitlines():
        yield line


async def test_an_evening_of_play_reads_as_it_did(tmp_path: Path) -> None:
    chance = random.Random(20)

    def throw(sizes: Sequence[int]) -> list[int]:
        return [chance.randint(1, size) for size in sizes]

    url = f"sqlite+aiosqlite:///{tmp_path / 'evening.db'}"
    await migrate(url)
    seen: list[str] = []
    async with patient() as discord_:
        ledger = await Ledger.open(url)
        point_at(discord_.api_url, discord_.gateway_url)
        bot = Doomkeeper(Play(ledger, throw), ledger, pause=0.0)
        bot.running.late = PATIENCE  # an answer that comes later would read differently
        running = asyncio.create_task(bot.start(discord_.token))
        await discord_.ready()
        code = await run(discord_, lines=lines(), out=seen.append)
        await bot.drain()
        await running
        await ledger.close()
        assert discord_.violations == []
    is_kept(HERE / "texts" / "evening.txt", "\n".join(seen), os.environ)
    assert code == 0
