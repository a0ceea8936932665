"""Admit interactions, keep work in progress, and drain it when the bot stops."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import discord
import structlog
from discord import Interaction

from bot.client.access import CUT
from bot.client.refusals import ELSEWHERE, STOPPING, Refusals
from bot.client.request import SUGGESTIONS, Budget, InteractionEnd, account_of, find_overlong
from bot.client.responder import LATE, AnswerState, responder_of, watch
from bot.client.shards import ShardedBot
from bot.clock import Clock
from bot.language import later
from bot.store.ledger import Ledger
from rules.errors import TooLate

log = structlog.get_logger(__name__)

DRAIN = 8.0
"""Seconds that running commands have to finish when the bot stops."""
FLUSH = 2.0
"""Seconds that pinned tables and shown rolls have to show the last change then."""
TOO_OLD = 3.0
"""Seconds after which Discord has told a person that the bot did not respond."""
SLOW_DOWN = later("Nothing was changed: the limit is {most} actions in 10 seconds. Try again in a moment.")


class Age:
    """Estimates how old interactions are when they arrive.

    The machine's clock may be wrong, so the estimate only decides when Discord must be asked.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ahead = 0.0
        """Seconds by which this machine's clock is taken to be ahead of Discord's."""

    def of(self, interaction: Interaction[Any]) -> float:
        """Return seconds since the command was sent or the button pressed."""
        passed = self._seconds(interaction)
        self._ahead = min(self._ahead, passed)
        return passed - self._ahead

    def is_new(self, interaction: Interaction[Any]) -> None:
        """Calibrate the clock with an interaction that is known to arrive in time."""
        self._ahead = self._seconds(interaction)

    def _seconds(self, interaction: Interaction[Any]) -> float:
        return (self._clock.now() - interaction.created_at).total_seconds()


class Running:
    """The interactions being handled, with a limit per person in ten seconds; 0 for no limit."""

    def __init__(self, bot: ShardedBot, ledger: Ledger, refusals: Refusals, budget: int) -> None:
        self._bot = bot
        self._ledger = ledger
        self._refusals = refusals
        self.tasks: set[asyncio.Task[Any]] = set()
        self.is_stopping = self._is_over = False
        self.late = LATE
        """Seconds that a person waits before Discord is told that the answer comes later."""
        self.age = Age(ledger.clock)
        self.budget = Budget(budget)
        self.suggestions = Budget(SUGGESTIONS if budget else 0)

    async def admit(self, interaction: Interaction[Any]) -> bool:
        """Count the current task as running, or refuse it while stopping or over the limit.

        Interactions that arrive too late are refused as well: Discord has already reported a failure, so
        people will repeat them.
        """
        account = account_of(interaction)
        _name_in_log(interaction, account.named)
        task = asyncio.current_task()
        if task is not None:
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
            task.add_done_callback(account.settle)
        if self._is_over or not await self._bot.is_left_to_us(interaction):
            responder_of(interaction).leave()
            return False
        if interaction.type is discord.InteractionType.autocomplete:
            return not self.is_stopping and await self._may_suggest(interaction)
        if self.is_stopping:
            await self._ledger.clock.sleep(ELSEWHERE)
            await self._refusals.explain(interaction, TooLate(STOPPING))
            return False
        if (age := self.age.of(interaction)) > TOO_OLD and not await self._is_awaited(interaction):
            log.warning("interaction too old: nothing was changed", seconds=round(age, 1))
            account.outcome = InteractionEnd.LATE
            return False
        if not self.budget.allows(interaction.user.id, self._ledger.clock.monotonic()):
            await self._refusals.explain(interaction, TooLate(SLOW_DOWN, most=self.budget.most))
            return False
        if (refusal := find_overlong(interaction)) is not None:
            await self._refusals.explain(interaction, refusal)
            return False
        if task is not None:
            watch(interaction, self.late)
        return True

    async def _is_awaited(self, interaction: Interaction[Any]) -> bool:
        """Whether Discord still takes an answer to what seems to be too old: it is told that one comes."""
        line = responder_of(interaction)
        await line.defer()
        if line.told in (AnswerState.THINKING, AnswerState.LATER):
            self.age.is_new(interaction)
        return line.told is not AnswerState.NOTHING

    async def _may_suggest(self, interaction: Interaction[Any]) -> bool:
        """Whether somebody gets suggestions now; nothing is suggested for too long a text, or too often."""
        fits = find_overlong(interaction) is None
        if fits and self.suggestions.allows(interaction.user.id, self._ledger.clock.monotonic()):
            return True
        account_of(interaction).outcome = InteractionEnd.REFUSED
        with suppress(discord.DiscordException, *CUT):  # nobody waits for it: the next key asks anew
            await interaction.response.autocomplete([])
        return False

    async def drain(self, flush: Callable[[], Awaitable[None]], *, waits: bool = False) -> None:
        """Stop accepting work, finish what runs, `flush` pending updates, and close.

        With `waits`, running work may wait for a database that is down.
        """
        self.is_stopping = True
        self._bot.take_no_more()
        if not waits:
            self._ledger.hurry()
        if self.tasks:
            # discord.py would close the session under them, and their answers would fail.
            _, late = await self._ledger.clock.wait(self.tasks, DRAIN)
            if late:
                log.warning("stopped with interactions still running", running=len(late))
        self._ledger.hurry()
        with suppress(TimeoutError):
            async with self._ledger.clock.timeout(FLUSH):
                await flush()
        await self._be_deaf()
        await self._bot.close()

    async def _be_deaf(self) -> None:
        """Hear nothing more from Discord, and tell those who came meanwhile; who comes later is left alone.

        Only then may the way to Discord be closed: nobody is being answered any more.
        """
        for shard in self._bot.shards.values():
            await shard.disconnect()
        with suppress(TimeoutError):
            async with self._ledger.clock.timeout(2 * ELSEWHERE):
                while self.tasks:
                    await asyncio.wait(self.tasks)
        self._is_over = True
        for task in self.tasks:
            task.cancel()
        if self.tasks:
            await self._ledger.clock.wait(self.tasks, ELSEWHERE)


def _name_in_log(interaction: Interaction[Any], command: str) -> None:
    """Let every record of the current task say what it is about."""
    shards = interaction.client.shard_count or 1
    structlog.contextvars.bind_contextvars(
        interaction=interaction.id,
        command=command,
        server=interaction.guild_id or 0,
        shard=((interaction.guild_id or 0) >> 22) % shards,  # as Discord shares servers out
    )
    log.debug("asked")
