"""Something to draw charts on for a page: they stay sharp in print, and have the colours of the page."""

from collections.abc import Sequence
from html import escape
from itertools import groupby

from bot.language.line import Text
from bot.language.printers import spelled
from bot.pictures.canvas import BLUE, FAINT, HEIGHT, LINE, PAPER, SALMON, SHADE, WIDTH, Box, Colour, Point

STYLES = {PAPER: "ink", FAINT: "faint", LINE: "line", SALMON: "doom", SHADE: "shade", BLUE: "points"}
"""What the page calls each colour."""
LETTER = 0.6
"""How wide a letter is at most on average, in parts of its height: nobody knows the reader's font."""
LARGER = 1.1
"""A page on a phone is narrower than a picture in a message: its words are larger by so much."""
_ANCHORS = {"l": "start", "m": "middle", "r": "end"}


class Vector:
    """A chart while it is drawn: what a Canvas is for a picture."""

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
        """Words at a point; the anchor is `ls` for left on the line, `rs` for right."""
        x, y = map(_number, at)
        weight = ' font-weight="bold"' if is_bold else ""
        self._parts.append(
            f'<text x="{x}" y="{y}" font-size="{size * LARGER:.0f}" text-anchor="{_ANCHORS[anchor[0]]}"'
            f'{weight} class="{STYLES[colour]}">{escape(spelled(words))}</text>'
        )

    def fitted(self, words: str, size: int, room: float, *, is_bold: bool = False) -> str:
        """Words as far as there is room for them, with a mark where some are missing; none where few fit."""
        del is_bold
        most = int(room / (LETTER * LARGER * size))
        if len(words) <= most:
            return words
        return f"{words[: most - 1].rstrip()}…" if most > 3 else ""

    def box(self, box: Box, colour: Colour) -> None:
        """A filled box: left, top, right, bottom."""
        left, top, right, bottom = box
        self.area([(left, top), (right, top), (right, bottom), (left, bottom)], colour)

    def line(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        """A line through points, with round corners."""
        self._parts.append(
            f'<polyline points="{_points(points)}" stroke-width="{width:g}" class="{STYLES[colour]} stroke"/>'
        )

    def area(self, points: Sequence[Point], colour: Colour) -> None:
        """A filled form with these corners."""
        self._parts.append(f'<polygon points="{_points(points)}" class="{STYLES[colour]}"/>')

    def dashed(self, start: Point, end: Point, colour: Colour, width: float) -> None:
        """An upright or level line of dashes."""
        self._parts.append(
            f'<polyline points="{_points((start, end))}" stroke-width="{width:g}" stroke-dasharray="8 6" '
            f'class="{STYLES[colour]} stroke"/>'
        )

    def dot(self, at: Point, colour: Colour, radius: float) -> None:
        """A filled circle."""
        x, y = map(_number, at)
        self._parts.append(f'<circle cx="{x}" cy="{y}" r="{radius:g}" class="{STYLES[colour]}"/>')

    def can_write(self, words: str) -> bool:
        """Whether there are letters for these words: the reader has them all."""
        del words
        return True

    def svg(self, alt: Text) -> str:
        """The chart as a part of a page, with the words that say the same."""
        return (
            f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(spelled(alt))}">'
            f"{''.join(self._parts)}</svg>"
        )


def _points(points: Sequence[Point]) -> str:
    """Points, none of them twice in a row."""
    return " ".join(each for each, _ in groupby(f"{_number(x)},{_number(y)}" for x, y in points))


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
