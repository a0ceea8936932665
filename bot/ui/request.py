"""Who asks, and where: read off an interaction."""

from functools import lru_cache

import discord
from discord import Interaction

from bot.language import say
from bot.language.printers import spelled
from bot.play.asked import Asked, Own
from bot.store.history import Place
from bot.ui.own import owner
from bot.ui.sight import Eyes
from rules.campaign.seats import Actor
from rules.errors import Unreadable
from rules.names import clean

AGREED = "agreed"
"""Where an interaction carries what its person has agreed to."""
EYES = "eyes"
"""Where it carries what was learned of what they see."""


def asked(it: Interaction, campaign: int = 0) -> Asked:
    """Who asks, where, and by which interaction.

    Where the bot is not on the server, the place is the dice of whoever has it for themselves.
    """
    if own := owner(it):
        is_theirs = own == it.user.id
        who = actor(it.user, agreed=it.extras.get(AGREED, ()))
        kind = Own.THEIRS if is_theirs else Own.ANOTHERS
        return Asked(who, Place(own), it.id, campaign, spelled(say("Your own dice")), own=kind)
    channel = it.channel_id or 0
    parent = it.channel.parent_id if isinstance(it.channel, discord.Thread) else 0
    place = Place(channel, it.guild_id or 0, parent)
    who = actor(it.user, manages=it.permissions.manage_guild, agreed=it.extras.get(AGREED, ()))
    return Asked(who, place, it.id, campaign, _name(it), sight=it.extras.setdefault(EYES, Eyes(it)))


def _name(it: Interaction) -> str:
    """What the place is called."""
    name = getattr(it.channel, "name", None)
    if not name:
        return spelled(say("Direct messages"))
    return _readable(str(name)[:100]) or spelled(say("Table"))


def actor(
    user: discord.User | discord.Member, *, manages: bool = False, agreed: tuple[str, ...] = ()
) -> Actor:
    """A person, by the name that the others see."""
    return Actor(user.id, _readable(user.display_name) or spelled(say("Somebody")), manages, agreed)


@lru_cache(maxsize=1024)
def _readable(name: str) -> str:
    """A name without what cannot be seen; "" where nothing is left of it."""
    try:
        return clean(name)
    except Unreadable:
        return ""
