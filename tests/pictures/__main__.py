"""Make the pictures of the README anew, and those of cards for looking at."""

import asyncio
import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser

from tests.browser.house import CHROMIUM, chromium
from tests.pictures.cards import FOLDER as CARDS_FOLDER
from tests.pictures.cards import cards, name_of
from tests.pictures.film import NAME, frames
from tests.pictures.scene import FOLDER, shots

COLOURS = 128
CARD_COLOURS = 64
QUALITY = 60


async def make() -> None:
    """Take every picture, and keep the words in it beside it."""
    async with chromium() as browser:
        with tempfile.TemporaryDirectory() as folder:
            async for shot in shots(browser, Path(folder)):
                image = Image.open(io.BytesIO(shot.image)).convert("RGB").quantize(COLOURS)
                image.save(FOLDER / f"{shot.name}.png", optimize=True)
                (FOLDER / f"{shot.name}.txt").write_text(f"{shot.words}\n", encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            await take_cards(browser, Path(folder))
        with tempfile.TemporaryDirectory() as folder:
            await film(browser, Path(folder))


async def take_cards(browser: Browser, folder: Path) -> None:
    """Take the cards in light and dark, and print how many lines of a phone each takes."""
    CARDS_FOLDER.mkdir(exist_ok=True)
    async for seen in cards(browser, folder):
        await seen.message.evaluate("one => one.scrollIntoView({ block: 'end' })")
        await seen.message.page.evaluate("Promise.all([...document.images].map(one => one.decode()))")
        image = Image.open(io.BytesIO(await seen.message.screenshot())).convert("RGB").quantize(CARD_COLOURS)
        image.save(CARDS_FOLDER / name_of(seen.card, seen.scheme), optimize=True)
        print(f"{seen.card.name:8} {seen.scheme:5} {seen.lines:2} lines of at most {seen.card.most}")


async def film(browser: Browser, folder: Path) -> None:
    """Take the moving picture."""
    images, stays = [], []
    async for frame in frames(browser, folder):
        if isinstance(frame, str):
            (FOLDER / f"{NAME}.txt").write_text(f"{frame}\n", encoding="utf-8")
        else:
            images.append(Image.open(io.BytesIO(frame.image)).convert("RGB"))
            stays.append(frame.stays)
    first, *others = images
    first.save(
        FOLDER / f"{NAME}.webp",
        quality=QUALITY,
        method=6,
        minimize_size=True,
        save_all=True,
        append_images=others,
        duration=stays,
        loop=0,
    )


if __name__ == "__main__":
    if CHROMIUM is None:
        sys.exit("There is no chromium here: apt install chromium")
    asyncio.run(make())
