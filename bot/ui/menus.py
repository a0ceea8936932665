"""Menus in messages: what was chosen."""

from collections.abc import Mapping
from typing import Any

from discord import Interaction, SelectMenu

from bot.ui.account import custom_id
from bot.ui.message import parts


def chosen(it: Interaction[Any]) -> tuple[str, ...]:
    """The values that are chosen in a menu, in its order; none where none is."""
    data: Mapping[str, Any] = it.data or {}
    return tuple(str(value) for value in data.get("values", ()))


def offered(it: Interaction[Any]) -> tuple[str, ...]:
    """The values that the pressed menu had to choose of, as its message shows it; none where that is gone."""
    pressed = custom_id(it)
    menus = (part for part in parts(it.message) if isinstance(part, SelectMenu))
    return tuple(option.value for menu in menus if menu.custom_id == pressed for option in menu.options)
