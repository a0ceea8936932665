"""Menus in messages: what was chosen."""

from collections.abc import Mapping
from typing import Any

from discord import Interaction


def chosen(it: Interaction[Any]) -> tuple[str, ...]:
    """The values that are chosen in a menu, in its order; none where none is."""
    data: Mapping[str, Any] = it.data or {}
    return tuple(str(value) for value in data.get("values", ()))
