"""The faces of dice as small pictures; `python -m bot.pictures.faces` draws them anew.

They are drawn once and kept in the folder `dice`, so that whoever shows them needs no Pillow. Each size
has a shape and a fill of its own, known at 22 pixels without counting corners. All fills are of nearly one
luminance: dark enough for a white ground, light enough for a dark one and for the dark number. Out of a 1,
the hitch, two pieces are broken.
"""

from functools import cache
from io import BytesIO
from math import dist
from pathlib import Path
from typing import TYPE_CHECKING

from rules.dice import SIZES

if TYPE_CHECKING:
    from PIL.Image import Image

FOLDER = Path(__file__).parent / "dice"
FACES = tuple((size, face) for size in SIZES for face in range(1, size + 1))
"""Every face of every size."""
SIDE = 128
"""Pixels of a side; Discord shows them 22 or 44 high."""
FINE = 8
"""So many times larger they are drawn first, which makes edges smooth."""
_ROUND = 5
"""How far a die reaches out beyond its corners, which are round then."""

Point = tuple[float, float]

_CORNERS: dict[int, tuple[Point, ...]] = {
    4: ((64, 8), (122, 112), (6, 112)),
    6: ((14, 14), (114, 14), (114, 114), (14, 114)),
    8: ((64, 5), (118, 64), (64, 123), (10, 64)),
    10: ((30, 10), (98, 10), (122, 44), (64, 122), (6, 44)),
    12: ((64, 7), (122, 52), (100, 118), (28, 118), (6, 52)),
}
"""A triangle, a square, a diamond, a kite with a flat top, a pentagon."""
FILLS = {4: "#AA8800", 6: "#119D8B", 8: "#438EE4", 10: "#D8649E", 12: "#E46613"}
"""What each size is filled with."""
INK = "#101114"
"""The number."""
_NUMBERS = {4: (79, 56, 54), 6: (64, 84, 84), 8: (64, 64, 76), 10: (54, 70, 82), 12: (67, 74, 82)}
"""Where the middle of the number is from above, how high it is, and how wide at most."""
_BREAKS: dict[int, tuple[Point, Point]] = {
    4: ((97, 58), (28, 115)),
    6: ((115, 20), (12, 108)),
    8: ((97, 31), (31, 97)),
    10: ((104, 14), (30, 84)),
    12: ((97, 26), (18, 92)),
}
"""Where a hitch is broken."""
_NOTHING = (0, 0, 0, 0)


def name(size: int, face: int) -> str:
    """What a face is called, which is read aloud too: `d10_7`."""
    return f"d{size}_{face}"


@cache
def picture(size: int, face: int) -> bytes:
    """A face as PNG, as it is kept."""
    return (FOLDER / f"{name(size, face)}.png").read_bytes()


def drawn(size: int, face: int) -> bytes:
    """A face as PNG, drawn now."""
    from PIL import Image

    large = Image.new("RGBA", (SIDE * FINE, SIDE * FINE), _NOTHING)
    _shape(large, size)
    if face == 1:
        _broken(large, size)
    _number(large, size, str(face))
    small = large.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
    written = BytesIO()
    small.quantize(64, Image.Quantize.FASTOCTREE).save(written, "PNG", optimize=True)
    return written.getvalue()


def _shape(large: "Image", size: int) -> None:
    """The form of a die in its fill, its corners round."""
    from PIL import ImageDraw

    corners = [(x * FINE, y * FINE) for x, y in _CORNERS[size]]
    pen = ImageDraw.Draw(large)
    pen.polygon(corners, fill=FILLS[size])
    far = _ROUND * FINE
    for (x, y), end in zip(corners, (*corners[1:], corners[0]), strict=True):
        pen.line([(x, y), end], fill=FILLS[size], width=2 * far)
        pen.ellipse((x - far, y - far, x + far, y + far), fill=FILLS[size])


def _broken(large: "Image", size: int) -> None:
    """Two wedges cut out of the edge, towards the number."""
    from PIL import ImageDraw

    middle = 64, _NUMBERS[size][0]
    for at in _BREAKS[size]:
        length = dist(at, middle)
        right, down = ((to - here) / length for here, to in zip(at, middle, strict=True))
        wide = (at[0] - 14 * right, at[1] - 14 * down)
        wedge = (
            (wide[0] - 23 * down, wide[1] + 23 * right),
            (wide[0] + 23 * down, wide[1] - 23 * right),
            (at[0] + 16 * right, at[1] + 16 * down),
        )
        ImageDraw.Draw(large).polygon([(x * FINE, y * FINE) for x, y in wedge], fill=_NOTHING)


def _number(large: "Image", size: int, text: str) -> None:
    """The number, as large as there is room; two figures are somewhat lower and narrower."""
    from PIL import Image, ImageDraw, ImageFont
    from ttf_opensans import OPENSANS_EXTRABOLD

    font = ImageFont.truetype(OPENSANS_EXTRABOLD.path, 1000, layout_engine=ImageFont.Layout.BASIC)
    left, top, right, bottom = map(int, font.getbbox(text))
    figures = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(figures).text((-left, -top), text, fill=255, font=font)
    down, high, widest = _NUMBERS[size]
    height = high * FINE * (9 if len(text) > 1 else 10) // 10
    width = min(figures.width * height // figures.height, widest * FINE)
    figures = figures.resize((width, height), Image.Resampling.LANCZOS)
    large.paste(INK, (SIDE * FINE // 2 - width // 2, down * FINE - height // 2), figures)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in FACES:
        (FOLDER / f"{name(*each)}.png").write_bytes(drawn(*each))
