"""A whole evening in another language: everything that the bot sends is in it, but what people typed.

The language is English in capitals, so that the lines of the evening, whose labels are found in capitals too,
need no other words. Names of settings, and what rolls call each other, are data and stay as they are.
"""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest

from bot.client.bot import Doomkeeper, point_at
from bot.language import speaking
from bot.local import server
from bot.local.play import run
from bot.play import Play
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from rules.campaign import settings
from tests.patience import patient

HERE = Path(__file__).parent
SHOWN = ("content", "label", "placeholder", "title", "description")
"""Where a message or a form holds what people read."""


_NAMES = "|".join(["ruleset", *map(re.escape, settings()), "KEPT", "RULESET"])
SETTING = re.compile(rf"(?:-# )?(?:\*\*)?(?:{_NAMES})")
"""What a line with a setting begins with: settings are shown as they are typed."""
TRACKS = {"Mental", "Emotional", "Attributes"}
"""Of the settings `stress tracks` and `trait sets`."""
CALLED = {"Doom", "pool", "doom", "and"}
"""How rolls call who rolled them and what they are against: `Doom pool`, `Fear d8 and doom`."""


class Capitals(NullTranslations):
    """English in capitals; the places of values stay as they are."""

    def gettext(self, message: str) -> str:
        parts = re.split(r"(\{[^}]*\})", message)
        return "".join(part if part.startswith("{") else part.upper() for part in parts)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def texts(body: Any) -> Iterator[str]:
    """Everything in a body that people read."""
    if isinstance(body, list):
        for each in body:
            yield from texts(each)
    if isinstance(body, dict):
        for name, value in body.items():
            if name in SHOWN and isinstance(value, str):
                yield value
            else:
                yield from texts(value)


async def test_no_english_is_left_in_an_evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = (HERE / "evening.lines").read_text(encoding="utf-8").splitlines()
    sent: list[str] = []
    read = server.read

    async def noting(request: Any) -> tuple[Any, Any]:
        body, uploads = await read(request)
        if not request.path.endswith("/commands"):
            sent.extend(texts(body))
        return body, uploads

    monkeypatch.setattr(server, "read", noting)
    chance = random.Random(20)

    def throw(sizes: Sequence[int]) -> list[int]:
        return [chance.randint(1, size) for size in sizes]

    async def lines() -> AsyncIterator[str]:
        for line in played:
            yield line

    url = f"sqlite+aiosqlite:///{tmp_path / 'evening.db'}"
    await migrate(url)
    async with patient() as discord_:
        ledger = await Ledger.open(url)
        point_at(discord_.api_url, discord_.gateway_url)
        with speaking(Capitals()):
            bot = Doomkeeper(Play(ledger, throw), ledger, pause=0.0)
            running = asyncio.create_task(bot.start(discord_.token))
        await discord_.ready()
        await run(discord_, lines=lines(), out=lambda _: None)
        await bot.drain()
        await running
        await ledger.close()
    assert len(sent) > 300
    known = typed(played) | TRACKS | CALLED
    assert {word: text for text in sent for word in left(text) if word not in known} == {}


def typed(lines: Sequence[str]) -> set[str]:
    """The words of what people typed into options and forms, and their names."""
    values = re.findall(r"[\w ]+:(.*?)(?=[;\n]| \w+:|$)", "\n".join(lines))
    return {word for value in values for word in words(value)} | {"gm", "alice", "bob"}


def left(text: str) -> set[str]:
    """The words in a text that are not in capitals, but for settings, links, times and dice."""
    lines = " ".join(line for line in text.splitlines() if not SETTING.match(line))
    said = re.sub(r"https?://\S+|<t:\d+:f>|\b\d*d\d+\b", " ", lines)
    return {word for word in words(said) if word != word.upper()}


def words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{2,}", text)
