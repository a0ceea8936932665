"""Buttons that work after a restart: everything they need is in their id.

discord.py only logs what goes wrong in such a button, and passes over a press on one that the message has
lost meanwhile; the person would never hear why nothing happens. So the client answers every press, error
or not, and looks after those on buttons that are gone.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, Self, cast

import discord
from discord import Interaction, ui


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a button's id says: its verb, campaign, step and subject."""

    verb: str
    campaign: int
    number: int
    subject: str

    def __str__(self) -> str:
        return f"dk:{self.verb}:{self.campaign}:{self.number}:{self.subject}"


class Answering(Protocol):
    """A client that knows what to do about a press."""

    async def pressed(self, it: Interaction, press: Pressed) -> None:
        """Do what the button says."""


PATTERN = re.compile(r"dk:(?P<verb>[a-z]+):(?P<campaign>[0-9]{1,13}):(?P<number>[0-9]{1,19}):(?P<subject>.*)")
"""An id of ours: a campaign has 40 bits, a number is at most the id of an interaction."""


def read(custom_id: str) -> Pressed | None:
    """What an id says, or None if it is none of ours."""
    match = PATTERN.fullmatch(custom_id)
    return None if match is None else _pressed(match)


def is_gone(it: Interaction, custom_id: str) -> bool:
    """Whether the pressed message has lost the button, so that discord.py passes over the press."""
    return it.message is None or not _holds(it.message.components, custom_id)


class Press(ui.DynamicItem[ui.Button[Any]], template=PATTERN):
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
        return cls(_pressed(match))

    async def callback(self, it: Interaction) -> None:
        """Hand the press to the client, which answers every outcome."""
        await cast("Answering", it.client).pressed(it, self.what)


def _pressed(match: re.Match[str]) -> Pressed:
    return Pressed(match["verb"], int(match["campaign"]), int(match["number"]), match["subject"])


def _holds(components: Iterable[Any], custom_id: str) -> bool:
    """Whether any component, at any depth, has that id."""
    return any(
        getattr(part, "custom_id", None) == custom_id or _holds(getattr(part, "children", ()), custom_id)
        for part in components
    )
