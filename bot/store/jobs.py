"""Scheduled jobs: claimed by one process, and by another if that one dies."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import structlog
from sqlalchemy import Executable, Row, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clock import UNKNOWN
from bot.store.recorder import Recorder
from bot.store.schema import job
from rules.values import replace

log = structlog.get_logger(__name__)

_ANSWER: Mapping[str, type] = {"application": int, "token": str, "until": float}
_FORGOTTEN: Mapping[str, type] = {**_ANSWER, "tables": int, "whispers": bool}
SHAPES: Mapping[str, Mapping[str, type]] = {
    "remind": {"at": int, "hours": int},
    "next": {"at": int, "plan": int},
    "few": {"at": int, "least": int, "told": list},
    "times": {"at": int},
    "event": {"said": str, "event": int, "server": int},
    "wait": {"player": int, "hours": int, "since": dict},
    "late": {"told": int},
    "absent": {},
    "unlogged": {"place": int, "own": bool},
    "lost": {"interaction": int, "channel": int, "private": bool, "pressed": bool},
    "story": {"channel": int, "step": int},
    "unpin": {"channel": int, "message": int, "until": float},
    "left": {"server": int},
    "daily": {},
    "copy": {},
    "forget": {**_FORGOTTEN, "person": int},
    "forgotten": _FORGOTTEN,
}
"""What the payload of a job of each kind has to hold."""
ASIDE = "unread "
"""Begins the kind of a job that is set aside, since it cannot be read: nobody claims it."""

# Asked at each look for what is due, so composed but once.
_KINDS = job.c.kind.in_(bindparam("kinds", expanding=True))
_OF_KINDS = select(job).where(_KINDS).order_by(job.c.due)
_BY_KEY = select(job).where(job.c.key == bindparam("of"))
_OF_CAMPAIGN = select(job).where(job.c.campaign_id == bindparam("of"))
_NEXT_DUE = select(
    select(func.min(job.c.due)).where(_KINDS, job.c.claimed_until.is_(None)).scalar_subquery().label("free"),
    select(func.min(job.c.claimed_until)).where(_KINDS).scalar_subquery().label("held"),
)


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do at a time, for a campaign or for none.

    There is one job per key; replacing it reschedules it. The jobs of a campaign are deleted with it. `tries`
    counts the attempts that did not finish: they failed, or their process was stopped or killed. A process
    that runs a job holds it until `claimed`.
    """

    key: str
    kind: str
    due: datetime
    campaign: int | None = None
    payload: Mapping[str, Any] = field(default_factory=dict)
    tries: int = 0
    claimed: datetime | None = None

    @property
    def is_begun_before(self) -> bool:
        """Whether an earlier attempt may have done part of the work."""
        return self.tries > 0


