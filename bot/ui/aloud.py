"""Messages of the bot's own to a channel.

An answer that all can see shows who asked, by which command, and everything that was typed into it. What is
to keep one of these from others is answered to its caller alone, and the channel is told by a message that
answers nobody.
"""

import secrets
from typing import Any

import discord
from discord import Interaction

from bot.language.line import Text, spoken
from bot.render.card import Card
from bot.render.setup import right_names
from bot.ui.answered import answered_of
from bot.ui.layout import contents
from bot.ui.line import CUT, once_more
from bot.ui.message import only
from rules.errors import NotAllowed


async def tell_channel(it: Interaction, card: Card) -> int:
    """Tell the channel of an interaction; the message's id. Raises NotAllowed with what is missing."""
    place = it.client.get_partial_messageable(it.channel_id or 0, guild_id=it.guild_id)
    # One nonce for both tries, so that Discord takes them for one message; discord.py has another for
    # each call.
    only_these: dict[str, Any] = {"allowed_mentions": only(card.calls), "nonce": secrets.randbits(64)}
    try:
        # What is sent is made anew for another try: files are closed after the first.
        told = await once_more(lambda: place.send(**contents(card, 0), **only_these))
    except (discord.HTTPException, discord.RateLimited, *CUT) as error:
        raise _refusal(it, error) from error
    answered_of(it).note(it, told.id)
    return told.id


async def try_telling(it: Interaction, card: Card) -> Text:
    """Tell the channel of an interaction, if it can be told; else why it is not."""
    try:
        await tell_channel(it, card)
    except NotAllowed as error:
        return spoken(error.words)
    return ""


def _refusal(it: Interaction, error: Exception) -> NotAllowed:
    """Why the channel is not told, and what to do."""
    if not isinstance(error, discord.Forbidden):
        return NotAllowed("Discord didn't accept the message, so the channel wasn't told. Try again.")
    write = "send_messages_in_threads" if isinstance(it.channel, discord.Thread) else "send_messages"
    missing = [right for right in ("view_channel", write) if not getattr(it.app_permissions, right)]
    return NotAllowed(
        "The channel wasn't told: the bot needs {rights} in this channel. Ask a member with Manage "
        "Server to fix this; until then, tell the {gm.one}.",
        rights=right_names(missing or [write]),
    )
