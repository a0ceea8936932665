"""Pictures of dice: every face, an unrolled die of each size, and the special dice of One-Roll.

They are drawn once and stored in the folder `dice`, so that displaying them doesn't need Pillow. Each
size has its own shape and fill, recognizable at 22 pixels without counting corners. All fills have nearly
the same luminance: dark enough for a light background, light enough for a dark one and for the dark
number. A 1, the hitch, has two broken pieces. If a table also counts a 2 as a hitch (N14), the text
says so. A die that nobody has rolled is hollow, with its size inside. A d10 that was fixed before the
roll is a slab, and one that is placed after it has a wavy edge; in One-Roll, a 1 isn't broken.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from math import cos, dist, sin, tau
from pathlib import Path
from typing import TYPE_CHECKING

from bot.language.line import DieForm
from bot.language.said import face_name
from rules.dice import ALL_SIZES, SIZES
from rules.values import exhaustive

if TYPE_CHECKING:
    from PIL.Image import Image


FOLDER = Path(__file__).parent / "dice"
_FURTHER = tuple(size for size in ALL_SIZES if size not in SIZES)
SIDE = 128
"""Pixels of a side; Discord shows them 22 or 44 high."""
FINE = 8
"""So many times larger they are drawn first, which makes edges smooth."""
_ROUND = 5
"""How far a die reaches out beyond its corners, which are round then."""
INK = "#101114"
"""The number."""
_EDGE = 7
"""Pixels of the edge of a die that nobody has rolled; its number is in `_INSIDE` of the room of others."""
_INSIDE = 0.75
_NOTHING = (0, 0, 0, 0)

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Shape:
    """The look of a die size: corners, fill, and where a hitch is broken.

    `number` holds the vertical center of the number, its height, and its maximal width.
    """

    corners: tuple[Point, ...]
    fill: str
    number: tuple[int, int, int]
    breaks: tuple[Point, ...] = ()


def _curve(far: float, lobes: int = 0, deep: float = 0.0, down: float = 64) -> tuple[Point, ...]:
    """A disc, or one with lobes, the first of which is above; so many corners that none is seen."""
    turns = [tau * each / 72 for each in range(72)]
    reach = [far + deep * cos(lobes * turn) for turn in turns]
    return tuple(
        (64 + out * sin(turn), down - out * cos(turn)) for turn, out in zip(turns, reach, strict=True)
    )


def _cross() -> tuple[Point, ...]:
    """A cross with arms so broad that two figures stand in it."""
    half = ((58, -32), (58, 32), (30, 32), (30, 58), (-30, 58), (-30, 32))
    return tuple((64 + x * side, 64 + y * side) for side in (1, -1) for x, y in half)


SHAPES: Mapping[int, Shape] = {
    # a disc, a copper coin
    2: Shape(_curve(52), "#B98055", (64, 70, 80), ((103, 26), (22, 99))),
    # three leaves
    3: Shape(_curve(48, 3, 12, 72), "#3FA03A", (70, 72, 60), ((94, 40), (24, 108))),
    # a triangle
    4: Shape(((64, 8), (122, 112), (6, 112)), "#AA8800", (79, 56, 54), ((97, 58), (28, 115))),
    # a square
    6: Shape(((14, 14), (114, 14), (114, 114), (14, 114)), "#119D8B", (64, 84, 84), ((115, 20), (12, 108))),
    # a diamond
    8: Shape(((64, 5), (118, 64), (64, 123), (10, 64)), "#438EE4", (64, 64, 76), ((97, 31), (31, 97))),
    # a kite with a flat top
    10: Shape(
        ((30, 10), (98, 10), (122, 44), (64, 122), (6, 44)), "#D8649E", (54, 70, 82), ((104, 14), (30, 84))
    ),
    # a pentagon
    12: Shape(
        ((64, 7), (122, 52), (100, 118), (28, 118), (6, 52)), "#E46613", (67, 74, 82), ((97, 26), (18, 92))
    ),
    # a slanted square
    14: Shape(((34, 22), (122, 22), (94, 106), (6, 106)), "#EE5350", (64, 72, 84), ((106, 56), (22, 76))),
    # a wide band with a point at either side
    16: Shape(
        ((28, 28), (100, 28), (122, 64), (100, 100), (28, 100), (6, 64)),
        "#8B8E94",
        (64, 66, 88),
        ((104, 26), (24, 102)),
    ),
    # a cross
    20: Shape(_cross(), "#A274F0", (64, 72, 108), ((114, 60), (14, 70))),
}


_PINK = SHAPES[10].fill
FORMS: Mapping[DieForm, Shape] = exhaustive(
    DieForm,
    {
        DieForm.THROWN: SHAPES[10],
        # a slab that stands upright
        DieForm.FIXED: Shape(((26, 6), (102, 6), (102, 122), (26, 122)), _PINK, (60, 82, 70)),
        # a disc with waves
        DieForm.PLACED: Shape(_curve(50, 8, 8), _PINK, (64, 66, 78)),
    },
)
"""The shapes of d10 that never hitch."""


@dataclass(frozen=True, slots=True)
class Face:
    """What is drawn: a shape with a number, hollow if nobody has rolled it, broken for a hitch."""

    shape: Shape
    number: int
    is_hollow: bool = False
    is_broken: bool = False


def _faces() -> Iterator[tuple[str, Face]]:
    """Every face by its name: those of the usual sizes first, then of further ones, then special dice."""
    for size in SIZES + _FURTHER:
        yield face_name(size, 0), Face(SHAPES[size], size, is_hollow=True)
        for face in range(1, size + 1):
            yield face_name(size, face), Face(SHAPES[size], face, is_broken=face == 1)
    for form, shape in FORMS.items():
        for face in range(1, 11):
            yield face_name(10, face, form), Face(shape, face)


_FACES = dict(_faces())
FACES = tuple(_FACES)
"""The names of all faces, in the order in which they are uploaded."""


def picture(name: str) -> bytes:
    """Return a face as PNG, from the stored file."""
    return (FOLDER / f"{name}.png").read_bytes()


def drawn(name: str) -> bytes:
    """Draw a face and return it as PNG."""
    from PIL import Image

    large = Image.new("RGBA", (SIDE * FINE, SIDE * FINE), _NOTHING)
    face = _FACES[name]
    shape = face.shape
    _body(large, shape)
    if face.is_broken:
        _broken(large, shape)
    if face.is_hollow:
        _hollow(large, shape)
        _number(large, shape, str(face.number), shape.fill, _INSIDE)
    else:
        _number(large, shape, str(face.number), INK)
    small = large.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
    written = BytesIO()
    small.quantize(64, Image.Quantize.FASTOCTREE).save(written, "PNG", optimize=True)
    return written.getvalue()


def _body(large: "Image", shape: Shape) -> None:
    """The form of a die in its fill, its corners round."""
    from PIL import ImageDraw

    corners = [(x * FINE, y * FINE) for x, y in shape.corners]
    pen = ImageDraw.Draw(large)
    pen.polygon(corners, fill=shape.fill)
    far = _ROUND * FINE
    for (x, y), end in zip(corners, (*corners[1:], corners[0]), strict=True):
        pen.line([(x, y), end], fill=shape.fill, width=2 * far)
        pen.ellipse((x - far, y - far, x + far, y + far), fill=shape.fill)


def _broken(large: "Image", shape: Shape) -> None:
    """Two wedges cut out of the edge, towards the number."""
    from PIL import ImageDraw

    middle = 64, shape.number[0]
    for at in shape.breaks:
        length = dist(at, middle)
        right, down = ((to - here) / length for here, to in zip(at, middle, strict=True))
        wide = (at[0] - 14 * right, at[1] - 14 * down)
        wedge = (
            (wide[0] - 23 * down, wide[1] + 23 * right),
            (wide[0] + 23 * down, wide[1] - 23 * right),
            (at[0] + 16 * right, at[1] + 16 * down),
        )
        ImageDraw.Draw(large).polygon([(x * FINE, y * FINE) for x, y in wedge], fill=_NOTHING)


def _hollow(large: "Image", shape: Shape) -> None:
    """Only the edge is left."""
    from PIL import ImageFilter

    # Shrink the shape by the width of the edge, and cut that out: the edge is then equally thick everywhere.
    solid = large.getchannel("A").resize((SIDE, SIDE)).filter(ImageFilter.MinFilter(2 * _EDGE + 1))
    inside = solid.resize(large.size)
    large.paste(_NOTHING, mask=inside)


def _number(large: "Image", shape: Shape, text: str, ink: str, scale: float = 1.0) -> None:
    """The number, as large as there is room; two figures are somewhat lower and narrower."""
    from PIL import Image, ImageDraw, ImageFont
    from ttf_opensans import OPENSANS_EXTRABOLD

    font = ImageFont.truetype(OPENSANS_EXTRABOLD.path, 1000, layout_engine=ImageFont.Layout.BASIC)
    left, top, right, bottom = map(int, font.getbbox(text))
    figures = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(figures).text((-left, -top), text, fill=255, font=font)
    down, high, widest = shape.number
    height = int(high * FINE * scale) * (9 if len(text) > 1 else 10) // 10
    width = min(figures.width * height // figures.height, int(widest * FINE * scale))
    figures = figures.resize((width, height), Image.Resampling.LANCZOS)
    large.paste(ink, (SIDE * FINE // 2 - width // 2, down * FINE - height // 2), figures)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in FACES:
        (FOLDER / f"{each}.png").write_bytes(drawn(each))
