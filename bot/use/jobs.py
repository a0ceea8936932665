"""Jobs that are due: looked for, claimed, done, and done again where they fail or whoever did them died."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta

import structlog

from bot.clock import Clock
from bot.store.jobs import Job, JobTable

log = structlog.get_logger(__name__)

Kind = Callable[[Job], Awaitable[datetime | Job | None]]
"""What is done when a job of a kind is due, and when it is due again, as which job: None for never.

What it raises is logged, and the job is tried again; so it has to bear being done twice.
"""

LOOK = 4.0
"""Seconds between two looks for what other processes have put."""
ALONE = 60.0
"""The same where there is no other process: the clock may have been set."""
MEND = 600.0
"""Seconds between two looks for what a clock that was wrong has left."""
LEASE = 30.0
"""Seconds after which a job of a process that died is another's."""
AT_ONCE = 4
"""So many jobs are done at the same time."""
PAUSE = 5.0
"""Seconds until a job that failed is tried again, twice as many each time."""
FINISH = 1.0
"""Seconds that what is being done has to finish when the bot stops."""
LONGEST = 3600.0
"""Seconds at most until then."""
MOST_DOUBLED = 20
"""It is twice as long so many times at most: what was begun a thousand times has no number of seconds."""


class NotDone(Exception):
    """A job cannot be done now, for a reason that an operator can see to; one sentence."""


class Jobs:
    """Does what is due, by its kind."""

    def __init__(
        self, table: JobTable, kinds: Mapping[str, Kind], clock: Clock, *, is_alone: bool = False
    ) -> None:
        self._table = table
        self._clock = clock
        self._kinds = kinds
        self._is_alone = is_alone
        self.look = ALONE if is_alone else LOOK
        self._running: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None
        self._is_closing = False
        self._recurring: dict[str, timedelta] = {}
        self._mended = clock.monotonic()

    def begin(self) -> None:
        """Look for what is due from now on."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._work(), name="jobs")

    async def keep(self, job: Job) -> None:
        """Have a job done that comes again and again: no later than now said, if it waits already."""
        self._recurring[job.key] = job.due - self._clock.now()
        if await self._table.get(job.key) is None:
            await self._table.put(job)
        await self._free()
        await self._table.hasten(job.key, job.due)

    async def close(self) -> None:
        """Stop; what is not done by now is done by another process, or after the next start."""
        if self._task is None:
            return
        self._is_closing = True
        self._table.changed.set()
        looking, self._task = self._task, None
        await ended({looking}, self._clock)  # it may just have claimed something
        await ended(self._running, self._clock)

    async def _work(self) -> None:
        is_begun = not self._is_alone
        while not self._is_closing:
            # Before it looks, so that nothing is missed which is put meanwhile.
            self._table.changed.clear()
            seconds = LOOK
            try:
                if not is_begun:  # whoever had claimed something here is no more
                    await self._table.free_all()
                    is_begun = True
                if self._clock.monotonic() - self._mended > MEND:
                    await self._mend()
                seconds = await self._do_due()
            except Exception as error:
                log.warning("jobs not fetched", exc_info=error)
            if not self._is_closing:
                with suppress(TimeoutError):
                    async with self._clock.timeout(seconds):
                        await self._table.changed.wait()

    async def _mend(self) -> None:
        """Undo what a clock that was ahead has left: jobs that would be claimed, or wait, for years."""
        self._mended = self._clock.monotonic()
        await self._free()
        for key, period in self._recurring.items():
            await self._table.hasten(key, self._clock.now() + period)

    async def _free(self) -> None:
        """Free what is claimed for longer than anybody claims anything."""
        await self._table.free_all(since=self._clock.now() + timedelta(seconds=2 * LONGEST))

    async def _do_due(self) -> float:
        """Begin what is due; the seconds until something else may be."""
        room = AT_ONCE - len(self._running)
        due = await self._table.next_due(self._kinds)
        now = self._clock.now()
        if due is None or not room:
            return self.look
        if due > now:
            return min(self.look, (due - now).total_seconds())
        until = now + timedelta(seconds=LEASE)
        claimed = await self._table.claim(self._kinds, now, until, room)
        for job in claimed:
            task = asyncio.get_running_loop().create_task(self._do(job), name=f"job {job.key}")
            self._running.add(task)
            task.add_done_callback(self._done)
        return 0.0 if claimed else 1.0  # what nobody can claim is being claimed by another process

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._table.changed.set()

    async def _do(self, job: Job) -> None:
        """Do a job, which stays claimed as long as that takes."""
        doing = asyncio.ensure_future(self._kinds[job.kind](job))
        try:
            while not (await self._clock.wait({doing}, LEASE / 3))[0]:
                job = await self._table.renew(job, self._clock.now() + timedelta(seconds=LEASE))
            await self._table.finish(job, doing.result())
        except asyncio.CancelledError:
            doing.cancel()
            await asyncio.wait({doing})
            await self._table.let_go(job)
            raise
        except Exception as error:
            doing.cancel()
            seconds = min(LONGEST, PAUSE * 2 ** min(job.tries, MOST_DOUBLED))
            why = {"reason": str(error)} if isinstance(error, NotDone) else {"exc_info": error}
            log.warning("job failed", job=job.key, tries=job.tries + 1, again_in=seconds, **why)
            with suppress(Exception):  # else its claim ends by itself
                await self._table.fail(job, self._clock.now() + timedelta(seconds=seconds))


async def ended(tasks: set[asyncio.Task[None]], clock: Clock) -> None:
    """Let tasks finish, and stop those that take long."""
    if tasks:
        _, late = await clock.wait(tasks, FINISH)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late)
