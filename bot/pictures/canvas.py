"""Draw shapes and text.

Pillow is imported only here, so this module must be imported only by code that is about to draw.
"""

from collections.abc import Sequence
from functools import cache
from html import escape
from io import BytesIO
from itertools import groupby

from PIL import Image, ImageDraw, ImageFont
from ttf_opensans import OPENSANS_BOLD, OPENSANS_SEMIBOLD

from bot.language.line import Text
from bot.language.printers import spelled

WIDTH, HEIGHT = 800, 450
LETTERS = 32
"""The least height of words: 12 pixels where a phone shows the chart 300 wide."""
FINE = 2
"""So many times larger it is drawn first, which makes edges smooth."""
COLOURS = 128
"""A chart needs no more than so many, edges included, which makes it small."""

Colour = tuple[int, int, int]
Point = tuple[float, float]
Box = tuple[float, float, float, float]

GROUND: Colour = (36, 42, 53)
PAPER: Colour = (243, 244, 246)
FAINT: Colour = (168, 176, 189)
LINE: Colour = (78, 88, 104)
GREEN: Colour = (110, 203, 157)
SALMON: Colour = (240, 138, 110)
SHADE: Colour = (92, 66, 66)
BLUE: Colour = (126, 184, 245)
GOLD: Colour = (240, 200, 90)


