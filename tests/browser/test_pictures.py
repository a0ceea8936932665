"""The README's pictures show what the program shows."""

from pathlib import Path

from playwright.async_api import Browser

from tests.pictures.scene import FOLDER, shots

README = FOLDER.parents[1] / "README.md"


async def test_the_pictures_of_the_readme_still_fit(browser: Browser, tmp_path: Path) -> None:
    async for shot in shots(browser, tmp_path):
        kept = (FOLDER / f"{shot.name}.txt").read_text(encoding="utf-8")
        assert kept == f"{shot.words}\n", "Make the pictures anew: python -m tests.pictures"
        assert f"tests/pictures/{shot.name}.png" in README.read_text(encoding="utf-8")
