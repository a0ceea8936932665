"""The one message that the bot brings to a server: in its system channel, or the first where it may write."""

from datetime import datetime, timedelta

import discord
import structlog

from bot.render.card import Card
from bot.store.notes import Notes
from bot.ui.layout import NOBODY, contents

log = structlog.get_logger(__name__)

JUST = timedelta(minutes=10)
"""A server that the bot joined longer ago is one that was away, or that it joined while it was stopped."""


async def greet(notes: Notes, guild: discord.Guild, card: Card, telling: str, now: datetime) -> None:
    """Greet a server once for each time that the bot comes to it; nothing where it may write nowhere.

    What is noted under `telling` is told by the card, and then no more.
    """
    joined = guild.me.joined_at
    if joined is None or now - joined > JUST:
        return
    key, when = f"greeted:{guild.id}", joined.isoformat()
    place = _place(guild)
    if place is None or await notes.read(key) == when:
        return
    # Noted first: rather no greeting than two.
    await notes.keep(key, when)
    try:
        await place.send(**contents(card, 0), allowed_mentions=NOBODY)
    except discord.HTTPException as error:
        log.warning("server not greeted", server=guild.id, reason=str(error))
    else:
        await notes.drop(telling)


def _place(guild: discord.Guild) -> discord.TextChannel | None:
    """The system channel, or the first text channel, where the bot may write."""
    first = [] if guild.system_channel is None else [guild.system_channel]
    for place in (*first, *guild.text_channels):
        may = place.permissions_for(guild.me)
        if may.view_channel and may.send_messages:
            return place
    return None
