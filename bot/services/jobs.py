"""Scheduled jobs and automatic housekeeping."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog

from bot.clock import Clock
from bot.services.play import Play
from bot.store.backups import COPIED, FAILED, CopyState, NoBackup
from bot.store.history import Author, Draft
from bot.store.jobs import Job, JobTable
from bot.store.ledger import Ledger
from bot.store.pending import Notes
from bot.store.retention import DAYS_ROLLED
from rules.errors import RuleError
from rules.facts import Fate, Moved
from rules.names import SOMEBODY
from rules.table import Table

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
    """Raised if a job cannot run now, for a reason that an operator can fix; its text is one sentence."""


class Jobs:
    """Runs jobs when they are due, with the handler of their kind."""

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
        """Start looking for due jobs."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._work(), name="jobs")

    async def keep(self, job: Job) -> None:
        """Make sure that a recurring job is stored, due no later than `job.due`."""
        self._recurring[job.key] = job.due - self._clock.now()
        if await self._table.get(job.key) is None:
            await self._table.put(job)
        await self._free()
        await self._table.hasten(job.key, job.due)

    async def close(self) -> None:
        """Stop; another process, or the next start, runs the jobs that are left."""
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
    """Wait a second for tasks to finish, then cancel those still running."""
    if tasks:
        _, late = await clock.wait(tasks, FINISH)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late)


DAILY, COPY, LEFT = "daily", "copy", "left"
DAY = timedelta(days=1)
NOBODY = Author(0, SOMEBODY)

