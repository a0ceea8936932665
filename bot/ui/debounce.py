"""Work that can wait a moment: many changes of a campaign make one edit."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

log = structlog.get_logger(__name__)

TRIES = 6
"""So often something is tried that does not succeed, each time after twice the pause."""


class Later:
    """Does something for a campaign `pause` seconds after it was asked for, off the commands' path.

    The work says whether all of it succeeded; otherwise it is tried again, each time after a longer while, or
    a `pause` after it is asked for anew.
    """

    def __init__(self, work: Callable[[int], Awaitable[bool]], pause: float) -> None:
        self._work = work
        self.pause = pause
        self._waiting: dict[int, asyncio.Task[None]] = {}
        self._again: dict[int, asyncio.Event] = {}
        self._hurry = asyncio.Event()

    def touch(self, campaign: int) -> None:
        """Do it for that campaign in a moment; asked for again meanwhile, once more after that."""
        if campaign in self._waiting:
            self._again[campaign].set()
            return
        self._again[campaign] = asyncio.Event()
        self._waiting[campaign] = asyncio.get_running_loop().create_task(self._wait_and_do(campaign))

    def is_asked_again(self, campaign: int) -> bool:
        """Whether it was asked for since the work for that campaign began."""
        return campaign in self._again and self._again[campaign].is_set()

    async def flush(self) -> None:
        """Do now whatever waits, and finish what is being done; whoever no longer waits for it ends it."""
        self._hurry.set()
        try:
            while self._waiting:
                await asyncio.wait(self._waiting.values())
        finally:
            ending = list(self._waiting.values())
            for task in ending:
                task.cancel()
            if ending:
                await asyncio.wait(ending)  # what they read from is closed next

    async def _wait_and_do(self, campaign: int) -> None:
        again, failed = self._again[campaign], 0
        try:
            while failed < TRIES:
                await self._wait(self._hurry, self.pause)
                again.clear()
                if not await self._is_done(campaign):
                    failed += 1
                    await self._wait(again, self.pause * (2**failed - 1) if failed < TRIES else 0)
                elif not again.is_set():
                    break
                if again.is_set():  # what is new has not failed yet
                    failed = 0
        finally:
            del self._waiting[campaign], self._again[campaign]

    async def _wait(self, sooner: asyncio.Event, seconds: float) -> None:
        """Wait so long, or until that happens, or everything is to be finished."""
        waits = [asyncio.ensure_future(event.wait()) for event in {sooner, self._hurry}]
        try:
            await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()

    async def _is_done(self, campaign: int) -> bool:
        try:
            return await self._work(campaign)
        except Exception as error:
            log.warning("messages not updated", campaign=campaign, exc_info=error)
            return False
