"""Buttons that work after a restart: everything they need is in their id.

discord.py can find such a button in the message that was pressed, but has to build all of the message anew
for that, only logs what goes wrong, and passes over a press on one that the message has lost meanwhile. So
the client reads the id itself and answers every press.
"""

import re
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a button's id says: its verb, campaign, step and subject."""

    verb: str
    campaign: int
    number: int
    subject: str

    def __str__(self) -> str:
        return f"dk:{self.verb}:{self.campaign}:{self.number}:{self.subject}"


PATTERN = re.compile(r"dk:(?P<verb>[a-z]+):(?P<campaign>[0-9]{1,13}):(?P<number>[0-9]{1,19}):(?P<subject>.*)")
"""An id of ours: a campaign has 40 bits, a number is at most the id of an interaction."""


def read(custom_id: str) -> Pressed | None:
    """What an id says, or None if it is none of ours."""
    match = PATTERN.fullmatch(custom_id)
    return None if match is None else _pressed(match)


class Press(ui.Button[Any]):
    """A button of the bot, which works on any message, at any time."""

    def __init__(self, what: Pressed, label: str, style: discord.ButtonStyle) -> None:
        super().__init__(label=label, style=style, custom_id=str(what))


def _pressed(match: re.Match[str]) -> Pressed:
    return Pressed(match["verb"], int(match["campaign"]), int(match["number"]), match["subject"])
