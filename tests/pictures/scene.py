"""What the pictures show: a roll on a phone, and the pinned table."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, Locator, expect

from bot.loopback.table import LocalTable
from bot.pictures.faces import FACES
from tests.browser.house import House, housed
from tests.game import Game
from tests.patience import until

FOLDER = Path(__file__).parent
NOVA = r"Distinctions: Old Sailor d8\nAttributes: Mind d8, Body d10\nSkills: Climb d8, Sharp d6"
ROOK = r"Distinctions: Reckless d8\nAttributes: Mind d10, Body d6\nSkills: Quick d8"
LINES = (
    "gm: /campaign new name:Skyfall ruleset:adept",
    "alice: press Join in 1",
    f"alice: send Name: Nova; Sheet: {NOVA}",
    "bob: press Join in 1",
    f"bob: send Name: Rook; Sheet: {ROOK}",
    "gm: /session start",
    "gm: /scene start name:The burning hangar distinctions:Thick smoke",
    "gm: press Pin in 1",
    "gm: /doom add dice:d10",
    "gm: /crisis new name:Fire dice:d4 d6",
    "gm: /comp add who:Rook what:Burned die:d10",
    "alice: /asset add what:Crowbar",
    "gm: /pp give who:Nova number:2",
    "alice: /roll dice:Body, Climb, Crowbar, d4 vs:doom note:Force the door",
)
ROLLED = ([10, 3, 1, 4], [4, 6, 3])


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture: its name, the image, and what a screen reader finds in it."""

    name: str
    image: bytes
    words: str


async def shots(browser: Browser, folder: Path) -> AsyncIterator[Shot]:
    """Play the scene, and take each picture."""
    async with housed(folder, browser) as house:
        house.game.discord.world.bot.display = "Doomkeeper"
        await with_faces(house.game)
        house.game.dice.show(*ROLLED)
        table = LocalTable(house.game.discord)
        for line in LINES:
            await table.do(line)
        pinned = house.game.discord.pins()[0]
        await until(lambda: "Crowbar" in pinned.text)
        yield await taken(house, "roll", "alice", "light", "Force the door")
        yield await taken(house, "table", "bob", "dark", "The burning hangar: Thick smoke")


async def taken(house: House, name: str, seat: str, scheme: str, words: str) -> Shot:
    """A phone with the message that has these words."""
    seated = await house.sits(seat, width=390, scheme=scheme, scale=2)
    message: Locator = seated.message(words)
    await expect(message).to_be_visible()
    await seated.page.mouse.move(0, 0)
    await message.evaluate("one => one.scrollIntoView({ block: 'end' })")
    await seated.page.evaluate("Promise.all([...document.images].map(one => one.decode()))")
    return Shot(name, await seated.page.screenshot(), await message.locator(".parts").aria_snapshot())


async def with_faces(game: Game) -> None:
    """Dice are pictures, too."""
    game.bot.faces.pace = 0.0
    game.bot.faces.begin()
    await until(lambda: len(game.discord.world.emojis) == len(FACES))
