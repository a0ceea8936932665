"""Frozen values: a fast `replace`, values stored as text, complete enum mappings, field limits."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache, lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, Self, TypeVar, get_args, get_type_hints

if TYPE_CHECKING:  # so that mypy knows the parts of each class, and their types
    from dataclasses import replace as replace
else:

    def replace(value, /, **changes):
        """The same value with some parts changed. Raises TypeError for a part that it has not.

        `dataclasses.replace` asks each field what it is and calls a constructor with all of them: 6 µs for a
        table, and a step makes a dozen. What is frozen and has slots can be filled directly.
        """
        parts, put, held = _made_of(type(value))
        fresh = object.__new__(type(value))
        for set_part, part in zip(put, held(value), strict=True):
            set_part(fresh, part)
        try:
            for name, part in changes.items():
                parts[name](fresh, part)
        except KeyError as error:
            raise TypeError(f"{type(value).__name__} has no part {error}") from None
        return fresh


class StoredAsText(ABC):
    """A value that is stored as one string: `str` writes it, `of_text` reads it."""

    __slots__ = ()

    @classmethod
    @abstractmethod
    def of_text(cls, text: str) -> Self:
        """Return the value that is stored as this text."""


_Put = Callable[[object, object], None]


@cache
def _made_of(kind: Any) -> tuple[dict[str, _Put], tuple[_Put, ...], Callable[[object], Iterable[object]]]:
    """What fills each part of a class, by name and in order, and what takes all parts of a value."""
    names = [part.name for part in fields(kind)]
    parts: dict[str, _Put] = {name: getattr(kind, name).__set__ for name in names}
    get = attrgetter(*names)
    held = get if len(names) > 1 else lambda value: (get(value),)
    return parts, tuple(parts.values()), held


_Member = TypeVar("_Member")


_Record = TypeVar("_Record")


def exhaustive(of: object, records: Mapping[_Member, _Record]) -> Mapping[_Member, _Record]:
    """Return the records unchanged, after checking that no member is missing.

    `of` is an enum, a union of classes, or a mapping. Raises LookupError, usually at import, if one of
    its members has no record.
    """
    missing = [each for each in members(of) if each not in records]
    if missing:
        raise LookupError(f"These have no record: {missing}")
    return records


def members(of: object) -> Iterator[Any]:
    """Yield the members of an enum, the classes of a (nested) union, or the keys of a mapping.

    >>> list(members(int | str)), list(members({"a": 1}))
    ([<class 'int'>, <class 'str'>], ['a'])
    """
    if isinstance(of, Mapping):
        yield from of
    if isinstance(of, type):
        yield from of if issubclass(of, Enum) else (of,)
    for part in get_args(of):
        yield from members(part)


@dataclass(frozen=True, slots=True)
class Limit:
    """Limits on a field's value, beyond its type."""

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
    """Return the limits of each field of a class, by field name (cached)."""
    hints = get_type_hints(kind, include_extras=True)
    return {each.name: _limit(hints[each.name]) for each in fields(kind)}


def _limit(hint: object) -> Limit:
    marks = (mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, Limit))
    return next(marks, ANY)
