"""Servers that the bot joins and leaves, and its greeting there."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any

import discord
import structlog
from discord.ext import commands

from bot.client.layout import NOBODY, contents
from bot.clock import clock_of
from bot.services.jobs import Keeper, ended
from bot.store.history import Place
from bot.store.pending import Notes
from bot.views.card import Card

NOT_THERE = (10004, 50001)
"""Discord's codes for a server that is not there, or that the bot is not on."""


class ServerEvents(commands.Cog):
    """Handles events of servers and channels."""

    def __init__(
        self,
        client: commands.Bot | commands.AutoShardedBot,
        keeper: Keeper,
        redraw: Callable[[Place], Coroutine[Any, Any, None]],
        check_pin: Callable[[int], Coroutine[Any, Any, None]],
    ) -> None:
        self._client = client
        self._keeper = keeper
        self._redraw = redraw
        self._check_pin = check_pin
        self._busy: set[asyncio.Task[None]] = set()
        self._is_closed = False

    async def cog_unload(self) -> None:
        """Finish handling events and accept no more, because the database closes next."""
        self._is_closed = True
        await ended(self._busy, clock_of(self._client))

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Handle the ready event of a bot with one shard; several shards report separately."""
        if not isinstance(self._client, discord.AutoShardedClient):
            await self.on_shard_ready(self._client.shard_id or 0)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        """Handle the moment when all servers of a shard are known, including unavailable ones."""
        count = self._client.shard_count or 1

        def is_ours(server: int) -> bool:
            return (server >> 22) % count == shard  # as Discord shares servers out

        def servers() -> set[int]:
            return {guild.id for guild in self._client.guilds if is_ours(guild.id)}

        await self._do(self._keeper.compare, servers, is_ours)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Handle that the bot joined a server, perhaps again."""
        await self._do(self._keeper.come_back, guild.id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Handle that the bot was removed from a server; outages do not trigger this event."""
        await self._do(self._keeper.leave, guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Handle that a channel was deleted, and its threads with it."""
        for thread in getattr(channel, "threads", ()):
            await self._do(self._keeper.drop_channel, thread.id)
        await self._do(self._keeper.drop_channel, channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        """Handle that a thread was deleted."""
        await self._do(self._keeper.drop_channel, thread.thread_id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, thread: discord.RawThreadUpdateEvent) -> None:
        """Handle that a thread may be active again, in which messages could not be edited."""
        if not thread.data["thread_metadata"]["archived"]:
            await self._do(self._redraw, Place(thread.thread_id, thread.guild_id, thread.parent_id))

    @commands.Cog.listener()
    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Handle that the bot may have been given permissions, without which it could delete no message."""
        await self._do(self._redraw, Place(after.id, after.guild.id))

    @commands.Cog.listener()
    async def on_guild_channel_pins_update(
        self, channel: discord.abc.GuildChannel | discord.Thread, last_pin: datetime | None
    ) -> None:
        """Handle that a message was pinned or unpinned, perhaps a table."""
        await self._do(self._check_pin, channel.id)

    async def _do(self, work: Callable[..., Coroutine[Any, Any, None]], *args: Any) -> None:
        """Do something about what was heard, unless the bot stops."""
        if self._is_closed:
            return
        task = asyncio.get_running_loop().create_task(work(*args))
        self._busy.add(task)
        task.add_done_callback(self._busy.discard)
        await task


async def is_member(client: discord.Client, server: int) -> bool:
    """Ask Discord whether the bot is on a server. Raises discord.HTTPException if Discord fails."""
    try:
        await client.fetch_guild(server, with_counts=False)
    except discord.HTTPException as error:
        if error.code in NOT_THERE:
            return False
        raise
    return True


log = structlog.get_logger(__name__)

JUST = timedelta(minutes=10)
"""A server that the bot joined longer ago is one that was away, or that it joined while it was stopped."""


async def greet(notes: Notes, guild: discord.Guild, card: Card, telling: str, now: datetime) -> None:
    """Post the greeting once each time the bot joins a server, if it can write anywhere there.

    The card tells what is noted under `telling`; the note is deleted after posting.
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
