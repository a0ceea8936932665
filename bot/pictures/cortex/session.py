"""Charts of a session: doom, plot points and luck, scene by scene."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from bot.language import say, say_of
from bot.language.line import Text, joined, together
from bot.pictures.charts import fitting
from bot.views.card import Picture
from bot.views.game import Charts, Steps
from bot.views.labels import stretch_words
from rules.cortex.facts import PointsChanged, PoolChanged
from rules.cortex.kinds import Foe
from rules.cortex.model import CORTEX
from rules.facts import Began, Fact, SeatChange, Seated, Stretch
from rules.names import key
from rules.table import Table
from rules.values import replace

if TYPE_CHECKING:
    from bot.pictures.canvas import Canvas, Point, Vector


@dataclass(frozen=True, slots=True)
class SceneSpan:
    """A scene, with the index of its first value."""

    at: int
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class Flow:
    """The number of doom dice and the total PP of the players' characters, initially and per change.

    Both are repeated where a scene begins. Either is empty if it was always 0. `session` is 0 if the
    session's start is not among the facts.
    """

    doom: tuple[int, ...]
    points: tuple[int, ...]
    scenes: tuple[SceneSpan, ...]
    session: int = 0

    @property
    def count(self) -> int:
        """The number of values in each series."""
        return max(len(self.doom), len(self.points))

    @property
    def is_still(self) -> bool:
        """Whether nothing changed."""
        return len(set(self.doom)) <= 1 and len(set(self.points)) <= 1


def flow(steps: Iterable[Sequence[Fact]], table: Table, *, is_last: bool = True) -> Flow:
    """Return the doom dice and PP over a session's steps; the table is the one after the last step.

    For a character who neither gained nor spent PP, only the table tells how many they have.
    """
    told = [tuple(facts) for facts in steps]
    facts = [fact for each in told for fact in each]
    known = table if is_last else CORTEX.put(table, replace(CORTEX.of(table), doom={}))
    doom, points = _doom_before(facts, known), _points_before(facts, table)
    dooms, sums = [doom], [sum(points.values())]
    scenes: list[SceneSpan] = []
    session = 0
    for step in told:
        before = len(scenes)
        for fact in step:
            match fact:
                case PoolChanged(pool=pool, after=after) if pool.foe is Foe.DOOM:
                    doom = len(after)
                case PointsChanged(who=who, after=now) if key(who) in points:
                    points[key(who)] = now
                case Seated(who=who, seat=SeatChange.RENAMED, was=was) if key(was) in points:
                    points[key(who)] = points.pop(key(was))
                case Began(what=Stretch.SCENE, number=number, name=name):
                    scenes.append(SceneSpan(len(dooms), number, name))
                case Began(what=Stretch.SESSION, number=number):
                    session = number
                case _:
                    pass
        if len(scenes) > before or (doom, sum(points.values())) != (dooms[-1], sums[-1]):
            dooms.append(doom)
            sums.append(sum(points.values()))
    return Flow(tuple(dooms) if any(dooms) else (), tuple(sums) if any(sums) else (), tuple(scenes), session)


def _doom_before(facts: Sequence[Fact], table: Table) -> int:
    """The doom dice before the first fact."""
    for fact in facts:
        if isinstance(fact, PoolChanged) and fact.pool.foe is Foe.DOOM:
            return len(fact.before)
    return sum(CORTEX.of(table).doom.values())


def _points_before(facts: Sequence[Fact], table: Table) -> dict[str, int]:
    """The PP of each player's character before the first fact, by the names of then."""
    points = {who: CORTEX.has(each).pp for who, each in table.characters.items() if not each.gmc}
    for fact in reversed(facts):
        if isinstance(fact, Seated) and fact.seat is SeatChange.RENAMED and key(fact.who) in points:
            points[key(fact.was)] = points.pop(key(fact.who))
        elif isinstance(fact, PointsChanged) and key(fact.who) in points:
            points[key(fact.who)] = fact.before
    return points


