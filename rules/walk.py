"""The names, labels and notes in facts and states: each is found by its mark, and can be said otherwise."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, TypeVar, cast, get_args, get_type_hints

from rules.texts import Says
from rules.values import replace

_Part = TypeVar("_Part")

Reword = Callable[[Says, str], str]
"""A text of that sort, said otherwise."""


def said(part: object) -> Iterator[tuple[Says, str]]:
    """Every name, label and note in a fact, with what it is."""
    found: list[tuple[Says, str]] = []

    def note(says: Says, text: str) -> str:
        found.append((says, text))
        return text

    reworded(part, note)
    return (each for each in found if each[1])


def reworded(part: _Part, reword: Reword) -> _Part:
    """A fact, or facts, with every name, label and note said otherwise; what says nothing stays the same."""
    return cast("_Part", _reworded(part, None, reword))


def _reworded(part: Any, says: Says | None, reword: Reword) -> Any:
    if isinstance(part, str):
        return reword(says, part) if says else part
    if isinstance(part, tuple):
        fresh = tuple(_reworded(each, says, reword) for each in part)
        return part if fresh == part else fresh
    if isinstance(part, Mapping):
        return {name: _reworded(each, says, reword) for name, each in part.items()}
    if not is_dataclass(part) or isinstance(part, type):
        return part
    changes = {}
    for name, what in _texts(type(part)).items():
        before = getattr(part, name)
        after = _reworded(before, what, reword)
        if after != before:
            changes[name] = after
    return replace(cast("Any", part), **changes) if changes else part


@lru_cache(maxsize=256)
def _texts(kind: type) -> Mapping[str, Says | None]:
    """The fields of a class, with what their texts say."""
    hints = get_type_hints(kind, include_extras=True)
    return {each.name: _says(hints[each.name]) for each in fields(kind)}


def _says(hint: Any) -> Says | None:
    """What a text is by its annotation, or what each is in a row of them."""
    marks = (mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, Says))
    return next(marks, None) or next(filter(None, map(_says, get_args(hint))), None)