IsMember = Callable[[int], Awaitable[bool]]
"""Whether the bot is on a server, as Discord says."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """How long data is kept, and where backups go.

    `retention` is the number of days until the tables of a server that the bot has left are deleted; None
    means never. `idle` is the number of days until an unused table is deleted; 0 means never. `every` is the
    number of hours between two backups, 0 for none; the newest `keep` backups are kept in `folder`.
    """

    retention: int | None = None
    idle: int = 0
    folder: Path | None = None
    every: float = 0.0
    keep: int = 7


FOR_EVER = Keeping()
"""Nothing goes but what people delete."""


class Keeper:
    """Schedules and runs the jobs that look after the bot's data."""

    def __init__(
        self,
        play: Play,
        ledger: Ledger,
        keeping: Keeping,
        is_member: IsMember,
        more: Mapping[str, Kind] | None = None,
    ) -> None:
        """Set up the job runner; `more` are further kinds of job that it runs."""
        self._play = play
        self._ledger = ledger
        self._keeping = keeping
        self._is_member = is_member
        self.copied: datetime | None = None
        """When the last automatic copy was made, as far as this process knows; else when it began."""
        kinds = {**self.kinds(), **(more or {})}
        self.jobs = Jobs(ledger.jobs, kinds, ledger.clock, is_alone=ledger.is_alone)

    def kinds(self) -> Mapping[str, Kind]:
        """Return the handlers of these jobs by kind."""
        return {DAILY: self._clear_up, COPY: self._copy, LEFT: self._let_go}

    async def begin(self) -> None:
        """Schedule the recurring jobs and start running due jobs."""
        self.copied = (await self._ledger.upkeep.copies()).made or self._ledger.clock.now()
        await self.jobs.keep(Job(DAILY, DAILY, self._ledger.clock.now() + DAY))
        if self._keeping.every:
            await self.jobs.keep(Job(COPY, COPY, self._ledger.clock.now() + self.period))
        else:
            await self._ledger.jobs.drop(COPY)
        self.jobs.begin()

    async def close(self) -> None:
        """Stop running jobs."""
        await self.jobs.close()

    async def leave(self, server: int) -> None:
        """Schedule the deletion of a server's tables, because the bot was removed from it."""
        days = self._keeping.retention
        if days is None or await self._ledger.jobs.get(_left(server)):
            return
        left = self._ledger.clock.now()
        due = left + timedelta(days=days)
        payload = {"server": server, "left": left.timestamp()}
        await self._ledger.jobs.put(Job(_left(server), LEFT, due, payload=payload))
        log.info("server left", server=server, deleted=due.isoformat(timespec="seconds"))

    async def come_back(self, server: int) -> None:
        """Cancel the deletion of a server's tables, because the bot is on it again."""
        await self._ledger.jobs.drop(_left(server))

    async def compare(self, servers: Callable[[], Collection[int]], is_ours: Callable[[int], bool]) -> None:
        """Catch up with the servers that the bot joined or left while it was offline.

        `servers` returns the servers that the bot is on; `is_ours` says whether this process serves a server.
        Call it only once all of those servers are known.
        """
        marked = {int(job.payload["server"]) for job in await self._ledger.jobs.of_kind(LEFT)}
        played = set() if self._keeping.retention is None else await self._ledger.servers.all()
        # Looked at last: a server that came while this was read, and has a table by now, was not left.
        there = set(servers())
        for server in marked & there:
            await self.come_back(server)
        for server in sorted(played - marked - there):
            if is_ours(server):
                await self.leave(server)

    async def drop_channel(self, channel: int) -> None:
        """Forget a channel or thread that was deleted."""
        await self._ledger.upkeep.drop_channel(channel)

    async def _let_go(self, job: Job) -> datetime | None:
        """Delete what is kept of a server, unless the bot is there again and has not heard of it yet.

        What is set now counts: more days are waited for, and where it is never, nothing is deleted.
        """
        server, days = int(job.payload["server"]), self._keeping.retention
        if days is None:
            return None
        due = datetime.fromtimestamp(float(job.payload.get("left", 0)), UTC) + timedelta(days=days)
        if due > self._ledger.clock.now():
            return due
        if await self._is_member(server):
            return None
        count = await self._ledger.upkeep.leave_server(server)
        if count:
            await self._ledger.notes.keep(
                gone_key(server), f"{count} {int(self._ledger.clock.now().timestamp())}"
            )
        log.info("server deleted", server=server, campaigns=count)
        return None

    async def _clear_up(self, _: Job) -> datetime:
        if self._keeping.idle:
            for campaign in await self._ledger.upkeep.idle(
                self._ledger.clock.now() - timedelta(days=self._keeping.idle)
            ):
                await self._put_away(campaign)
        rolled = self._ledger.clock.now() - timedelta(days=DAYS_ROLLED)
        for campaign in await self._ledger.upkeep.rolled_out(rolled):
            # First, as long as its pinned messages can be found by it.
            await self._play.forget(campaign, 0)
            await self._ledger.upkeep.erase(campaign, rolled=rolled)
        gone = await self._ledger.upkeep.prune()
        await self._ledger.upkeep.tidy()
        log.info("cleared up", expired=gone)
        return self._ledger.clock.now() + DAY

    async def _put_away(self, campaign: int) -> None:
        """Delete a table that nobody has touched, as `/campaign delete` does."""
        try:
            await self._play.forget(campaign, 0)
            await self._ledger.places.delete(campaign, NOBODY, 0, _deleted)
        except RuleError as error:  # somebody has deleted it meanwhile
            log.info("idle campaign kept", campaign=campaign, reason=str(error))
        else:
            log.info("idle campaign deleted", campaign=campaign)

    async def _copy(self, _: Job) -> datetime:
        assert self._keeping.folder is not None
        begun = self._ledger.clock.monotonic()
        try:
            self._keeping.folder.mkdir(parents=True, exist_ok=True)
            made = await self._ledger.upkeep.copy(self._keeping.folder, self._keeping.keep)
        except (NoBackup, OSError) as error:
            await self._ledger.notes.keep(FAILED, self._moment())
            raise NotDone(f"The automatic backup failed: {error}") from error
        self.copied = self._ledger.clock.now()
        await self._ledger.notes.keep(COPIED, self._moment())
        await self._ledger.notes.drop(FAILED)
        log.info("database copied", file=str(made), seconds=round(self._ledger.clock.monotonic() - begun, 1))
        return self._ledger.clock.now() + self.period

    async def copies(self) -> CopyState | None:
        """Return the state of the automatic backups if they are failing, else None."""
        state = await self._ledger.upkeep.copies()
        return state if state.is_failing(self._keeping.every, self._ledger.clock.now()) else None

    @property
    def period(self) -> timedelta:
        """The time from one automatic backup to the next; zero if none are made."""
        return timedelta(hours=self._keeping.every)

    def _moment(self) -> str:
        return str(int(self._ledger.clock.now().timestamp()))


def _deleted(table: Table) -> Draft:
    return Draft(table, (Moved(table.name, Fate.DELETED),))


async def gone(notes: Notes, server: int) -> tuple[int, int] | None:
    """Return how many tables of a server were deleted in the bot's absence, and when; None for none.

    The time is in Unix seconds.
    """
    kept = await notes.read(gone_key(server))
    count, _, at = (kept or "").partition(" ")
    return (int(count), int(at)) if count.isdecimal() and at.isdecimal() else None


def gone_key(server: int) -> str:
    """Return the key of the note about a server's deleted tables; it is kept until people are told."""
    return f"gone:{server}"


def _left(server: int) -> str:
    return f"{LEFT}:{server}"
