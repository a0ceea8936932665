"""Make the pictures of the README anew."""

import asyncio
import io
import sys
import tempfile
from pathlib import Path

from PIL import Image

from tests.browser.house import CHROMIUM, NO_CHROMIUM, chromium

from .scene import FOLDER, shots

COLOURS = 128


async def make() -> None:
    """Take every picture, and keep the words in it beside it."""
    async with chromium() as browser:
        with tempfile.TemporaryDirectory() as folder:
            async for shot in shots(browser, Path(folder)):
                image = Image.open(io.BytesIO(shot.image)).convert("RGB").quantize(COLOURS)
                image.save(FOLDER / f"{shot.name}.png", optimize=True)
                (FOLDER / f"{shot.name}.txt").write_text(f"{shot.words}\n", encoding="utf-8")


if __name__ == "__main__":
    if CHROMIUM is None:
        sys.exit(NO_CHROMIUM)
    asyncio.run(make())
