"""Cards as a phone shows them, light and dark: what they are, how many lines they take, how they look."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.async_api import Browser, Locator, expect

from bot.language.printers import phone_lines
from bot.loopback.reply import plain_text
from bot.loopback.table import LocalTable
from tests.browser.house import House, housed
from tests.pictures.scene import NOVA, ROOK, with_faces

FOLDER = Path(__file__).parent / "cards"
WIDTH = 390
DIE = re.compile(r":d[0-9]+_[0-9]+:")
"""The picture of a die, which is as wide as two letters."""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@dataclass(frozen=True, slots=True)
class CardShot:
    """A card: its name, who sees it, the words it is found by, and how many lines of a phone it may take."""

    name: str
    seat: str
    words: str
    most: int


LINES = (
    "gm: /campaign new name:Skyfall ruleset:adept",
    "alice: press Join in 1",
    f"alice: send Name: Nova; Sheet: {NOVA}",
    "bob: press Join in 1",
    f"bob: send Name: Rook; Sheet: {ROOK}",
    "gm: /campaign set setting:reroll for 1 PP value:on",
    "gm: /campaign set setting:dice value:pictures",
    "gm: press Settings in 1",
    "gm: /session start",
    "gm: /scene start name:The quay distinctions:Fog",
    "gm: /scene end",
    "gm: /scene start name:The burning hangar distinctions:Thick smoke",
    "gm: /doom add dice:d10",
    "gm: /crisis new name:Fire dice:d4 d6",
    "gm: /comp add who:Rook what:Burned die:d10",
    "alice: /asset add what:Crowbar",
    "alice: /roll dice:2d6 d8",
    "alice: /roll dice:Body, Climb, Crowbar, d4 vs:doom note:Force the door",
    "bob: /roll dice:Mind, Quick, d6 vs:11 note:Leap clear",
    "alice: /roll dice:Body, Climb, d6 vs:Fire note:Beat the flames",
    "alice: /odds dice:Body, Climb, d6 vs:11",
    "alice: /character show",
    "alice: /help topic:hitches",
    "alice: /table show",
)
ROLLED = ([2, 5, 4], [10, 3, 1, 4], [4, 6, 3], [2, 3, 1], [9, 8, 5], [2, 3])
CARDS = (
    CardShot("roll", "alice", "Force the door", 8),
    CardShot("failure", "alice", "Leap clear", 8),
    CardShot("heroic", "alice", "Beat the flames", 8),
    CardShot("plain", "alice", "Nova: Total", 3),
    CardShot("session", "alice", "Session 1 begins", 16),
    CardShot("scene", "alice", "The quay ends", 16),
    CardShot("table", "alice", "Waiting: GM", 16),
    CardShot("sheet", "alice", "Distinctions Old Sailor", 16),
    CardShot("odds", "alice", "Odds of", 16),
    CardShot("help", "alice", "If every die shows a 1", 12),
    CardShot("settings", "gm", "Different from the ruleset", 16),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """A card on a page: its message there, its theme, and how many lines of a phone its text takes."""

    card: CardShot
    scheme: str
    message: Locator
    lines: int


async def cards(browser: Browser, folder: Path) -> AsyncIterator[Seen]:
    """Play what leads to every card, and show each in both themes."""
    async with housed(folder, browser) as house:
        house.game.discord.world.bot.display = "Doomkeeper"
        await with_faces(house.game)
        house.game.dice.show(*ROLLED)
        table = LocalTable(house.game.discord)
        for line in LINES:
            await table.do(line)
        for seat in ("alice", "gm"):
            seated = await house.sits(seat, width=WIDTH, scale=2)
            for scheme in SCHEMES:
                await seated.page.emulate_media(color_scheme=scheme)
                for card in (each for each in CARDS if each.seat == seat):
                    message = seated.message(card.words)
                    await expect(message).to_be_visible()
                    yield Seen(card, scheme, message, _lines(house, card))


def _lines(house: House, card: CardShot) -> int:
    """The lines of 40 characters that a card's words take."""
    world = house.game.discord.world
    texts = [plain_text(message.text, world) for message in house.game.discord.table.messages.values()]
    (text,) = [text for text in texts if card.words in text][-1:]
    return sum(phone_lines(DIE.sub("##", line)) for line in text.splitlines())


def name_of(card: CardShot, scheme: str) -> str:
    """What the picture of a card is called."""
    return f"{card.name}-{scheme}.png"
