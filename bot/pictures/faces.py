"""The faces of dice as small pictures; `python -m bot.pictures.faces` draws them anew.

They are drawn once and kept in the folder `dice`, so that whoever shows them needs no Pillow. A die is light
with dark edges, which shows on dark ground and on light. A 1, the hitch, is red with light edges, and two
pieces are broken out of it.
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
_EDGE = 7
"""How far a die reaches out beyond its corners."""
_DARK_EDGE, _LIGHT_EDGE = 10, 4
"""How wide the edge is."""

Point = tuple[float, float]

_CORNERS: dict[int, tuple[Point, ...]] = {
    4: ((64, 13), (119, 109), (9, 109)),
    6: ((18, 18), (110, 18), (110, 110), (18, 110)),
    8: ((64, 9), (119, 64), (64, 119), (9, 64)),
    10: ((64, 9), (119, 50), (119, 78), (64, 119), (9, 78), (9, 50)),
    12: ((64, 10), (119, 50), (98, 115), (30, 115), (9, 50)),
}
_NUMBERS = {4: (80, 52, 54), 6: (64, 76, 74), 8: (64, 60, 70), 10: (64, 66, 74), 12: (66, 66, 74)}
"""Where the middle of the number is from above, how high it is, and how wide at most."""
_BREAKS: dict[int, tuple[Point, Point]] = {
    4: ((95, 58), (30, 112)),
    6: ((112, 24), (16, 104)),
    8: ((95, 33), (33, 95)),
    10: ((93, 25), (35, 103)),
    12: ((95, 28), (22, 92)),
}
"""Where a hitch is broken."""
_DARK, _LIGHT, _RED = (24, 28, 36, 255), (252, 251, 247, 255), (207, 58, 60, 255)
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

    is_hitch = face == 1
    large = Image.new("RGBA", (SIDE * FINE, SIDE * FINE), _NOTHING)
    _shape(large, size, _EDGE, _LIGHT if is_hitch else _DARK)
    _shape(large, size, _EDGE - (_LIGHT_EDGE if is_hitch else _DARK_EDGE), _RED if is_hitch else _LIGHT)
    if is_hitch:
        _broken(large, size)
    _number(large, size, str(face), _LIGHT if is_hitch else _DARK)
    small = large.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
    written = BytesIO()
    small.quantize(64, Image.Quantize.FASTOCTREE).save(written, "PNG", optimize=True)
    return written.getvalue()


def _shape(large: "Image", size: int, reach: int, colour: tuple[int, ...]) -> None:
    """The form of a die, reaching out so far beyond its corners, which are round then, or in."""
    from PIL import Image, ImageDraw

    corners = [(x * FINE, y * FINE) for x, y in _CORNERS[size]]
    form = Image.new("L", large.size)
    pen = ImageDraw.Draw(form)
    pen.polygon(corners, fill=255)
    far = abs(reach) * FINE
    for (x, y), end in zip(corners, (*corners[1:], corners[0]), strict=True):
        pen.line([(x, y), end], fill=255 if reach > 0 else 0, width=2 * far)
        if reach > 0:
            pen.ellipse((x - far, y - far, x + far, y + far), fill=255)
    large.paste(colour, (0, 0), form)


def _broken(large: "Image", size: int) -> None:
    """Two wedges cut out of the edge, towards the number."""
    from PIL import ImageDraw

    middle = 64, _NUMBERS[size][0]
    for at in _BREAKS[size]:
        length = dist(at, middle)
        right, down = ((to - here) / length for here, to in zip(at, middle, strict=True))
        wide = (at[0] - 14 * right, at[1] - 14 * down)
        wedge = (
            (wide[0] - 18 * down, wide[1] + 18 * right),
            (wide[0] + 18 * down, wide[1] - 18 * right),
            (at[0] + 16 * right, at[1] + 16 * down),
        )
        ImageDraw.Draw(large).polygon([(x * FINE, y * FINE) for x, y in wedge], fill=_NOTHING)


def _number(large: "Image", size: int, text: str, colour: tuple[int, ...]) -> None:
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
    large.paste(colour, (SIDE * FINE // 2 - width // 2, down * FINE - height // 2), figures)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in FACES:
        (FOLDER / f"{name(*each)}.png").write_bytes(drawn(*each))
