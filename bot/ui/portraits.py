"""Portraits that go with a message as a file, and those that a message has already."""

from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import discord
from discord import Interaction

from bot.render.card import Card
from rules.values import replace


async def with_portrait(it: Interaction[Any], card: Card, campaign: int) -> Card:
    """A card for a new message, with the portrait that it names, if that is still kept."""
    shown = card.portrait
    if shown is None or not shown.digest:
        return card
    data = await it.client.portraits.find(campaign, shown.digest)
    return replace(card, portrait=replace(shown, data=data) if data else None)


def with_shown_portrait(message: discord.Message | None, card: Card) -> Card:
    """A card for an edit of a message: a file that is there stays, and no other can come with an edit."""
    wanted = card.portrait
    if wanted is None or not wanted.digest:
        return card
    address = _shown(message).get(wanted.file)
    return replace(card, portrait=replace(wanted, address=address) if address else None)


def _shown(message: discord.Message | None) -> dict[str, str]:
    """The addresses of the files that a message shows beside its texts, by their names."""
    found, waiting = dict[str, str](), list[Any](message.components if message else ())
    while waiting:
        part = waiting.pop()
        waiting += getattr(part, "children", ())
        beside = getattr(part, "accessory", None)
        if isinstance(beside, discord.ThumbnailComponent):
            found[PurePosixPath(urlsplit(beside.media.url).path).name] = beside.media.url
    return found
