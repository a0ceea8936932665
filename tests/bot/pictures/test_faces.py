"""The faces of dice: drawn by the script, kept as files, told apart by form."""

from collections import Counter
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from bot.client.layout import ACCENTS
from bot.language.line import DieForm
from bot.language.said import face_name
from bot.pictures.faces import FACES, FOLDER, FORMS, INK, SHAPES, SIDE, drawn, picture
from rules.dice import ALL_SIZES, SIZES
from tests.contrast import contrast, luminance

DARK, LIGHT = (57, 58, 65), (255, 255, 255)
"""Discord's grounds: a card's in the dark, and white."""
GROUNDS = ("#FFFFFF", "#323339", "#1A1A1E", "#070709", "#393A41")
"""All of them, that of dark cards last."""
ACCENTED = sorted({f"#{accent:06X}" for accent in ACCENTS.values() if accent is not None})
FILLS = {size: shape.fill for size, shape in SHAPES.items()}
SMALL = 22
"""Pixels of an emoji in a line of text."""


def image(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGBA")


def on(ground: tuple[int, int, int], data: bytes) -> Image.Image:
    """A face as Discord shows it in a line, in shades of grey."""
    shown = Image.new("RGBA", (SIDE, SIDE), (*ground, 255))
    shown.alpha_composite(image(data))
    return shown.resize((SMALL, SMALL), Image.Resampling.LANCZOS).convert("L")


@pytest.mark.slow
def test_each_face_is_kept_as_the_script_draws_it() -> None:
    """After a change: `python -m bot.pictures.faces`."""
    differing = [
        each for each in FACES if ImageChops.difference(image(picture(each)), image(drawn(each))).getbbox()
    ]
    assert differing == []


def test_every_face_of_every_size_is_there_and_nothing_else() -> None:
    assert sorted({size_of(each) for each in FACES}) == sorted(SHAPES) == list(ALL_SIZES)
    assert len(FACES) == 95 + len(SHAPES) + 1 + 10 + 10
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(FACES)


def test_faces_of_the_usual_sizes_come_first() -> None:
    """They are brought to Discord in this order."""
    assert {size_of(each) for each in FACES[: sum(SIZES) + len(SIZES)]} == {*SIZES}


def test_each_face_is_a_small_square() -> None:
    assert [each for each in FACES if len(picture(each)) >= 5 * 1024] == []
    assert {image(picture(each)).size for each in FACES} == {(128, 128)}


@pytest.mark.parametrize("colour", [*FILLS.values(), *ACCENTED])
def test_a_fill_and_a_tone_stand_out_on_every_ground_of_discords(colour: str) -> None:
    assert 0.23 <= luminance(colour) <= 0.30
    assert min(contrast(colour, ground) for ground in GROUNDS) >= 3


@pytest.mark.parametrize("fill", FILLS.values())
def test_a_number_can_be_read_on_its_fill(fill: str) -> None:
    assert contrast(INK, fill) >= 4.5


def test_each_face_has_no_colours_but_its_fill_and_its_number() -> None:
    assert [each for each in FACES if "_" in each and not has_two_colours(each)] == []


def test_a_die_that_nobody_has_rolled_is_hollow_and_shows_its_size() -> None:
    for size in SHAPES:
        hollow, solid = (image(picture(face_name(size, face))).getchannel("A") for face in (0, 2))
        assert 0.2 < mass(hollow) / mass(solid) < 0.7
        assert mass(ImageChops.subtract(hollow, solid)) == 0


def mass(opacity: Image.Image) -> int:
    return sum(each > 128 for each in opacity.tobytes())


def size_of(name: str) -> int:
    return int(name[1:].partition("_")[0])


def has_two_colours(name: str) -> bool:
    full: Counter[str] = Counter()
    for count, (*colour, opacity) in image(picture(name)).getcolors(SIDE * SIDE):  # type: ignore[misc, union-attr]
        if opacity > 250:
            full["#" + "".join(f"{part:02X}" for part in colour)] += count
    near = [colour for colour, _ in full.most_common(2)]
    of_fill, of_ink = (
        min(contrast(colour, known) for colour in near) for known in (FILLS[size_of(name)], INK)
    )
    return of_fill < 1.05 and of_ink < 1.05


def test_sizes_are_told_apart_by_their_outlines_alone() -> None:
    """In a line of text, whatever the number: an eighth of what two shapes cover is of one of them alone."""
    names = [face_name(size, 2) for size in FILLS] + [
        face_name(10, 2, form) for form in FORMS if form is not DieForm.THROWN
    ]
    outlines = [image(picture(each)).getchannel("A").resize((SMALL, SMALL)) for each in names]
    for number, one in enumerate(outlines):
        for other in outlines[:number]:
            apart = sum(ImageChops.difference(one, other).tobytes())
            assert apart > sum(ImageChops.lighter(one, other).tobytes()) / 8


@pytest.mark.parametrize("ground", [DARK, LIGHT])
def test_faces_differ_in_a_line_of_text_without_colour(ground: tuple[int, int, int]) -> None:
    shown = [on(ground, picture(each)) for each in FACES]
    for number, one in enumerate(shown):
        for other in shown[:number]:
            differences = ImageChops.difference(one, other).histogram()
            assert sum(differences[65:]) >= 8


@pytest.mark.parametrize("ground", [DARK, LIGHT])
@pytest.mark.parametrize("size", SHAPES)
def test_H1_a_hitch_has_another_outline(size: int, ground: tuple[int, int, int]) -> None:
    one, two = (image(picture(face_name(size, face))).getchannel("A") for face in (1, 2))
    missing = ImageChops.subtract(two, one).tobytes()
    assert sum(each > 128 for each in missing) > SIDE * SIDE / 100


def test_a_1_that_is_no_hitch_has_the_outline_of_any_other_face() -> None:
    one, two = (image(picture(face_name(10, face, DieForm.THROWN))).getchannel("A") for face in (1, 2))
    assert max(ImageChops.difference(one, two).tobytes()) <= 8  # what fewer colours leave
