"""Charts of a session and of luck, and what games add to them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.language import say
from bot.language.line import Text, joined, together
from bot.language.printers import spelled
from bot.views.card import Picture
from bot.views.game import SHOWN
from bot.views.stats import luck_words
from rules.dice import Faces
from rules.facts import Fact
from rules.table import Table

if TYPE_CHECKING:
    from bot.pictures.canvas import Canvas


def session_charts(steps: Sequence[Sequence[Fact]], table: Table, *, is_last: bool) -> tuple[Picture, ...]:
    """Return the charts of a session as pictures."""
    found = (each.chart(steps, table, is_last=is_last) for each in SHOWN.at(table).charts)
    return tuple(filter(None, found))


def session_drawings(
    steps: Sequence[Sequence[Fact]], table: Table, *, is_last: bool
) -> tuple[tuple[str, str], ...]:
    """Return the charts of a session as (SVG, alt text)."""
    found = (each.drawing(steps, table, is_last=is_last) for each in SHOWN.at(table).charts)
    return tuple(filter(None, found))


LONGEST = 1024
"""Characters that Discord takes for the words of a picture."""


def fitting(*tellings: Text) -> str:
    """Return the first text that is short enough; otherwise the last one, cut and marked as cut."""
    for telling in map(spelled, tellings):
        if len(telling) <= LONGEST:
            return telling
    end = spelled(say("(cut)"))
    return f"{telling[: LONGEST - len(end) - 1].rstrip()} {end}"


def percent(chance: float) -> str:
    """Return a probability as a percentage.

    >>> percent(1 / 12)
    '8.3%'
    """
    return f"{100 * chance:.1f}%"


NAME = "dice.png"
LEFT, RIGHT, TOP, BOTTOM = 32.0, 768.0, 110.0, 386.0
GAP = 1.5
"""So many bars' room between two sizes of dice."""
HIGHEST = 2.0
"""A face that came oftener than so many times what is expected has a bar that is cut."""


def luck_chart(thrown: Faces) -> Picture | None:
    """Return a chart with a bar per face of each size and a line at its expectation; None without throws."""
    if not thrown.of:
        return None
    from bot.pictures.canvas import Canvas  # Pillow: no start has to wait for it

    canvas = Canvas()
    canvas.text((LEFT, 62), _title(), 36, is_bold=True)
    wide = min((RIGHT - LEFT) / (sum(thrown.of) + GAP * (len(thrown.of) - 1)), 40.0)
    left = LEFT
    for size in thrown.of:
        _draw_size(canvas, thrown, size, left, wide)
        left += wide * (size + GAP)
    return Picture(NAME, canvas.png(), _alt(thrown))


def _draw_size(canvas: "Canvas", thrown: Faces, size: int, left: float, wide: float) -> None:
    from bot.pictures.canvas import BLUE, FAINT, GOLD, LETTERS

    expected = thrown.count(size) / size
    scale = (BOTTOM - TOP) / HIGHEST
    for face in range(1, size + 1):
        at = left + (face - 1) * wide
        height = min(thrown.of[size].get(face, 0) / expected, HIGHEST) * scale
        if height:
            canvas.box((at + wide * 0.1, BOTTOM - height, at + wide * 0.9, BOTTOM), BLUE)
    canvas.dashed((left, BOTTOM - scale), (left + size * wide, BOTTOM - scale), GOLD, 3)
    canvas.text((left + size * wide / 2, 426), f"d{size}", LETTERS, colour=FAINT, anchor="ms")


def _title() -> Text:
    return say("Faces rolled and expected")


def _alt(thrown: Faces) -> str:
    """Every count in words, size by size; of very many only how many there were."""
    title, luck = together(_title(), "."), luck_words(thrown)
    return fitting(
        joined(" ", [title, *(_row(thrown, size) for size in thrown.of), luck]), together(title, " ", luck)
    )


def _row(thrown: Faces, size: int) -> Text:
    """How often each face came: `d4, 1 to 4: 2, 0, 1, 3.`"""
    counts = ", ".join(str(thrown.of[size].get(face, 0)) for face in range(1, size + 1))
    return say("d{size}, 1 to {size}: {counts}.", size=size, counts=counts)
