"""The faces of dice: drawn by the script, kept as files, told apart by form."""

from io import BytesIO

import pytest
from PIL import Image, ImageChops

from bot.pictures.faces import FACES, FOLDER, SIDE, drawn, name, picture

DARK, LIGHT = (49, 51, 56), (255, 255, 255)
"""Discord's grounds."""
SMALL = 22
"""Pixels of an emoji in a line of text."""


def image(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGBA")


def on(ground: tuple[int, int, int], data: bytes) -> Image.Image:
    """A face as Discord shows it in a line, in shades of grey."""
    shown = Image.new("RGBA", (SIDE, SIDE), (*ground, 255))
    shown.alpha_composite(image(data))
    return shown.resize((SMALL, SMALL), Image.Resampling.LANCZOS).convert("L")


@pytest.mark.parametrize(("size", "face"), FACES)
def test_a_face_is_kept_as_the_script_draws_it(size: int, face: int) -> None:
    """After a change: `python -m bot.pictures.faces`."""
    assert not ImageChops.difference(image(picture(size, face)), image(drawn(size, face))).getbbox()


def test_every_face_of_every_size_is_there_and_nothing_else() -> None:
    assert len(FACES) == 40
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(name(*each) for each in FACES)


@pytest.mark.parametrize(("size", "face"), FACES)
def test_a_face_is_a_small_square(size: int, face: int) -> None:
    assert len(picture(size, face)) < 5 * 1024
    assert image(picture(size, face)).size == (128, 128)


@pytest.mark.parametrize("ground", [DARK, LIGHT])
def test_faces_differ_in_a_line_of_text_without_colour(ground: tuple[int, int, int]) -> None:
    shown = [on(ground, picture(*each)) for each in FACES]
    for number, one in enumerate(shown):
        for other in shown[:number]:
            differences = ImageChops.difference(one, other).tobytes()
            assert sum(each > 64 for each in differences) >= 8


@pytest.mark.parametrize("ground", [DARK, LIGHT])
@pytest.mark.parametrize("size", [4, 6, 8, 10, 12])
def test_H1_a_hitch_has_another_outline(size: int, ground: tuple[int, int, int]) -> None:
    one, two = (image(picture(size, face)).getchannel("A") for face in (1, 2))
    missing = ImageChops.subtract(two, one).tobytes()
    assert sum(each > 128 for each in missing) > SIDE * SIDE / 100
    low, high = on(ground, picture(size, 1)).getextrema()
    assert isinstance(low, int | float)
    assert isinstance(high, int | float)
    assert high - low > 100
