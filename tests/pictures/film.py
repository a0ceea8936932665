"""The moving picture: the first scene of the demo, as Alice sees it on a phone."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, expect

from bot.loopback.demo import FIRST, SCENES
from bot.loopback.orders import split_seat
from bot.loopback.table import LocalTable
from tests.browser.house import housed
from tests.pictures.scene import with_faces

NAME = "film"
TYPED, READ, A_LETTER = 900, 900, 12
"""Milliseconds for what is typed, for a message, and more for each of its letters."""
LONGEST = 4200
_EACH_TIME = re.compile(r"\b\d\d:\d\d\b|\bfiles/\S+")
"""What is another one each time: the clock, and where a picture is found."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture, and for how many milliseconds it stays."""

    image: bytes
    stays: int


async def frames(browser: Browser, folder: Path, *, takes: bool = True) -> AsyncIterator[Frame | str]:
    """Play the scene, and take a picture of each step if it `takes` any; at last come all its words."""
    scene = SCENES[FIRST]
    async with housed(folder, browser) as house:
        house.game.discord.world.bot.display = "Doomkeeper"
        await with_faces(house.game)
        house.game.dice.show(*scene.faces)
        table = LocalTable(house.game.discord)
        alice = await house.sits("alice", width=390, scheme="dark", scale=1.5)
        for line in scene.lines:
            if line.startswith("#"):
                continue
            who, typed = split_seat(line)
            if takes and who == "alice" and typed.startswith("/"):
                await alice.box.fill(typed)
                await alice.page.keyboard.press("Escape")
                yield Frame(await alice.page.screenshot(), TYPED + A_LETTER * len(typed))
                await alice.box.fill("")
            shown = [sight.message for sight in await table.do(line) if hasattr(sight, "message")]
            seen = [message for message in shown if message.viewer in (None, table.sit("alice").user)]
            if not seen:
                continue
            words = seen[-1].text.splitlines()[0].replace("*", "").replace("#", "").strip()
            await expect(alice.log).to_contain_text(words[:20])
            if takes:
                await alice.page.mouse.move(0, 0)
                await alice.log.evaluate("log => log.scrollTo(0, log.scrollHeight)")
                await alice.page.evaluate("Promise.all([...document.images].map(one => one.decode()))")
                stays = min(LONGEST, READ + A_LETTER * len(seen[-1].text))
                yield Frame(await alice.page.screenshot(), stays)
        yield _EACH_TIME.sub("…", await alice.log.aria_snapshot())