class JobTable:
    """The jobs of a database. All times are timezone-aware."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.changed = asyncio.Event()
        """Set when this process has put a job, for whoever waits for what is due."""

    async def put(self, wanted: Job) -> None:
        """Store a job, replacing the one with its key; does not wait for a run of the old one."""
        await self._recorder.write(*self.putting(wanted))
        self.changed.set()

    def putting(self, wanted: Job) -> tuple[Executable, ...]:
        """Return the statements that store a job, to run them together with others."""
        return _drop(wanted.key), insert(job).values(_row(wanted))

    async def change(self, key: str, wanted: Job) -> None:
        """Replace the job with that key by another, atomically."""
        await self._recorder.write(_drop(key), _drop(wanted.key), insert(job).values(_row(wanted)))
        self.changed.set()

    async def hasten(self, key: str, due: datetime) -> None:
        """Make a job due no later than `due`, unless it is missing or running."""
        later = (job.c.key == key, job.c.due > due, job.c.claimed_until.is_(None))
        await self._recorder.write(update(job).where(*later).values(due=due))
        self.changed.set()

    async def move(self, known: Job, due: datetime) -> None:
        """Reschedule a job, unless it was rescheduled, replaced or claimed since it was read."""
        still = (job.c.key == known.key, job.c.due == known.due, job.c.claimed_until.is_(None))
        await self._recorder.write(update(job).where(*still).values(due=due))
        self.changed.set()

    async def drop(self, key: str) -> None:
        """Delete a job, if it exists."""
        await self._recorder.write(_drop(key))

    async def get(self, key: str) -> Job | None:
        """Return the job with that key; None if it is missing or unreadable."""
        row = await self._recorder.reader.first(_BY_KEY, {"of": key})
        return None if row is None or not is_legible(row) else _job(row)

    async def of_kind(self, *kinds: str) -> list[Job]:
        """Return the jobs of these kinds, earliest first."""
        rows = await self._recorder.reader.rows(_OF_KINDS, {"kinds": kinds})
        return [_job(row) for row in rows if is_legible(row)]

    async def of_campaign(self, campaign: int) -> dict[str, Job]:
        """Return the jobs of a campaign, by key."""
        rows = await self._recorder.reader.rows(_OF_CAMPAIGN, {"of": campaign})
        return {row.key: _job(row) for row in rows if is_legible(row)}

    async def count(self) -> int:
        """Return the number of jobs, including running ones."""
        found: int = await self._recorder.reader.value(select(func.count()).select_from(job))
        return found

    async def next_due(self, kinds: Collection[str]) -> datetime | None:
        """Return when the next job of these kinds can be claimed; None if there is none."""
        row = await self._recorder.reader.first(_NEXT_DUE, {"kinds": tuple(kinds)})
        moments = [moment for moment in row or () if moment is not None]
        # It is the year 1, so it would be due for ever.
        if UNKNOWN in moments:
            await self._set_aside(kinds)
            return await self.next_due(kinds)
        return min(moments, default=None)

    async def _set_aside(self, kinds: Collection[str]) -> None:
        """Let nobody look any more for jobs that cannot be read."""

        async def put_away(connection: AsyncConnection) -> None:
            rows = (await connection.execute(select(job).where(job.c.kind.in_(kinds)))).all()
            for row in rows:
                if not is_legible(row):
                    await connection.execute(_aside(row))

        await self._recorder.write(last=put_away)

    async def claim(self, kinds: Collection[str], now: datetime, until: datetime, most: int) -> list[Job]:
        """Claim up to `most` due jobs of these kinds until `until`; return them, earliest first.

        Unreadable jobs are set aside, so that they do not block the others.
        """
        taken: list[Job] = []

        async def take(connection: AsyncConnection) -> None:
            taken.clear()  # an attempt before this one may have been taken back
            is_free = or_(job.c.claimed_until.is_(None), job.c.claimed_until <= now)
            wanted = select(job).where(job.c.kind.in_(kinds), job.c.due <= now, is_free)
            # Another process takes the next ones then, and does not wait for these.
            wanted = wanted.order_by(job.c.due).limit(most).with_for_update(skip_locked=True)
            rows = (await connection.execute(wanted)).all()
            for row in rows:
                if not is_legible(row):
                    await connection.execute(_aside(row))
            found = [_job(row) for row in rows if is_legible(row)]
            keys = [each.key for each in found]
            if keys:
                begun = {"claimed_until": until, "tries": job.c.tries + 1}
                await connection.execute(update(job).where(job.c.key.in_(keys)).values(**begun))
            taken.extend(replace(each, claimed=until) for each in found)

        await self._recorder.write(last=take)
        return taken

    async def renew(self, held: Job, until: datetime) -> Job:
        """Extend a claim and return the job with it; has no effect if the job was replaced."""
        await self._recorder.write(_held(held).values(claimed_until=until))
        return replace(held, claimed=until)

    async def finish(self, done: Job, again: datetime | Job | None = None) -> None:
        """Delete a finished job, or reschedule it to `again`; a job that replaced it meanwhile is kept."""
        if isinstance(again, Job):
            values = {"due": again.due, "payload": dict(again.payload)}
            await self._recorder.write(_held(done).values(**values, claimed_until=None, tries=0))
        elif again is None:
            await self._recorder.write(
                delete(job).where(job.c.key == done.key, job.c.claimed_until == done.claimed)
            )
        else:
            await self._recorder.write(_held(done).values(due=again, claimed_until=None, tries=0))

    async def fail(self, failed: Job, until: datetime) -> None:
        """Mark a job as failed; it is retried at `until`."""
        await self._recorder.write(_held(failed).values(claimed_until=until, tries=failed.tries + 1))

    async def let_go(self, held: Job) -> None:
        """Release a claim, so that others can run the job at once."""
        await self._recorder.write(_held(held).values(claimed_until=None))

    async def free_all(self, since: datetime | None = None) -> None:
        """Release all claims, or those that last until `since` or longer.

        Release all only while no other process uses the database.
        """
        held = job.c.claimed_until.is_not(None) if since is None else job.c.claimed_until >= since
        await self._recorder.write(update(job).where(held).values(claimed_until=None))


def _row(wanted: Job) -> dict[str, Any]:
    """A job as it is put."""
    return {
        "key": wanted.key,
        "kind": wanted.kind,
        "due": wanted.due,
        "campaign_id": wanted.campaign,
        "payload": dict(wanted.payload),
    }


def _drop(key: str) -> Executable:
    return delete(job).where(job.c.key == key)


def _held(held: Job) -> Any:
    return update(job).where(job.c.key == held.key, job.c.claimed_until == held.claimed)


def is_legible(row: Row[Any]) -> bool:
    """Return whether the job in a row can be read."""
    if UNKNOWN in (row.due, row.claimed_until) or not isinstance(row.payload, Mapping):
        return False
    return fits(row.kind, row.payload)


def fits(kind: str, payload: Mapping[str, Any]) -> bool:
    """Return whether a payload has the fields that its kind of job needs; unknown kinds accept anything."""
    shape = SHAPES.get(kind, {})
    if not all(isinstance(payload.get(name), what) for name, what in shape.items()):
        return False
    counts = [payload["since"], payload.get("said", {})] if "since" in shape else []
    return all(isinstance(each, dict) and all(isinstance(n, int) for n in each.values()) for each in counts)


def _aside(row: Row[Any]) -> Executable:
    log.error("job set aside", job=row.key, kind=row.kind, reason="cannot be read; run doctor")
    return update(job).where(job.c.key == row.key).values(kind=f"{ASIDE}{row.kind}")


def _job(row: Row[Any]) -> Job:
    return Job(row.key, row.kind, row.due, row.campaign_id, row.payload, row.tries, row.claimed_until)
