"""One record for each member of a closed set, so that no member can be without one."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, TypeVar, get_args

_Member = TypeVar("_Member")
_Record = TypeVar("_Record")


def every(of: object, records: Mapping[_Member, _Record]) -> Mapping[_Member, _Record]:
    """The records as they are given: one for each member of an enum, class of a union, or name of a mapping.

    Raises LookupError, at import, where a member has none.
    """
    missing = [each for each in members(of) if each not in records]
    if missing:
        raise LookupError(f"These have no record: {missing}")
    return records


def members(of: object) -> Iterator[Any]:
    """The members of an enum, the classes of a union and of those in it, or the names of a mapping."""
    if isinstance(of, Mapping):
        yield from of
    if isinstance(of, type):
        yield from of if issubclass(of, Enum) else (of,)
    for part in get_args(of):
        yield from members(part)
