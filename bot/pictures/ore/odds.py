"""The chart of One-Roll odds: the chance of a set of at least each width and height."""

from collections.abc import Mapping
from fractions import Fraction

from bot.language import say
from bot.language.line import Text, joined, together
from bot.pictures.charts import fitting
from bot.views.card import Picture
from rules.ore.model import HEIGHTS
from rules.ore.pool import SIDES

NAME = "sets.png"
LEFT, TOP, CELL, GAP = 92.0, 118.0, 68.0, 3.0
MOST_ROWS = 4
"""The chart has room for so many widths."""


def set_chart(chances: Mapping[int, Mapping[int, Fraction]], title: Text) -> Picture:
    """Return the chart of chances, by width and then by height, with an alt text that states them all."""
    from bot.pictures.canvas import BLUE, FAINT, GOLD, GROUND, LETTERS, PAPER, Canvas

    shown = dict(_telling(list(chances.items())))
    canvas = Canvas()
    canvas.text((32, 62), title, 42, is_bold=True)
    high = min(CELL, (386 - TOP) / len(shown))
    for row, (width, by_height) in enumerate(shown.items()):
        top = TOP + row * high
        canvas.text((32, top + high / 2), f"{width}×", LETTERS, colour=GOLD, anchor="lm")
        for height, chance in by_height.items():
            left = LEFT + (height - 1) * CELL
            share = float(chance) ** 0.5  # small chances differ visibly, too
            colour = tuple(round(low + (up - low) * share) for low, up in zip(GROUND, BLUE, strict=True))
            canvas.box((left + GAP, top + GAP, left + CELL - GAP, top + high - GAP), (*colour,)[:3])
            at = (left + CELL / 2, top + high / 2)
            canvas.text(at, whole_percent(chance), LETTERS - 4, colour=PAPER, anchor="mm")
    for height in HEIGHTS:
        at = (LEFT + (height - 0.5) * CELL, 426)
        canvas.text(at, str(height) if height == SIDES else f"{height}+", LETTERS, colour=FAINT, anchor="ms")
    return Picture(NAME, canvas.png(), _alt(chances, title))


def _telling(rows: list[tuple[int, Mapping[int, Fraction]]]) -> list[tuple[int, Mapping[int, Fraction]]]:
    """The rows of the chart: where there are too many, those without doubt are left out first."""
    certain = [row for row in rows if all(whole_percent(each) in ("100", ">99") for each in row[1].values())]
    first = min(max(0, len(certain) - 1), max(0, len(rows) - MOST_ROWS))
    return rows[first : first + MOST_ROWS]


def whole_percent(chance: Fraction) -> str:
    """Return a chance without decimals; what isn't quite impossible or certain doesn't read as if it were.

    >>> whole_percent(Fraction(1, 3)), whole_percent(Fraction(1, 999)), whole_percent(Fraction(998, 999))
    ('33', '<1', '>99')
    """
    whole = round(100 * float(chance))
    if not whole and chance:
        return "<1"
    return ">99" if whole == 100 and chance < 1 else str(whole)


def _alt(chances: Mapping[int, Mapping[int, Fraction]], title: Text) -> str:
    """Every figure, width by width: `Width 2 or more, height 1 to 10: 94, 90, 85.`"""
    rows = [
        say(
            "Width {width} or more, height 1 to {most} or more, in percent: {chances}.",
            width=width,
            most=SIDES,
            chances=", ".join(map(whole_percent, by_height.values())),
        )
        for width, by_height in chances.items()
    ]
    return fitting(joined(" ", [together(title, "."), *rows]), together(title, "."))
