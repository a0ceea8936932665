"""Remembering what was worked out of a value that nothing changes."""

from collections.abc import Callable
from typing import TypeVar

_V = TypeVar("_V")
_R = TypeVar("_R")

MOST = 512
"""So many answers are remembered of each function."""


def remembered(function: Callable[[_V], _R]) -> Callable[[_V], _R]:
    """The function, which is asked but once about the very same value.

    A value is known by its identity, since comparing a roll takes longer than most questions about it. It is
    held with its answer, so that no other value can have its identity meanwhile.
    """
    known: dict[int, tuple[_V, _R]] = {}

    def ask(value: _V) -> _R:
        found = known.get(id(value))
        if found is not None and found[0] is value:
            return found[1]
        answer = function(value)
        if len(known) >= MOST:
            known.clear()
        known[id(value)] = value, answer
        return answer

    ask.__doc__, ask.__name__ = function.__doc__, function.__name__
    return ask
