"""A session as a chart: how many dice doom had, and how many PP everybody together, scene by scene."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from bot.language import say, say_of
from bot.language.line import Text, joined, together
from bot.pictures.charts import Charts, Steps
from bot.pictures.cortex.flow import Flow, Scene, flow
from bot.pictures.words import fitting
from bot.render.card import Picture
from bot.render.words import stretch_words
from rules.facts import Stretch
from rules.table import Table

if TYPE_CHECKING:
    from bot.pictures.canvas import Canvas, Point
    from bot.pictures.vector import Vector

NAME = "session.png"
LEFT, RIGHT, TOP, BOTTOM = 84.0, 540.0, 104.0, 384.0
APART = 44.0
"""So far apart are the words at the ends of the two lines."""
MOST_DOTS = 40
"""With more values there is no room for dots."""
GRID = (1, 2, 5, 10, 20, 50, 100)
"""Steps between the numbers at the side."""


def session_chart(steps: Steps, table: Table, *, is_last: bool = True) -> Picture | None:
    """The chart of a session and the words that say every figure in it; None where nothing changed.

    The table is as it is after the last session, and an older one does not know today's doom.
    """
    found = flow(steps, table, is_last=is_last)
    if found.is_still:
        return None
    from bot.pictures.canvas import Canvas  # Pillow: no start has to wait for it

    canvas = Canvas()
    _draw(canvas, found)
    return Picture(NAME, canvas.png(), _alt(found))


def session_drawing(steps: Steps, table: Table, *, is_last: bool = True) -> tuple[str, str] | None:
    """The same as a part of a page, and the words that say every figure in it; None where nothing changed."""
    found = flow(steps, table, is_last=is_last)
    if found.is_still:
        return None
    from bot.pictures.vector import Vector

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


def _called(scene: Scene) -> Text:
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
