"""Charts of odds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from bot.language import say
from bot.language.line import Text, joined, together
from bot.pictures.charts import fitting, percent
from bot.views.card import Picture
from rules.cortex.model import Against
from rules.cortex.odds import Odds, OddsQuestion, goals
from rules.dice import Ladder

if TYPE_CHECKING:
    from bot.pictures.canvas import Canvas


NAME = "odds.png"
LEAST = 0.0005
"""A smaller chance would read as 0.0%."""
MOST_BARS = 30
"""With more of them, several totals share a bar."""
WIDTHS = (1, 2, 5, 10, 20, 50)
"""So many totals share a bar, or lie between two numbers below the bars."""
TOP, BOTTOM, LEFT, RIGHT = 150.0, 386.0, 32.0, 768.0
SPLIT, EFFECTS = 476.0, 516.0
"""Where the bars of totals end, and the effects begin."""


@dataclass(frozen=True, slots=True)
class Bar:
    """The totals from `first` to `last`: their probability, and how much of it is success."""

    first: int
    last: int
    chance: float
    success: float

    @property
    def label(self) -> Text:
        """The totals in words."""
        if self.first == self.last:
            return str(self.first)
        return say("{first} to {last}", first=self.first, last=self.last)


@dataclass(frozen=True, slots=True)
class Goal:
    """What has to be beaten: a number, or the average of opposing dice."""

    number: float
    is_average: bool

    @property
    def label(self) -> Text:
        """The opposition in words."""
        if self.is_average:
            return say("vs {mean:.1f} on average", mean=self.number)
        return say("vs {number}", number=int(self.number))


def odds_chart(asked: OddsQuestion) -> Picture:
    """Return the chart of odds, with an alt text that states every figure."""
    from bot.pictures.canvas import Canvas  # Pillow: no start has to wait for it

    goal = None if asked.against is None else _goal(asked.against)
    bars = _bars(asked.odds, goal)
    found = asked.odds
    rows = [(_effect(reach, found.ladder), chance) for reach, chance in found.effects.items()]
    effects = [(words, chance) for words, chance in rows if chance >= LEAST]
    canvas = Canvas()
    canvas.text((LEFT, 62), _title(asked.odds), 42, is_bold=True)
    if goal is not None:
        _legend(canvas)
    _draw_totals(canvas, bars, goal, SPLIT if effects else RIGHT)
    _draw_effects(canvas, effects)
    return Picture(NAME, canvas.png(), _alt(asked.odds, goal, bars, effects))


def _goal(against: Against) -> Goal:
    ways = goals(against)
    mean = sum(number * count for number, count in ways.items()) / sum(ways.values())
    return Goal(mean, against.hand is not None)


def _bars(found: Odds, goal: Goal | None) -> list[Bar]:
    """The totals that come now and then, so many to a bar that there is room for all bars."""
    start = 0 if goal is None or goal.is_average else int(goal.number) + 1
    for width in WIDTHS:
        grouped: dict[int, list[int]] = {}
        for total in found.totals:
            grouped.setdefault((total - start) // width, []).append(total)
        chances = {group: _sum(found.totals, totals) for group, totals in grouped.items()}
        seen = [group for group, chance in chances.items() if chance >= LEAST]
        shown = range(min(seen), max(seen) + 1)
        if len(shown) <= MOST_BARS:
            break
    return [
        Bar(
            start + group * width,
            start + group * width + width - 1,
            chances.get(group, 0.0),
            _sum(found.successes, grouped.get(group, ())),
        )
        for group in shown
    ]


def _sum(chances: Mapping[int, float], totals: Iterable[int]) -> float:
    return sum(chances.get(total, 0.0) for total in totals)


def _title(found: Odds) -> Text:
    """What matters most."""
    if found.kept.success is None:
        return say("Mean total {mean:.2f}", mean=found.kept.mean)
    if not found.kept.success:
        return say("Success isn't possible")
    if found.kept.success < LEAST:
        return say("Success below 0.1%")
    return say("Success {chance}", chance=percent(found.kept.success))


def _effect(reach: int, ladder: Ladder) -> Text:
    return f"d{ladder[reach]}" if reach < len(ladder) else say("past d{size}", size=ladder[-1])


def _legend(canvas: "Canvas") -> None:
    from bot.pictures.canvas import GREEN, LETTERS, SALMON

    canvas.box((LEFT, 80, LEFT + 26, 106), GREEN)
    word = say("success")
    canvas.text((LEFT + 36, 104), word, LETTERS)
    right = LEFT + 36 + canvas.width(word, LETTERS) + 30
    canvas.hatched((right, 80, right + 26, 106), SALMON)
    canvas.text((right + 36, 104), say("failure"), LETTERS)


def _draw_totals(canvas: "Canvas", bars: list[Bar], goal: Goal | None, right: float) -> None:
    """A bar for each total: what succeeds is full, what fails is hatched on top of it."""
    from bot.pictures.canvas import BLUE, FAINT, GREEN, LETTERS, LINE, SALMON

    wide = min((right - LEFT) / len(bars), 60.0)
    end = LEFT + wide * len(bars)
    highest = max(bars, key=lambda bar: bar.chance)
    scale = (BOTTOM - TOP - 40) / highest.chance
    canvas.box((LEFT, BOTTOM, end, BOTTOM + 3), LINE)
    for number, bar in enumerate(bars):
        left = LEFT + number * wide
        edges = (left + wide * 0.1, left + wide * 0.9)
        middle, top = BOTTOM - bar.success * scale, BOTTOM - bar.chance * scale
        if goal is None:
            canvas.box((edges[0], top, edges[1], BOTTOM), BLUE)
        else:
            canvas.box((edges[0], middle, edges[1], BOTTOM), GREEN)
            canvas.hatched((edges[0], top, edges[1], middle), SALMON)
    each = next(width for width in WIDTHS if width * wide / (bars[0].last - bars[0].first + 1) >= 60)
    for number, bar in enumerate(bars):
        for total in range(bar.first, bar.last + 1):
            if total % each == 0:
                inside = (total - bar.first + 0.5) / (bar.last - bar.first + 1)
                at = LEFT + (number + inside) * wide
                canvas.text((at, 426), str(total), LETTERS, colour=FAINT, anchor="ms")
    line = None if goal is None else _draw_goal(canvas, bars, goal, wide, right)
    at = LEFT + (bars.index(highest) + 0.5) * wide
    half = canvas.width(percent(highest.chance), LETTERS) / 2 + 8
    if line is not None and abs(at - line) < half:  # beside what is to be beaten, on the side of its bar
        at = line - half if at <= line and line - 2 * half >= 0 else line + half
    top = BOTTOM - highest.chance * scale
    canvas.text((max(at, half), top - 8), percent(highest.chance), LETTERS, anchor="ms")


def _draw_goal(canvas: "Canvas", bars: list[Bar], goal: Goal, wide: float, right: float) -> float:
    """What is to be beaten, as a dashed line: behind the last total that fails, or in the middle of dice.

    Gives where the line is.
    """
    from bot.pictures.canvas import GOLD, LETTERS

    totals = bars[0].last - bars[0].first + 1
    end = LEFT + wide * len(bars)
    behind = goal.number - bars[0].first + (0.5 if goal.is_average else 1)
    at = min(max(LEFT + behind * wide / totals, LEFT), end)
    canvas.dashed((at, TOP), (at, BOTTOM), GOLD, 4)
    half = canvas.width(goal.label, LETTERS) / 2
    middle = min(max(at, LEFT + half), right - half)
    canvas.text((middle, TOP - 10), goal.label, LETTERS, colour=GOLD, anchor="ms")
    return at


def _draw_effects(canvas: "Canvas", effects: list[tuple[Text, float]]) -> None:
    """A row for each size of the effect die that can be."""
    from bot.pictures.canvas import BLUE, FAINT, LETTERS, LINE

    if not effects:
        return
    canvas.text((EFFECTS, 62), say("Effect at least"), LETTERS, colour=FAINT)
    for (words, chance), down in zip(effects, accumulate([70] * len(effects), initial=104), strict=False):
        canvas.text((EFFECTS, down), words, LETTERS)
        canvas.text((RIGHT, down), percent(chance), LETTERS, anchor="rs")
        canvas.box((EFFECTS, down + 12, RIGHT, down + 26), LINE)
        canvas.box((EFFECTS, down + 12, EFFECTS + (RIGHT - EFFECTS) * chance, down + 26), BLUE)


def _alt(found: Odds, goal: Goal | None, bars: list[Bar], effects: list[tuple[Text, float]]) -> str:
    """Every figure of the chart in words."""
    title = _title(found) if goal is None else together(_title(found), " ", goal.label)
    shown = [bar for bar in bars if bar.chance >= LEAST]
    told = joined(", ", (together(words, " ", percent(chance)) for words, chance in effects))
    end = [say("Chances of at least this effect: {chances}.", chances=told)] if effects else []
    return fitting(joined(" ", [together(title, "."), *_totals(shown, goal), *end]))


def _totals(bars: list[Bar], goal: Goal | None) -> list[Text]:
    """The chances of totals, those that fail apart from those that succeed where each is one or the other."""
    if goal is None:
        return [say("Totals: {chances}.", chances=_row(bars))]
    if all(bar.success in (0.0, bar.chance) for bar in bars):
        failures = [bar for bar in bars if not bar.success]
        successes = [bar for bar in bars if bar.success]
        return [
            *([say("Totals that fail: {chances}.", chances=_row(failures))] if failures else []),
            *([say("Totals that succeed: {chances}.", chances=_row(successes))] if successes else []),
        ]
    row = joined(
        ", ",
        (together(bar.label, ": ", percent(bar.chance), " (", percent(bar.success), ")") for bar in bars),
    )
    return [say("Totals, with the share that succeeds in brackets: {chances}.", chances=row)]


def _row(bars: list[Bar]) -> Text:
    return joined(", ", (together(bar.label, ": ", percent(bar.chance)) for bar in bars))
