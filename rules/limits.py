"""Limits on annotations: what play can lead to, for what comes from outside. `rules.check` holds them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Annotated, get_type_hints


@dataclass(frozen=True, slots=True)
class Limit:
    """What holds for a field beside its type."""

    most: int | None = None
    """A number is no larger; None where any number may be."""
    is_size: bool = False
    """A number is the size of a die."""
    is_dice: bool = False
    """It counts dice by their size."""
    least: int = 0
    """None of those dice is smaller."""
    has_lines: bool = False
    """A text may have several lines."""
    is_signed: bool = False
    """A number may be below zero, and is at least what `most` is with a minus."""
    longest: int = 0
    """A text may have so many characters, where that is not what any text may have."""


ANY = Limit()
"""What holds where an annotation says nothing."""
MOST_TIMES = 9999
"""Nothing that is counted happens more often."""
Count = Annotated[int, Limit(most=MOST_TIMES)]
"""How often something happened at the table, or is to."""
Signed = Annotated[int, Limit(most=20, is_signed=True)]
"""A modifier of a total (N13)."""
Size = Annotated[int, Limit(is_size=True)]
"""The size of a die."""
DiceBySize = Annotated[Mapping[int, int], Limit(is_dice=True)]
"""How many dice of each size."""
DoomDice = Annotated[Mapping[int, int], Limit(is_dice=True, least=6)]
"""The same of a pool that holds no d4 (M1)."""
Lines = Annotated[str, Limit(has_lines=True)]
"""A text on one line or on several."""


@lru_cache(maxsize=256)
def limits_of(kind: type) -> Mapping[str, Limit]:
    """What holds for each field of a class."""
    hints = get_type_hints(kind, include_extras=True)
    return {each.name: _limit(hints[each.name]) for each in fields(kind)}


def _limit(hint: object) -> Limit:
    marks = (mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, Limit))
    return next(marks, ANY)
