"""Taking one old change out of a table: three states compared leaf by leaf. Pure.

A leaf is a number, a text or a list, and also a whole thing that the change made or removed. Tables
are compared in the form of `codec.form`, in which only what people add to a table can be missing.
"""

from collections.abc import Mapping
from typing import Any, Final

Path = tuple[str, ...]
MISSING: Final = object()


def take_back(before: Any, after: Any, newest: Any) -> tuple[Any, list[Path]]:
    """The newest state without the change, and the leaves of the change that were changed later."""
    if before == after:
        return newest, []
    if not (isinstance(before, dict) and isinstance(after, dict) and isinstance(newest, dict)):
        return before, [] if newest == after else [()]
    kept = {}
    clashes = []
    for name in dict.fromkeys([*newest, *after, *before]):
        part, below = take_back(*(state.get(name, MISSING) for state in (before, after, newest)))
        clashes += [(name, *path) for path in below]
        if part is not MISSING:
            kept[name] = part
    return kept, clashes


def changed(before: Any, after: Any) -> list[Path]:
    """The leaves in which two states differ."""
    return take_back(before, after, before)[1]


def is_changed(before: Any, after: Any, path: Path) -> bool:
    """Whether two states differ at a leaf."""
    return bool(_at(before, path) != _at(after, path))


def _at(state: Any, path: Path) -> Any:
    for name in path:
        if not isinstance(state, Mapping):
            return MISSING
        state = state.get(name, MISSING)
    return state
