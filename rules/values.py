"""Frozen values and `replace`, values stored as text, complete enum mappings, field limits."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Self, TypeVar, dataclass_transform, get_args, get_type_hints

import msgspec

if TYPE_CHECKING:  # mypy then checks the names and types of the changed fields
    from dataclasses import replace as replace
else:

    def replace(value, /, **changes):
        """Return the same value with some fields changed. Raises TypeError for an unknown field."""
        change = msgspec.structs.replace if isinstance(value, msgspec.Struct) else dataclasses.replace
        return change(value, **changes)


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Value(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Base class of frozen values. Fields that have their default aren't stored.

    A field has its default if it is the same object, or an empty mapping; an equal object is stored. No value
    refers to itself, so the garbage collector needn't look at any.
    """


class StoredAsText(ABC):
    """A value that is stored as one text, which `of_text` reads; values of the same text are equal."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    @classmethod
    @abstractmethod
    def of_text(cls, text: str) -> Self:
        """Return the value that is stored as this text."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.of_text({self.text!r})"

    def __str__(self) -> str:
        return self.text


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


class Limit(Value):
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
def limits_of(kind: type[Value]) -> Mapping[str, Limit]:
    """Return the limits of each field of a class, by field name (cached)."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: _limit(hints[name]) for name in kind.__struct_fields__}


def _limit(hint: object) -> Limit:
    marks = (mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, Limit))
    return next(marks, ANY)
