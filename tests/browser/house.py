"""A game with its page open, and a Chromium for whoever comes."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, async_playwright, expect

from bot.__main__ import _at_hand
from bot.clock import SYSTEM
from bot.loopback.web.access import Key, SeatHints, SeatPlace
from bot.loopback.web.server import opened
from tests.browser.people import Seated, sit
from tests.game import Game, playing
from tests.needs import found
from tests.patience import PATIENCE

expect.set_options(timeout=1000 * PATIENCE)

CHROMIUM = found("chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """The browser of this machine."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        await browser.close()


@dataclass
class House:
    """A game, the address of its page, and the browser."""

    game: Game
    address: str
    browser: Browser
    leaves: AsyncExitStack

    async def sits(self, name: str, *, width: int = 1200, scheme: str = "light", scale: float = 1) -> Seated:
        """Somebody comes in with a browser of their own, and sits down."""
        seated = await self.comes(width=width, scheme=scheme, scale=scale)
        await sit(seated.page, name)
        return seated

    async def comes(self, *, width: int = 1200, scheme: str = "light", scale: float = 1) -> Seated:
        """Somebody comes in and has no seat yet."""
        context = await self.browser.new_context(
            viewport={"width": width, "height": 844},
            device_scale_factor=scale,
            color_scheme=scheme,  # type: ignore[arg-type]
            has_touch=width < 500,
            locale="en-GB",
            timezone_id="Europe/Berlin",
        )
        context.set_default_timeout(1000 * PATIENCE)
        self.leaves.push_async_callback(context.close)
        page = await context.new_page()
        seated = Seated(page)
        page.on("pageerror", lambda error: seated.wrong.append(str(error)))
        page.on("console", lambda said: seated.wrong.append(said.text) if said.type == "error" else None)
        await page.goto(self.address)
        return seated


@asynccontextmanager
async def housed(folder: Path, browser: Browser) -> AsyncIterator[House]:
    """A game that begins, and its page."""

    async def knows(asker: SeatPlace) -> SeatHints:
        return await _at_hand(game.ledger, asker)

    async with (
        playing(folder, clock=SYSTEM) as game,
        opened(game.discord, Key(b"k" * 32), out=lambda line: None, knows=knows) as address,
        AsyncExitStack() as leaves,
    ):
        yield House(game, address, browser, leaves)
