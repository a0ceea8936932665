"""Names and their keys, and who comes to a session that is planned."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.texts import Name, Note

SCENE = "scene"
"""The key under which the scene owns traits of its own."""


def key(name: str) -> str:
    """The key of a name: equal for names that differ in capitals only."""
    return name.casefold()


class Coming(StrEnum):
    """Whether somebody comes to a session; who is away then has not said so of this one."""

    IN = "in"
    MAYBE = "maybe"
    OUT = "out"
    AWAY = "away"


@dataclass(frozen=True, slots=True)
class Thread:
    """Something that was noted and is still open, as typed; what is `secret` is the GM's alone."""

    text: Note
    secret: bool = False
    about: Name = ""
    """Who or what it is about."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What somebody has answered, by the name they go by; None while they are asked anew."""

    name: str
    coming: Coming | None = None
    moved: int = 0
    """To which time of the session: what the plan's `moved` was."""
    said: int = 0
    """When, in milliseconds since 1970; 0 for who has planned the session, and pressed nothing."""


@dataclass(frozen=True, slots=True)
class Plan:
    """When the next session is to be: the number of the step that planned it, and seconds since 1970.

    It is at 0 while people are asked which of several `times` suits them. After so many `weeks` the next one
    is planned; 0 for never. One that `is_off` is called off, and one that `is_over` was the last.
    """

    number: int
    at: int
    note: str = ""
    weeks: int = 0
    replies: Mapping[int, Reply] = field(default_factory=dict)
    """By Discord id."""
    is_off: bool = False
    unread: str = ""
    """What is kept in its place, as JSON, where this version cannot read it; then it is off."""
    is_over: bool = False
    moved: int = 0
    """The number of the step that has given it its time since it was planned; 0 where none has."""
    minute: int | None = None
    """The minute of the day that those after it are for, where the clocks skip it on its own day."""
    times: Mapping[int, Mapping[int, str]] = field(default_factory=dict)
    """The times that are asked for, or were, in seconds since 1970: who can then, by Discord id, by name."""
    gone: tuple[int, ...] = ()
    """Which of these times are over, where the plan is told at a time."""
    least: int = 0
    """So many players have to come, or the GM is told; 0 for any number."""
    since: int = 0
    """How often the table's plans had been changed when it was planned."""

    @property
    def is_asked(self) -> bool:
        """Whether people are still asked which time suits them."""
        return self.is_open and not self.at

    @property
    def is_open(self) -> bool:
        """Whether the session may still be."""
        return not (self.is_off or self.is_over)
