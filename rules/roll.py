"""The shape of a roll, whatever game it is of."""

from typing import Any, Protocol, TypeVar

from rules.values import replace

_Roll = TypeVar("_Roll", bound="Rolled")


class Rolled(Protocol):
    """A roll on the table."""

    @property
    def number(self) -> int:
        """The step that made it."""

    @property
    def player(self) -> int:
        """The Discord id of who rolled."""

    @property
    def who(self) -> str:
        """The name they rolled as."""

    @property
    def gm(self) -> bool:
        """Whether it is the GM's."""

    @property
    def note(self) -> str:
        """What it was for, as typed."""


def with_note(roll: _Roll, note: str) -> _Roll:
    """The roll, with what it was for."""
    made: Any = roll
    fresh: _Roll = replace(made, note=note)
    return fresh
