"""What charts are drawn on."""

from io import BytesIO

import pytest
from PIL import Image

from bot.pictures.canvas import BLUE, GREEN, GROUND, SALMON, Canvas


def looked_at(canvas: Canvas) -> Image.Image:
    return Image.open(BytesIO(canvas.png())).convert("RGB")


def test_nothing_of_no_size_is_drawn() -> None:
    canvas = Canvas()
    canvas.box((10, 10, 10, 50), BLUE)
    canvas.hatched((10, 50, 40, 50), SALMON)
    assert looked_at(canvas).getcolors() == [(800 * 450, GROUND)]


def test_what_is_full_and_what_is_hatched_differ_without_colour() -> None:
    canvas = Canvas()
    canvas.box((0, 0, 100, 100), GREEN)
    canvas.hatched((200, 0, 300, 100), GREEN)
    image = looked_at(canvas).convert("L")
    full, hatched = (image.crop((left + 10, 10, left + 90, 90)) for left in (0, 200))
    assert len(full.getcolors() or ()) == 1
    assert len(hatched.getcolors() or ()) > 2


@pytest.mark.parametrize(
    ("words", "has"),
    [("The docks", True), ("Доки", True), ("Λιμάνι", True), ("Café №2", True), ("港", False)],
)
def test_a_letter_that_the_font_lacks_is_known(words: str, has: bool) -> None:
    assert Canvas().can_write(words) == has


def test_words_are_shortened_to_the_room_there_is() -> None:
    canvas = Canvas()
    assert canvas.fitted("Roof", 26, 200) == "Roof"
    shorter = canvas.fitted("The burning hangar", 26, 120)
    assert shorter.endswith("…")
    assert canvas.width(shorter, 26) <= 120
    assert canvas.fitted("The burning hangar", 26, 20) == ""
