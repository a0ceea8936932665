"""Buttons that work after a restart: everything they need is in their id.

discord.py only logs what goes wrong in such a button, and passes over a press on one that the message has
lost meanwhile; the person would never hear why nothing happens. So the client answers every press, error
or not, and looks after those on buttons that are gone.
"""

import re
from collections.abc import Iterable
from typing import Any, Protocol, Self, cast

import discord
from discord import Interaction, ui

from bot.asks.question import Pressed


class Answering(Protocol):
    """A client that knows what to do about a press."""

    async def pressed(self, it: Interaction, press: Pressed) -> None:
        """Do what the button says."""


def is_gone(it: Interaction, custom_id: str) -> bool:
    """Whether the pressed message has lost the button, so that discord.py passes over the press."""
    return it.message is None or not _holds(it.message.components, custom_id)


class Press(ui.DynamicItem[ui.Button[Any]], template=Pressed.PATTERN):
    """A button of the bot, on any message, at any time."""

    def __init__(
        self,
        what: Pressed,
        label: str | None = None,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    ) -> None:
        self.what = what
        super().__init__(ui.Button(label=label, style=style, custom_id=str(what)))

    @classmethod
    async def from_custom_id(cls, it: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> Self:
        """The button of that id, as discord.py asks for it."""
        return cls(Pressed.of(match))

    async def callback(self, it: Interaction) -> None:
        """Hand the press to the client, which answers every outcome."""
        await cast("Answering", it.client).pressed(it, self.what)


def _holds(components: Iterable[Any], custom_id: str) -> bool:
    """Whether any component, at any depth, has that id."""
    return any(
        getattr(part, "custom_id", None) == custom_id or _holds(getattr(part, "children", ()), custom_id)
        for part in components
    )