NAME = "session.png"
LEFT, RIGHT, TOP, BOTTOM = 84.0, 540.0, 104.0, 384.0
APART = 44.0
"""So far apart are the words at the ends of the two lines."""
MOST_DOTS = 40
"""With more values there is no room for dots."""
GRID = (1, 2, 5, 10, 20, 50, 100)
"""Steps between the numbers at the side."""


def session_chart(steps: Steps, table: Table, *, is_last: bool = True) -> Picture | None:
    """Return the chart of a session, with an alt text for every figure; None if nothing changed.

    The table is the one after the last session; for an older session, its doom can't be used.
    """
    found = flow(steps, table, is_last=is_last)
    if found.is_still:
        return None
    from bot.pictures.canvas import Canvas  # Pillow: no start has to wait for it

    canvas = Canvas()
    _draw(canvas, found)
    return Picture(NAME, canvas.png(), _alt(found))


def session_drawing(steps: Steps, table: Table, *, is_last: bool = True) -> tuple[str, str] | None:
    """Return the chart as SVG, with an alt text for every figure; None if nothing changed."""
    found = flow(steps, table, is_last=is_last)
    if found.is_still:
        return None
    from bot.pictures.canvas import Vector

    canvas, alt = Vector(), _alt(found)
    _draw(canvas, found)
    return canvas.svg(alt), alt


def _draw(canvas: "Canvas | Vector", found: Flow) -> None:
    canvas.text((32, 58), _title(found), 36, is_bold=True)
    highest = max(*found.doom, *found.points, 1)
    _draw_grid(canvas, highest)
    if found.doom:
        _draw_area(canvas, found, highest)
    _draw_scenes(canvas, found)
    _draw_lines(canvas, found, highest)


def _title(found: Flow) -> Text:
    what = (
        say("{doom_pool.short} dice and {plot_point.short}") if found.doom and found.points else _what(found)
    )
    if not found.session:
        return what
    return say("{session.One} {number}: {what}", number=found.session, what=what)


def _what(found: Flow) -> Text:
    return say("{doom_pool.short} dice") if found.doom else say("Everyone's {plot_point.short}")


def _across(found: Flow, at: int) -> float:
    """Where a change lies between the two sides."""
    return LEFT + (RIGHT - LEFT) * at / found.count


def _up(value: float, highest: int) -> float:
    return BOTTOM - (BOTTOM - TOP) * value / highest


def _draw_grid(canvas: "Canvas | Vector", highest: int) -> None:
    from bot.pictures.canvas import FAINT, LETTERS, LINE

    each = next((step for step in GRID if highest / step <= 4), highest)
    for value in range(0, highest + 1, each):
        up = _up(value, highest)
        canvas.box((LEFT, up - 1, RIGHT, up + 1), LINE)
        canvas.text((LEFT - 14, up + 11), str(value), LETTERS, colour=FAINT, anchor="rs")


def _draw_scenes(canvas: "Canvas | Vector", found: Flow) -> None:
    """A dashed line where each scene begins, with as much of its name as there is room for."""
    from bot.pictures.canvas import FAINT, LETTERS

    starts = [_across(found, scene.at) for scene in found.scenes]
    for scene, at, end in zip(found.scenes, starts, [*starts, 768.0][1:], strict=True):
        canvas.dashed((at, TOP - 10), (at, BOTTOM), FAINT, 2)
        name = scene.name if canvas.can_write(scene.name) else ""
        room = end - at - 12
        words = canvas.fitted(name, LETTERS, room) or canvas.fitted(str(scene.number), LETTERS, room)
        canvas.text((at, 426), words, LETTERS, colour=FAINT)


def _draw_area(canvas: "Canvas | Vector", found: Flow, highest: int) -> None:
    """What tells doom from PP by form: it is filled."""
    from bot.pictures.canvas import SHADE

    stairs = _stairs(found, found.doom, highest)
    canvas.area([(stairs[0][0], BOTTOM), *stairs, (stairs[-1][0], BOTTOM)], SHADE)


