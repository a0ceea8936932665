"""The README's pictures show what the program shows."""

from pathlib import Path

from PIL import Image
from playwright.async_api import Browser

from tests.pictures.film import NAME, frames
from tests.pictures.scene import FOLDER, shots

MOST = 1_500_000
"""The moving picture has at most so many bytes."""
README = FOLDER.parents[1] / "README.md"


async def test_the_pictures_of_the_readme_still_fit(browser: Browser, tmp_path: Path) -> None:
    async for shot in shots(browser, tmp_path):
        kept = (FOLDER / f"{shot.name}.txt").read_text(encoding="utf-8")
        assert kept == f"{shot.words}\n", "Make the pictures anew: python -m tests.pictures"
        assert f"tests/pictures/{shot.name}.png" in README.read_text(encoding="utf-8")


async def test_the_moving_picture_still_fits(browser: Browser, tmp_path: Path) -> None:
    (words,) = [each async for each in frames(browser, tmp_path, takes=False)]
    kept = (FOLDER / f"{NAME}.txt").read_text(encoding="utf-8")
    assert kept == f"{words}\n", "Make the pictures anew: python -m tests.pictures"
    film = FOLDER / f"{NAME}.webp"
    assert film.stat().st_size < MOST
    assert f"tests/pictures/{NAME}.webp" in README.read_text(encoding="utf-8")
    with Image.open(film) as moving:
        assert getattr(moving, "n_frames", 1) > 10
