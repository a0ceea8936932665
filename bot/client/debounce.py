"""Run something once after several changes in a row."""

import asyncio
from collections.abc import Awaitable, Callable, Container
from contextlib import nullcontext
from typing import Protocol

import structlog

from bot.clock import Clock, Timer

log = structlog.get_logger(__name__)

TRIES = 16
"""So often something is tried that does not succeed: where the first pause is a second, for an hour."""
LONGEST = 600.0
"""The longest pause between two tries, in seconds. Discord's troubles last minutes, and each try costs it and
us as much as the first."""


class Follower(Protocol):
    """Something that shows a campaign and follows its changes with a delay."""

    later: "Debouncer"


class Followers:
    """All followers of campaign changes."""

    def __init__(self, *each: Follower) -> None:
        self._each = each

    def touch(self, campaign: int) -> None:
        """Tell all followers concerned that a campaign has changed."""
        for one in self._each:
            later = one.later
            if later.only is None or campaign in later.only:
                later.touch(campaign)

    @property
    def waits(self) -> bool:
        """Whether any follower has work pending or running."""
        return any(one.later.waits for one in self._each)

    @property
    def are_behind(self) -> bool:
        """Whether any follower does not show the last change of a campaign."""
        return self.waits or any(one.later.failed for one in self._each)

    async def flush(self) -> None:
        """Run all pending work now, one follower after another."""
        for one in self._each:
            await one.later.flush()


class Debouncer:
    """Runs work for a campaign `pause` seconds after it is requested, outside of commands.

    The work returns whether it fully succeeded. Otherwise it is retried after `retry` seconds, doubling each
    time, or `pause` seconds after a new request. Only one campaign is retried at a time, so that a backlog
    does not hit Discord all at once when it is back.
    """

    def __init__(self, work: Callable[[int], Awaitable[bool]], pause: float, clock: Clock) -> None:
        self._work = work
        self._clock = clock
        self.only: Container[int] | None = None
        """The campaigns whose changes concern it; None for all."""
        self.pause = self.retry = pause
        self.failed: set[int] = set()
        """The campaigns whose last try did not succeed."""
        self._trying_again = asyncio.Lock()
        self._soon: dict[int, Timer] = {}
        # Every change waits here five times over, and a timer costs less than a task.
        self._waiting: dict[int, asyncio.Task[None]] = {}
        self._again: dict[int, asyncio.Event] = {}
        self._pauses: dict[int, tuple[asyncio.Future[None], bool]] = {}
        self._hurry = asyncio.Event()

    def touch(self, campaign: int) -> None:
        """Request the work for a campaign; a request during a run causes one more run."""
        if campaign in self._waiting:
            self._again[campaign].set()
            pause, is_woken = self._pauses.get(campaign, (None, False))
            if pause is not None and is_woken and not pause.done():
                pause.set_result(None)
        elif campaign not in self._soon:
            seconds = 0.0 if self._hurry.is_set() else self.pause
            self._soon[campaign] = self._clock.call_later(seconds, self._begin, campaign)

    @property
    def waits(self) -> bool:
        """Whether any work is pending or running."""
        return bool(self._soon or self._waiting)

    def is_asked_again(self, campaign: int) -> bool:
        """Return whether the work for a campaign was requested again since its current run began."""
        return campaign in self._again and self._again[campaign].is_set()

    async def flush(self) -> None:
        """Run pending work now and wait for running work; cancelling this call cancels the work."""
        self._hurry.set()
        for campaign in tuple(self._soon):
            self._begin(campaign)
        for pause, _ in self._pauses.values():
            if not pause.done():
                pause.set_result(None)
        try:
            while self._waiting:
                await asyncio.wait(self._waiting.values())
                for campaign in tuple(self._soon):
                    self._begin(campaign)
        finally:
            while self._soon:
                self._soon.popitem()[1].cancel()
            ending = list(self._waiting.values())
            for task in ending:
                task.cancel()
            if ending:
                await asyncio.wait(ending)  # what they read from is closed next

    def _begin(self, campaign: int) -> None:
        self._soon.pop(campaign).cancel()
        self._again[campaign] = asyncio.Event()
        self._waiting[campaign] = asyncio.get_running_loop().create_task(self._do(campaign))

    async def _do(self, campaign: int) -> None:
        again, failed = self._again[campaign], 0
        try:
            while failed < TRIES:
                async with self._trying_again if failed else nullcontext():
                    again.clear()
                    is_done = await self._is_done(campaign)
                (self.failed.discard if is_done else self.failed.add)(campaign)
                if not again.is_set():
                    if is_done or self._hurry.is_set():
                        break  # whoever waits for the end cannot wait for Discord too
                    failed += 1
                    pause = min(self.retry * 2 ** (failed - 1), LONGEST)
                    await self._wait(campaign, pause, is_woken=True)
                if again.is_set():  # what is new has not failed yet
                    failed = 0
                    await self._wait(campaign, self.pause)
        finally:
            del self._waiting[campaign], self._again[campaign]

    async def _wait(self, campaign: int, seconds: float, *, is_woken: bool = False) -> None:
        """Wait so long, or until all is to be finished, or it is asked for again where that wakes it."""
        if self._hurry.is_set() or (is_woken and self._again[campaign].is_set()):
            return
        self._pauses[campaign] = end, _ = asyncio.get_running_loop().create_future(), is_woken
        try:
            await self._clock.wait({end}, seconds)
        finally:
            del self._pauses[campaign]

    async def _is_done(self, campaign: int) -> bool:
        try:
            return await self._work(campaign)
        except Exception as error:
            log.warning("messages not updated", campaign=campaign, exc_info=error)
            return False