class Canvas:
    """A chart being drawn as a bitmap."""

    def __init__(self) -> None:
        self._image = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), GROUND)
        self._pen = ImageDraw.Draw(self._image)

    def text(
        self,
        at: Point,
        words: Text,
        size: int,
        *,
        colour: Colour = PAPER,
        anchor: str = "ls",
        is_bold: bool = False,
    ) -> None:
        """Draw text at a point, with an outline; the anchor is Pillow's, `ls` for left on the baseline."""
        self._pen.text(
            _fine(at),
            spelled(words),
            fill=colour,
            font=_font(size * FINE, is_bold),
            anchor=anchor,
            stroke_width=3 * FINE,
            stroke_fill=GROUND,
        )

    def width(self, words: Text, size: int, *, is_bold: bool = False) -> float:
        """Return the width of text."""
        return _font(size * FINE, is_bold).getlength(spelled(words)) / FINE

    def fitted(self, words: str, size: int, room: float, *, is_bold: bool = False) -> str:
        """Return as much text as fits, with an ellipsis if shortened; "" if hardly any fits."""
        if self.width(words, size, is_bold=is_bold) <= room:
            return words
        for end in range(len(words) - 1, 2, -1):
            shorter = f"{words[:end].rstrip()}…"
            if self.width(shorter, size, is_bold=is_bold) <= room:
                return shorter
        return ""

    def box(self, box: Box, colour: Colour) -> None:
        """Draw a filled box: left, top, right, bottom."""
        left, top, right, bottom = (round(each * FINE) for each in box)
        if right > left and bottom > top:
            self._pen.rectangle((left, top, right - 1, bottom - 1), fill=colour)

    def hatched(self, box: Box, colour: Colour) -> None:
        """Draw a hatched box with a border."""
        left, top, right, bottom = (round(each * FINE) for each in box)
        if right <= left or bottom <= top:
            return
        wide, high = right - left, bottom - top
        strokes = Image.new("RGB", (wide, high), GROUND)
        pen = ImageDraw.Draw(strokes)
        for start in range(-high - wide, wide + high, 7 * FINE):
            pen.line((start, high, start + high, 0), fill=colour, width=3 * FINE)
        pen.rectangle((0, 0, wide - 1, high - 1), outline=colour, width=FINE)
        self._image.paste(strokes, (left, top))

    def line(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        """Draw a line through points, with round joints."""
        self._pen.line(
            [_fine(point) for point in points], fill=colour, width=round(width * FINE), joint="curve"
        )

    def area(self, points: Sequence[Point], colour: Colour) -> None:
        """Draw a filled polygon."""
        self._pen.polygon([_fine(point) for point in points], fill=colour)

    def dashed(self, start: Point, end: Point, colour: Colour, width: float) -> None:
        """Draw a vertical or horizontal dashed line."""
        (left, top), (right, bottom) = start, end
        length = max(abs(right - left), abs(bottom - top))
        for at in range(0, int(length), 14):
            until = min(at + 8, length)
            points = [
                (left + (right - left) * part / length, top + (bottom - top) * part / length)
                for part in (at, until)
            ]
            self.line(points, colour, width)

    def dot(self, at: Point, colour: Colour, radius: float) -> None:
        """Draw a filled circle."""
        x, y = _fine(at)
        far = radius * FINE
        self._pen.ellipse((x - far, y - far, x + far, y + far), fill=colour)

    def can_write(self, words: str) -> bool:
        """Return whether the font has all letters of a text: Latin, Greek and Cyrillic ones."""
        # What a font lacks is drawn like that one, which none has.
        return all(_glyph(each) != _glyph("\ufffe") for each in words)

    def png(self) -> bytes:
        """Return the chart as PNG."""
        small = self._image.resize((WIDTH, HEIGHT), Image.Resampling.BOX)
        written = BytesIO()
        small.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(written, "PNG")
        return written.getvalue()


@cache
def _font(size: int, is_bold: bool) -> ImageFont.FreeTypeFont:
    path = (OPENSANS_BOLD if is_bold else OPENSANS_SEMIBOLD).path
    # Pillow's other engine is there on some machines alone, and refuses some letters.
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


def _glyph(letter: str) -> bytes:
    return bytes(_font(20, False).getmask(letter))


def _fine(at: Point) -> Point:
    return at[0] * FINE, at[1] * FINE


STYLES = {PAPER: "ink", FAINT: "faint", LINE: "line", SALMON: "doom", SHADE: "shade", BLUE: "points"}
"""What the page calls each colour."""
LETTER = 0.6
"""How wide a letter is at most on average, in parts of its height: nobody knows the reader's font."""
LARGER = 1.1
"""A page on a phone is narrower than a picture in a message: its words are larger by so much."""
_ANCHORS = {"l": "start", "m": "middle", "r": "end"}


class Vector:
    """A chart being drawn as SVG, with the interface of Canvas."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def text(
        self,
        at: Point,
        words: Text,
        size: int,
        *,
        colour: Colour = PAPER,
        anchor: str = "ls",
        is_bold: bool = False,
    ) -> None:
        """Draw text at a point; the anchor is `ls` for left on the baseline, `rs` for right."""
        x, y = map(_number, at)
        weight = ' font-weight="bold"' if is_bold else ""
        self._parts.append(
            f'<text x="{x}" y="{y}" font-size="{size * LARGER:.0f}" text-anchor="{_ANCHORS[anchor[0]]}"'
            f'{weight} class="{STYLES[colour]}">{escape(spelled(words))}</text>'
        )

    def fitted(self, words: str, size: int, room: float, *, is_bold: bool = False) -> str:
        """Return as much text as fits, with an ellipsis if shortened; "" if hardly any fits."""
        del is_bold
        most = int(room / (LETTER * LARGER * size))
        if len(words) <= most:
            return words
        return f"{words[: most - 1].rstrip()}…" if most > 3 else ""

    def box(self, box: Box, colour: Colour) -> None:
        """Draw a filled box: left, top, right, bottom."""
        left, top, right, bottom = box
        self.area([(left, top), (right, top), (right, bottom), (left, bottom)], colour)

    def line(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        """Draw a line through points, with round joints."""
        self._parts.append(
            f'<polyline points="{_points(points)}" stroke-width="{width:g}" class="{STYLES[colour]} stroke"/>'
        )

    def area(self, points: Sequence[Point], colour: Colour) -> None:
        """Draw a filled polygon."""
        self._parts.append(f'<polygon points="{_points(points)}" class="{STYLES[colour]}"/>')

    def dashed(self, start: Point, end: Point, colour: Colour, width: float) -> None:
        """Draw a vertical or horizontal dashed line."""
        self._parts.append(
            f'<polyline points="{_points((start, end))}" stroke-width="{width:g}" stroke-dasharray="8 6" '
            f'class="{STYLES[colour]} stroke"/>'
        )

    def dot(self, at: Point, colour: Colour, radius: float) -> None:
        """Draw a filled circle."""
        x, y = map(_number, at)
        self._parts.append(f'<circle cx="{x}" cy="{y}" r="{radius:g}" class="{STYLES[colour]}"/>')

    def can_write(self, words: str) -> bool:
        """Return True: the browser has fonts for all letters."""
        del words
        return True

    def svg(self, alt: Text) -> str:
        """Return the chart as SVG, with an alt text."""
        return (
            f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(spelled(alt))}">'
            f"{''.join(self._parts)}</svg>"
        )


def _points(points: Sequence[Point]) -> str:
    """Points, none of them twice in a row."""
    return " ".join(each for each, _ in groupby(f"{_number(x)},{_number(y)}" for x, y in points))


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
