"""Work that can wait a moment: many changes of a campaign make one edit."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

log = structlog.get_logger(__name__)

TRIES = 6
"""So often something is tried that does not succeed, each time after twice the pause."""


class Later:
    """Does something for a campaign `pause` seconds after it was asked for, off the commands' path.

    The work says whether all of it succeeded; otherwise it is tried again.
    """

    def __init__(self, work: Callable[[int], Awaitable[bool]], pause: float) -> None:
        self._work = work
        self.pause = pause
        self._waiting: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._hurry = asyncio.Event()

    def touch(self, campaign: int) -> None:
        """Do it for that campaign in a moment; asked for again meanwhile, once more after that."""
        if campaign in self._waiting:
            self._again.add(campaign)
            return
        self._waiting[campaign] = asyncio.get_running_loop().create_task(self._wait_and_do(campaign))

    async def flush(self) -> None:
        """Do now whatever waits, and finish what is being done; whoever no longer waits for it ends it."""
        self._hurry.set()
        try:
            while self._waiting:
                await asyncio.wait(self._waiting.values())
        finally:
            for task in self._waiting.values():  # what it reads from is closed next
                task.cancel()

    async def _wait_and_do(self, campaign: int) -> None:
        try:
            for attempt in range(TRIES):
                await self._wait(self.pause * 2**attempt)
                self._again.discard(campaign)
                if await self._is_done(campaign):
                    break
        finally:
            del self._waiting[campaign]
        if campaign in self._again:
            self.touch(campaign)

    async def _wait(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._hurry.wait()

    async def _is_done(self, campaign: int) -> bool:
        try:
            return await self._work(campaign)
        except Exception as error:
            log.warning("messages not updated", campaign=campaign, exc_info=error)
            return False
