"""Menus in messages: what was chosen."""

from collections.abc import Mapping
from typing import Any

from discord import Interaction

from bot.render.card import STALE
from rules.errors import TooLate


def chosen(it: Interaction[Any]) -> tuple[str, ...]:
    """The values that are chosen in a menu, in its order; none where none is."""
    data: Mapping[str, Any] = it.data or {}
    return tuple(str(value) for value in data.get("values", ()))


def chosen_one(it: Interaction[Any]) -> str:
    """The one value that is chosen in a menu. Raises TooLate where none is."""
    values = chosen(it)
    if not values:
        raise TooLate(STALE)
    return values[0]
