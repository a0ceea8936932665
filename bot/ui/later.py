"""Work that can wait a moment: many changes of a campaign make one edit."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

log = structlog.get_logger(__name__)


class Later:
    """Does something for a campaign `pause` seconds after it was asked for, off the commands' path."""

    def __init__(self, work: Callable[[int], Awaitable[None]], pause: float) -> None:
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
        """Do now whatever waits, and finish what is being done."""
        self._hurry.set()
        while self._waiting:
            await asyncio.wait(self._waiting.values())

    async def _wait_and_do(self, campaign: int) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self.pause):
                await self._hurry.wait()
        self._again.discard(campaign)
        try:
            await self._work(campaign)
        except Exception as error:
            log.warning("messages not updated", campaign=campaign, exc_info=error)
        finally:
            del self._waiting[campaign]
        if campaign in self._again:
            self.touch(campaign)
