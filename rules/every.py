"""One record for each member of a closed set, so that no member can be without one."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, TypeVar, get_args, overload

_Member = TypeVar("_Member", bound=Enum)
_Record = TypeVar("_Record")


@overload
def every(of: type[_Member], records: Mapping[_Member, _Record]) -> Mapping[_Member, _Record]: ...
@overload
def every(of: object, records: Mapping[type, _Record]) -> Mapping[type, _Record]: ...
def every(of: object, records: Mapping[Any, _Record]) -> Mapping[Any, _Record]:
    """The records as they are given: one for each member of an enum, or for each class of a union.

    Raises LookupError, at import, where a member has none.
    """
    missing = [each for each in members(of) if each not in records]
    if missing:
        raise LookupError(f"Not every {getattr(of, '__name__', 'kind')} has a record: {missing} is without.")
    return records


def members(of: object) -> Iterator[object]:
    """The members of an enum, or the classes of a union, those of unions in it too."""
    if isinstance(of, type) and issubclass(of, Enum):
        yield from of
    elif isinstance(of, type):
        yield of
    else:
        for part in get_args(of):
            yield from members(part) if isinstance(part, type) or get_args(part) else ()
