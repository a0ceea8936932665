"""Telling a channel something that nobody is to be known for.

It is a message of the bot's own: an answer to an interaction shows everybody who asked. Each kind is told at
most once in a while in one channel, which is remembered by the channel alone, and not by whom.
"""

import secrets
import time
from collections import defaultdict
from functools import partial

import discord
from discord import Interaction

from bot.language import say
from bot.render.card import Card
from bot.render.setup import RIGHTS
from bot.ui.budget import Budget
from bot.ui.layout import NOBODY, contents
from bot.ui.line import CUT, once_more
from rules.errors import NotAllowed, TooLate

PAUSE = 30.0
"""Seconds in which a channel is told the same kind of thing once."""


class Anonymous:
    """Tells channels; refuses what would come too often, and says which right is missing."""

    def __init__(self) -> None:
        self._budgets: defaultdict[str, Budget] = defaultdict(lambda: Budget(1, PAUSE))

    async def tell(self, it: Interaction, kind: str, card: Card) -> None:
        """Tell the channel. Raises TooLate where it was told just now, NotAllowed where it cannot be."""
        if not self._allows(it, kind):
            raise TooLate(
                "This channel was told that less than {seconds} seconds ago. To tell it again, wait a "
                "moment, or say it yourself.",
                seconds=round(PAUSE),
            )
        await self._send(it, kind, card)

    async def mention(self, it: Interaction, kind: str, card: Card) -> str:
        """Tell the channel if it can be; else why it is not told."""
        if not self._allows(it, kind):
            return say("The channel was told of another a moment ago; this one is in the list: /safety show")
        try:
            await self._send(it, kind, card)
        except NotAllowed as error:
            return str(error)
        return ""

    def _allows(self, it: Interaction, kind: str) -> bool:
        return self._budgets[kind].allows(it.channel_id or 0, time.monotonic())

    async def _send(self, it: Interaction, kind: str, card: Card) -> None:
        place = it.client.get_partial_messageable(it.channel_id or 0, guild_id=it.guild_id)
        only = {"allowed_mentions": NOBODY, "nonce": secrets.randbits(64)}
        try:
            await once_more(partial(place.send, **contents(card, 0), **only))
        except (discord.HTTPException, discord.RateLimited, *CUT) as error:
            self._budgets[kind].give_back(it.channel_id or 0)
            raise _refusal(it, error) from error


def _refusal(it: Interaction, error: Exception) -> NotAllowed:
    """Why the channel is not told, and what to do."""
    if not isinstance(error, discord.Forbidden):
        return NotAllowed("Discord did not take the message, so the channel is not told. Try again.")
    write = "send_messages_in_threads" if isinstance(it.channel, discord.Thread) else "send_messages"
    missing = [right for right in ("view_channel", write) if not getattr(it.app_permissions, right)]
    return NotAllowed(
        "The bot may not write in this channel, so the channel is not told. It needs {rights}. Who manages "
        "the server can give that; until then, tell the GM.",
        rights=" and ".join(RIGHTS[right][0] for right in missing or [write]),
    )