def _draw_lines(canvas: "Canvas | Vector", found: Flow, highest: int) -> None:
    """Doom as a thick line, PP as a thin one with dots, each with its last number at its end."""
    from bot.pictures.canvas import BLUE, LETTERS, SALMON

    ends: list[tuple[float, Text, tuple[int, int, int]]] = []
    if found.doom:
        canvas.line(_stairs(found, found.doom, highest), SALMON, 6)
        words = say_of(found.doom[-1], "{count} {doom_pool.short} die", "{count} {doom_pool.short} dice")
        ends.append((_up(found.doom[-1], highest), words, SALMON))
    if found.points:
        canvas.line(_stairs(found, found.points, highest), BLUE, 4)
        for at, value in enumerate(found.points if found.count <= MOST_DOTS else ()):
            if at == 0 or value != found.points[at - 1]:
                canvas.dot((_across(found, at), _up(value, highest)), BLUE, 7)
        ends.append(
            (
                _up(found.points[-1], highest),
                say("{points} {plot_point.short}", points=found.points[-1]),
                BLUE,
            )
        )
    ends.sort(key=lambda end: end[0])
    if len(ends) == 2 and ends[1][0] - ends[0][0] < APART:
        middle = min(max((ends[0][0] + ends[1][0]) / 2, TOP + APART / 2), BOTTOM - APART / 2)
        ends = [(middle - APART / 2, *ends[0][1:]), (middle + APART / 2, *ends[1][1:])]
    for up, words, colour in ends:
        canvas.text((RIGHT + 14, up + 11), words, LETTERS, colour=colour, is_bold=True)


def _stairs(found: Flow, values: Sequence[int], highest: int) -> list["Point"]:
    """A level step for each value, up and down between them."""
    points: list[Point] = []
    for at, value in enumerate(values):
        up = _up(value, highest)
        points += [(_across(found, at), up), (_across(found, at + 1), up)]
    return points


def _alt(found: Flow) -> str:
    """Every figure in words, scene by scene; of a long session the extremes of each scene, or of all."""
    scenes = [(_called(each), each.at) for each in found.scenes]
    starts = [(say("At first"), 0), *scenes]
    ends = [*(start for _, start in starts[1:]), found.count]
    parts = [(called, start, end) for (called, start), end in zip(starts, ends, strict=True)]
    all_scenes = say_of(len(scenes), "{count} {scene.one}", "{count} {scene.many}")
    return fitting(
        joined(" ", [together(_title(found), "."), *(_told(found, *part, _row) for part in parts)]),
        joined(" ", [together(_title(found), "."), *(_told(found, *part, _extremes) for part in parts)]),
        joined(" ", [together(_title(found), "."), _told(found, all_scenes, 0, found.count, _extremes)]),
    )


def _called(scene: SceneSpan) -> Text:
    return stretch_words(Stretch.SCENE, scene.number, scene.name)


def _told(found: Flow, called: Text, start: int, end: int, told: Callable[[Sequence[int]], Text]) -> Text:
    """A part of the session: `Scene The docks: doom dice 2, 3; PP 5, 4.`"""
    rows = [
        *(
            [say("{doom_pool.short} dice {numbers}", numbers=told(found.doom[start:end]))]
            if found.doom
            else []
        ),
        *(
            [say("{plot_point.Short} {numbers}", numbers=told(found.points[start:end]))]
            if found.points
            else []
        ),
    ]
    return together(called, ": ", joined("; ", rows), ".")


def _row(values: Sequence[int]) -> str:
    """Values one after the other, those alone that differ from the one before."""
    return ", ".join(str(value) for value, _ in groupby(values))


def _extremes(values: Sequence[int]) -> Text:
    row = _row(values)
    if len(row) <= 12:
        return row
    first, last, least, most = values[0], values[-1], min(values), max(values)
    return say(
        "{first} to {last}, lowest {least}, highest {most}", first=first, last=last, least=least, most=most
    )


CHARTS = Charts(session_chart, session_drawing)
"""How Cortex draws a session."""
