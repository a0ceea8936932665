"""The charts of a session: each game draws what it has to show of one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.render.card import Picture
from rules.facts import Fact
from rules.table import Table

Steps = Iterable[Sequence[Fact]]
"""The facts of each step, oldest first."""


class Chart(Protocol):
    """The chart of a session as a picture; none where there is nothing to show."""

    def __call__(self, steps: Steps, table: Table, *, is_last: bool) -> Picture | None:
        """The table is that of now; only the last session is as it is."""


class Drawing(Protocol):
    """The same as a part of a page, and the words that say all that is in it."""

    def __call__(self, steps: Steps, table: Table, *, is_last: bool) -> tuple[str, str] | None:
        """The table is that of now; only the last session is as it is."""


@dataclass(frozen=True, slots=True)
class Charts:
    """How a game draws a session, in a message and on a page."""

    chart: Chart
    drawing: Drawing


_known: list[Charts] = []


def learn(*games: Charts) -> None:
    """Let games draw their sessions so."""
    _known[:] = games


def session_charts(steps: Sequence[Sequence[Fact]], table: Table, *, is_last: bool) -> tuple[Picture, ...]:
    """What there is to show of a session."""
    found = (each.chart(steps, table, is_last=is_last) for each in _known)
    return tuple(filter(None, found))


def session_drawings(
    steps: Sequence[Sequence[Fact]], table: Table, *, is_last: bool
) -> tuple[tuple[str, str], ...]:
    """The same for a page, each with its words."""
    found = (each.drawing(steps, table, is_last=is_last) for each in _known)
    return tuple(filter(None, found))
