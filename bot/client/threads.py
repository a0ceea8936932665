"""Threads of scenes.

A campaign has at most one such thread. It is stored until its scene is over, so it survives restarts.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

import discord
import structlog
from discord import Interaction

from bot.client.access import CUT
from bot.client.debounce import Debouncer
from bot.client.layout import NOBODY, contents
from bot.client.messages import answer
from bot.client.notices import Notices
from bot.client.responder import PASSING
from bot.language import say
from bot.language.line import Text, channel, heading, small
from bot.services.jobs import Kind
from bot.services.play import Play
from bot.services.responses import Done
from bot.services.sessions import scene_card
from bot.store.history import Place
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from bot.store.messages import SceneThread
from bot.views.card import Card
from bot.views.help import right_names
from bot.views.labels import stretch_words
from rules.facts import Began, Ended, Stretch
from rules.table import Table
from rules.values import replace

log = structlog.get_logger(__name__)

STORY = "story"
"""The kind of job that tells the story of a scene that had a thread."""
NEEDED = ("create_public_threads", "send_messages_in_threads")
LONGEST_NAME = 100
"""A thread's name has at most this many characters."""
ARCHIVE_MINUTES: Final = 10080
"""After a week without a word Discord hides a thread by itself; whoever writes there brings it back."""


