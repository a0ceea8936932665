"""What a person sees of a server: the channels that they may look into.

The place that they ask from is told by the interaction. Of other channels the library knows who sees them:
the roles of whoever asks come with the interaction, what channels allow and deny with the server. A thread is
seen by who sees the channel above it; a private one by its members, whom only Discord knows.
"""

from collections.abc import Collection

import discord
from discord import Interaction

from bot.ui.line import CUT

MOST_ASKED = 5
"""Discord is asked about so many channels at most for one answer."""
UNKNOWN = (discord.HTTPException, discord.InvalidData, discord.ClientException, *CUT)
"""What it looks like when Discord does not say."""


class Eyes:
    """What whoever asks sees."""

    def __init__(self, it: Interaction) -> None:
        self._it = it
        self._learned: dict[int, bool] = {}

    @property
    def person(self) -> int:
        """Who looks."""
        return self._it.user.id

    def look(self, channels: Collection[int]) -> bool | None:
        """Whether they see one of the channels; None where only Discord knows."""
        it = self._it
        here = {it.channel_id, getattr(it.channel, "parent_id", None)}
        if it.permissions.manage_guild or here & set(channels):
            return True
        seen = [self._known(each) for each in channels]
        return True if any(seen) else None if None in seen else False

    async def ask(self, channels: Collection[int]) -> bool:
        """The same, where Discord is asked; what it does not say either is not seen."""
        known = self.look(channels)
        if known is not None:
            return known
        unknown = [each for each in channels if self._known(each) is None]
        for each in sorted(unknown, reverse=True)[:MOST_ASKED]:
            self._learned[each] = await self._fetched(each)
            if self._learned[each]:
                return True
        return False

    def _known(self, channel: int) -> bool | None:
        """Whether they see a channel, as far as the library knows."""
        guild, who = self._it.guild, self._it.user
        if channel in self._learned:
            return self._learned[channel]
        place = guild.get_channel_or_thread(channel) if guild else None
        return _sees(who, place) if isinstance(who, discord.Member) and place else None

    async def _fetched(self, channel: int) -> bool:
        """Whether they see a channel that is not known, or are a member of a private thread."""
        guild, who = self._it.guild, self._it.user
        if guild is None or not isinstance(who, discord.Member):
            return False
        try:
            place = guild.get_channel_or_thread(channel) or await guild.fetch_channel(channel)
        except UNKNOWN:
            return False
        return await self.sees(place)

    async def sees(self, place: discord.abc.GuildChannel | discord.Thread) -> bool:
        """Whether they see a place themselves, whatever they manage; not where Discord does not say so."""
        who = self._it.user
        if not isinstance(who, discord.Member):
            return False
        known = _sees(who, place)
        if known is None and isinstance(place, discord.Thread) and place.parent is not None:
            try:
                await place.fetch_member(who.id)
            except UNKNOWN:
                return False
            return True
        return known is True


def _sees(who: discord.Member, place: discord.abc.GuildChannel | discord.Thread) -> bool | None:
    """Whether a person sees a channel; None where that cannot be worked out."""
    above = place.parent if isinstance(place, discord.Thread) else place
    if above is None:
        return None
    may = above.permissions_for(who)
    is_apart = isinstance(place, discord.Thread) and place.is_private() and not may.manage_threads
    return None if may.view_channel and is_apart else may.view_channel
