"""A whole evening in another language: everything that the bot sends is in it, but what people typed.

The language is English in capitals, so that the lines of the evening, whose labels are found in capitals too,
need no other words. Names of settings, and what rolls call each other, are data and stay as they are.
"""

import asyncio
import random
import re
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.doomkeeper import Doomkeeper, point_at
from bot.language import speaking
from bot.loopback import server
from bot.loopback.play import run
from bot.services.play import Play
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from rules.campaign.lifecycle import settings
from rules.cortex.pool_words import DIFFICULTIES
from rules.cortex.ruleset import PROFILES
from tests import catalog
from tests.bot.test_every_command import CASES, ZOE, prepare
from tests.game import playing
from tests.patience import patient

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
SHOWN = ("content", "label", "placeholder", "title", "description")
"""Where a message or a form holds what people read."""


_NAMES = "|".join(["ruleset", *map(re.escape, settings()), "KEPT", "RULESET"])
SETTING = re.compile(rf"(?:-# )?(?:\*\*)?(?:{_NAMES})")
"""What a line with a setting begins with: settings are shown as they are typed."""
TRACKS = {"Mental", "Emotional", "Attributes"}
"""Of the settings `stress tracks` and `trait sets`."""
CALLED = {"Trouble"}
"""What a complication is called that nobody named."""
SHOWN_AS_TYPED = {
    *(word for name in (*PROFILES, *DIFFICULTIES) for word in name.split()),
    *("Scene", "Scale", "vs", "WebP", "hitch", "hitches", "switch", "boxes"),
    *("Alice", "Bob", "Skyfall", "Crate", "Rain", "Fog", "docks"),
}
"""What else is typed as it is shown: rulesets, difficulties, `Scene · Fog`, topics, options, and names."""


EXAMPLE = re.compile(r"EXAMPLES?: [^.(]*|(?<=: )/[a-z]+ [^.(]*")
"""What is typed as it is told to be."""
COMMAND = r"</[^>]*>|`[^`]*`|\*\*[a-z_]+\*\*:"
"""Commands and options by their names."""


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


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Everything that Discord is sent to be read, commands apart."""
    found: list[str] = []
    read = server.read

    async def noting(request: Any) -> tuple[Any, Any]:
        body, uploads = await read(request)
        if not request.path.endswith("/commands"):
            found.extend(texts(body))
        return body, uploads

    monkeypatch.setattr(server, "read", noting)
    return found


async def test_no_english_is_left_in_an_evening(tmp_path: Path, sent: list[str]) -> None:
    played = (HERE / "evening.lines").read_text(encoding="utf-8").splitlines()
    chance = random.Random(20)
    language = catalog.Capitals()

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
        with speaking(language):
            bot = Doomkeeper(Play(ledger, throw), ledger, pause=0.0)
            running = asyncio.create_task(bot.start(discord_.token))
        await discord_.ready()
        await run(discord_, lines=lines(), out=lambda _: None)
        await bot.drain()
        await running
        await ledger.close()
    assert len(sent) > 300
    known = typed(played) | TRACKS | CALLED
    known |= {word.lower() for word in known} | {word.capitalize() for word in known}  # as in a sentence
    assert {word: text for text in sent for word in left(text) if word not in known} == {}
    assert language.asked - catalog.texts().keys() == set()


async def test_no_english_is_left_in_what_commands_say_and_refuse(tmp_path: Path, sent: list[str]) -> None:
    """Who may not use each command, what is no input for it, and what it does, one after the other."""
    language = catalog.Capitals()
    cases = sorted(CASES.items(), key=lambda case: case[0].startswith(LAST))
    lines = [line for _, case in cases for line in (*case.before, case.refused, case.bad, case.says)]
    played = [line for line in lines if ": /" in line]
    with speaking(language):
        async with playing(tmp_path) as game:
            await game.table()
            await prepare(game)
            for line in (*played, *HELP):
                await game.says(line)
    known = typed(played) | TRACKS | CALLED | SHOWN_AS_TYPED | set(words(ZOE.read_text(encoding="utf-8")))
    known |= {word.lower() for word in known} | {word.capitalize() for word in known}
    assert {word: text for text in sent for word in left(text) if word not in known} == {}
    assert language.asked - catalog.texts().keys() == set()
    met, refused = language.asked & catalog.texts().keys(), language.asked & catalog.refusals().keys()
    sys.stdout.write(f"{len(met)} of {len(catalog.texts())} texts, {len(refused)} of them refusals\n")  # -rP
    # Neither may go down unseen: what is met here is known to be in another language whole.
    assert (len(met) > 570, len(refused) > 65) == (True, True)


HELP = ("bob: /help", *(f"bob: /help topic:{word}" for word in ("hitch", "doom add", "pool", "gm")))
"""What is told of the game and its commands."""
LAST = ("campaign", "privacy", "scene end", "session", "undo", "redo")
"""Commands after which there is less to refuse."""


def typed(lines: Sequence[str]) -> set[str]:
    """The words of what people typed into options and forms, and their names."""
    values = re.findall(r"[\w ]+:(.*?)(?=[;\n]| \w+:|$)", "\n".join(lines))
    return {word for value in values for word in words(value)} | {"gm", "alice", "bob"}


def left(text: str) -> set[str]:
    """The words in a text that are not in capitals, but for settings, links, times, commits and dice."""
    lines = " ".join(line for line in text.splitlines() if not SETTING.match(line))
    text = re.sub(r"https?://\S+|<t:\d+:f>|\b[0-9a-f]{12}\b", " ", lines)
    said = re.sub(rf"\b\d*d\d+\b|{COMMAND}|{EXAMPLE.pattern}", " ", text)
    return {word for word in words(said) if word != word.upper()}


def words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{2,}", text)