class SceneThreads:
    """Opens threads for scenes, and archives each when its scene is over.

    It follows the table, however the scene ended. One process claims the thread, and puts the job that tells
    the scene's story in its channel. The thread is archived after `wait` seconds, when the last edits in it
    are done.
    """

    def __init__(
        self,
        client: discord.Client,
        play: Play,
        ledger: Ledger,
        notices: Notices,
        pause: float,
        wait: float,
    ) -> None:
        self._client = client
        self._notices = notices
        self._play = play
        self._ledger = ledger
        self._threads = ledger.scene_threads
        self._wait = wait
        self._leaving: dict[int, list[SceneThread]] = {}
        """What this process puts away, by campaign."""
        self.later = Debouncer(self._follow, pause, ledger.clock)

    def kinds(self) -> Mapping[str, Kind]:
        """Return the handlers of these jobs by kind."""
        return {STORY: self._tell}

    async def look(self) -> None:
        """Load which campaigns have a thread; all others then cost nothing."""
        self.later.only = await self._threads.look()

    async def opened(self, interaction: Interaction, done: Done) -> Done:
        """Return the answer to a scene's start, with its new thread, or with the reason why there is none."""
        place = (
            interaction.channel.parent
            if isinstance(interaction.channel, discord.Thread)
            else interaction.channel
        )
        missing = [right for right in NEEDED if not getattr(interaction.app_permissions, right)]
        if not isinstance(place, discord.TextChannel):
            return _with(done, say("Only a server’s text channels have threads, so play continues here."))
        if isinstance(interaction.channel, discord.Thread) and not await self._is_table_of(
            place, done.campaign
        ):
            return _with(done, say("This thread has a separate table, so the {scene.one} is played here."))
        if missing:
            rights = right_names(missing)
            return _with(
                done,
                say("The {scene.one} has no thread: the bot needs {rights} in this channel.", rights=rights),
            )
        before = await self._threads.of(done.campaign)
        if before is not None and before.step == done.table.number:  # it is heard a second time
            return _with(done, say("Play continues in {thread}.", thread=channel(before.thread)))
        kind = discord.ChannelType.news_thread if place.is_news() else discord.ChannelType.public_thread
        name = done.table.scene[:LONGEST_NAME]
        try:
            thread = await place.create_thread(name=name, type=kind, auto_archive_duration=ARCHIVE_MINUTES)
            await thread.send(**contents(_first_card(done.table), done.campaign), allowed_mentions=NOBODY)
        except (discord.DiscordException, *CUT) as error:
            log.warning("thread not created", channel=place.id, reason=str(error))
            return _with(done, say("Discord didn't open a thread, so the {scene.one} is played here."))
        await self._begin(SceneThread(done.campaign, thread.id, place.id, done.table.number), before)
        return _with(done, say("Play continues in {thread}.", thread=channel(thread.id)))

    async def _begin(self, new: SceneThread, before: SceneThread | None) -> None:
        """Note the thread of a scene; the one of the scene before, if it is still there, is put away."""
        if before is not None and await self._claim(before):
            self._leaving.setdefault(new.campaign, []).append(before.told)
        await self._threads.begin(new)
        self.later.touch(new.campaign)

    async def _is_table_of(self, place: discord.TextChannel, campaign: int) -> bool:
        """Whether a new thread of a channel would be at that table."""
        found = await self._ledger.look(Place(place.id, place.guild.id))
        return found is not None and found.campaign == campaign

    async def _follow(self, campaign: int) -> bool:
        """Put away what belongs to no scene that runs; whether that is done."""
        leaving = self._leaving.setdefault(campaign, [])
        noted = await self._threads.of(campaign)
        if noted is not None and noted not in leaving and await self._is_ours_to_end(noted):
            leaving.append(noted.told)
        while leaving:
            if not await self._is_put_away(leaving[0]):
                return False
            await self._threads.end(leaving[0])
            leaving.pop(0)
        del self._leaving[campaign]
        return True

    async def _is_ours_to_end(self, one: SceneThread) -> bool:
        """Whether a thread's scene is over, and nobody else puts it away; who had told it may have died."""
        return not one.step or (not await self._runs(one) and await self._claim(one))

    async def _claim(self, one: SceneThread) -> bool:
        """Claim a thread and put the job that tells its scene's story; whether no other process has."""
        payload = {"channel": one.channel, "step": one.step}
        key = f"{STORY}:{one.campaign}:{one.step}"
        job = Job(key, STORY, self._ledger.clock.now(), one.campaign, payload)
        is_ours = await self._threads.claim(one, *self._ledger.jobs.putting(job))
        if is_ours:
            self._ledger.jobs.changed.set()
        return is_ours

    async def _runs(self, one: SceneThread) -> bool:
        """Whether a thread's scene is the one that runs at its table; a deleted table may come back."""
        entry = await self._ledger.newest(one.campaign)
        if entry is None or entry.deleted or not entry.table.is_scene:
            return entry is not None and entry.deleted
        found = await self._ledger.past.facts(one.campaign, (Began, Ended), one.step)
        scenes = [
            (step.number, fact)
            for step, fact in found
            if isinstance(fact, Began | Ended) and fact.what is Stretch.SCENE
        ]
        number, last = scenes[-1] if scenes else (0, None)
        return number == one.step and isinstance(last, Began) and last.number == entry.table.scenes

    async def _tell(self, job: Job) -> None:
        """Tell the story of a scene in its channel, unless the scene is undone."""
        entry, step = await self._ledger.newest(job.campaign or 0), job.payload["step"]
        card = await scene_card(self._play, entry.campaign, entry.table, step) if entry and step else None
        if entry is not None and card is not None:
            players = [each.player for each in entry.table.characters.values() if each.player]
            await self._notices.send(job, entry.table, card, job.payload["channel"], players)

    async def _is_put_away(self, one: SceneThread) -> bool:
        """Archive a thread; whether that is done, or cannot be."""
        await self._ledger.clock.sleep(self._wait)
        try:
            thread = await self._client.fetch_channel(one.thread)
            if isinstance(thread, discord.Thread):
                await thread.edit(archived=True)
        except PASSING as error:
            log.warning("thread not archived yet", thread=one.thread, reason=repr(error))
            return False
        except discord.DiscordException as error:
            log.warning("thread not archived", thread=one.thread, reason=str(error))
        return True


async def answer_beginning(interaction: Interaction[Any], done: Done, *, opens: bool) -> None:
    """Answer the start of a scene; if `opens`, with a thread for it."""
    threads = cast("SceneThreads", interaction.client.threads)
    await answer(interaction, await threads.opened(interaction, done) if opens else done)


def _with(done: Done, line: Text) -> Done:
    return replace(done, card=replace(done.card, lines=(*done.card.lines, small(line))))


def _first_card(table: Table) -> Card:
    """What the thread begins with."""
    title = stretch_words(Stretch.SCENE, table.scenes, table.scene)
    return Card(
        (heading(title), say("This thread uses the channel’s table, so every command works here, too."))
    )
