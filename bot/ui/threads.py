"""A scene's own thread: opened as it begins, put away when it ends, with its story in the channel.

A campaign has one such thread at a time. It is remembered until its scene ends, also over a restart.
"""

import asyncio
from dataclasses import dataclass
from typing import Final

import discord
import structlog
from discord import Interaction

from bot.language import say
from bot.play import Play
from bot.render.card import Card, channel, heading, small
from bot.render.setup import right_names
from bot.render.words import stretch_words
from bot.store.history import Place
from bot.store.ledger import Ledger
from bot.tell import Done
from bot.ui.layout import NOBODY, contents
from bot.ui.line import CUT
from bot.ui.message import answer
from bot.use.sessions import scene_card
from rules.causes import Stretch
from rules.table import Table
from rules.values import replace

log = structlog.get_logger(__name__)

NEEDED = ("create_public_threads", "send_messages_in_threads")
LONGEST_NAME = 100
"""A thread's name has at most this many characters."""
ARCHIVE_MINUTES: Final = 10080
"""After a week without a word Discord hides a thread by itself; whoever writes there brings it back."""


@dataclass(frozen=True, slots=True)
class _Scene:
    """A scene that has a thread: the thread, its channel, and the step that began the scene."""

    thread: int
    channel: int
    step: int


class SceneThreads:
    """Opens threads for scenes and puts them away, a `pause` later: first the last edits are made there."""

    def __init__(self, client: discord.Client, play: Play, ledger: Ledger, pause: float) -> None:
        self._client = client
        self._play = play
        self._ledger = ledger
        self._pause = pause
        self._at_work: set[asyncio.Task[None]] = set()

    async def answer(self, it: Interaction, done: Done, *, opens: bool = False) -> None:
        """Answer with what a scene's beginning or end came to, and let its threads follow."""
        # Before the new scene's thread is noted in its place.
        ended = await self._taken(done.campaign)
        await answer(it, await self._opened(it, done) if opens else done)
        if ended is not None:
            task = asyncio.create_task(self._put_away(done, ended), name="thread put away")
            self._at_work.add(task)
            task.add_done_callback(self._at_work.discard)

    async def flush(self) -> None:
        """Finish what is at work, before the bot stops."""
        if self._at_work:
            await asyncio.wait(self._at_work)

    async def _opened(self, it: Interaction, done: Done) -> Done:
        """What is answered, with the scene's new thread, or why there is none."""
        place = it.channel.parent if isinstance(it.channel, discord.Thread) else it.channel
        missing = [right for right in NEEDED if not getattr(it.app_permissions, right)]
        if not isinstance(place, discord.TextChannel):
            return _with(done, say("Only a server’s text channels have threads, so it is played here."))
        if isinstance(it.channel, discord.Thread) and not await self._is_table_of(place, done.campaign):
            return _with(done, say("This thread has a table of its own, so the scene is played here."))
        if missing:
            rights = right_names(missing)
            return _with(
                done, say("The scene has no thread: the bot lacks the right {rights} here.", rights=rights)
            )
        kind = discord.ChannelType.news_thread if place.is_news() else discord.ChannelType.public_thread
        name = done.table.scene[:LONGEST_NAME]
        try:
            thread = await place.create_thread(name=name, type=kind, auto_archive_duration=ARCHIVE_MINUTES)
            await thread.send(**contents(_first_card(done.table), done.campaign), allowed_mentions=NOBODY)
        except (discord.DiscordException, *CUT) as error:
            log.warning("no thread", channel=place.id, reason=str(error))
            return _with(done, say("Discord did not open a thread, so the scene is played here."))
        await self._note(done.campaign, f"{thread.id}:{place.id}:{done.table.number}")
        return _with(done, say("It is played in {thread}.", thread=channel(thread.id)))

    async def _is_table_of(self, place: discord.TextChannel, campaign: int) -> bool:
        """Whether a new thread of a channel would be at that table."""
        found = await self._ledger.look(Place(place.id, place.guild.id))
        return found is not None and found.campaign == campaign

    async def _put_away(self, done: Done, ended: _Scene) -> None:
        """Tell the scene's story in its channel, then archive its thread."""
        try:
            card = await scene_card(self._play, done.campaign, done.table, ended.step)
            if card is not None:
                place = self._client.get_partial_messageable(ended.channel)
                await place.send(**contents(card, done.campaign), allowed_mentions=NOBODY)
            await asyncio.sleep(self._pause)
            thread = await self._client.fetch_channel(ended.thread)
            if isinstance(thread, discord.Thread):
                await thread.edit(archived=True)
        except (discord.DiscordException, *CUT) as error:
            log.warning("thread not put away", thread=ended.thread, reason=str(error))

    async def _taken(self, campaign: int) -> _Scene | None:
        """The thread of the scene that ran last, if it has one: nobody else puts it away from now on."""
        noted = await self._ledger.notes.read(_key(campaign))
        if not noted:
            return None
        await self._note(campaign, "")
        return _Scene(*map(int, noted.split(":")))

    async def _note(self, campaign: int, text: str) -> None:
        await self._ledger.notes.keep(_key(campaign), text)


def _key(campaign: int) -> str:
    return f"thread:{campaign}"


def _with(done: Done, line: str) -> Done:
    return replace(done, card=replace(done.card, lines=(*done.card.lines, small(line))))


def _first_card(table: Table) -> Card:
    """What the thread begins with."""
    title = stretch_words(Stretch.SCENE, table.scenes, table.scene)
    return Card((heading(title), say("The table is the channel’s: every command works here, too.")))
