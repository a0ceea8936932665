"""Claims of processes on shards, held by PostgreSQL connections.

Claims are advisory locks of the connection's session. If the process dies or loses the connection, the server
releases them, and other processes can claim the shards.

A process that hangs keeps its session, and so its claims. Its heartbeat is its last statement, which the
server notes for each session. After HUNG seconds of silence, a process with room ends all sessions of the one
that hangs, and takes its shards. A note then keeps that one from writing when it wakes up.

A shard is handed over by further locks that every process can see: its holder is `leaving`; a process with
room is `next`, connects the shard as well and is then `ready`; the holder releases it and the other claims
it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.clock import SYSTEM, Clock
from bot.store.engine import BOT, REPLACED, Away, Unreachable, connect, is_away

PATIENCE = 8.0
"""Seconds that the server has for an answer, before the connection counts as lost."""
LATE = 5.0
"""Seconds without a heartbeat after which a process is late: a healthy one has a heartbeat each second."""
HUNG = 30.0
"""Seconds without a heartbeat after which a process counts as hung, and another one takes over."""
_HABITS = ("tcp_keepalives_idle = 6", "tcp_keepalives_interval = 3", "tcp_keepalives_count = 3")
"""A server hears after 15 seconds that a machine is gone: later than that machine gives up by itself."""


class _Kind(IntEnum):
    """What is locked: with migrate's, the only advisory locks in this database."""

    # Four letters each, so that pg_locks can be read: shar, shas, leav, next, read, endi.
    SHARD = 0x73686172
    COUNT = 0x73686173
    LEAVING = 0x6C656176
    NEXT = 0x6E657874
    READY = 0x72656164
    ENDING = 0x656E6469


# objsubid is 2 where a lock has two numbers, as all of these have; migrate's has one.
# Only sessions of the same role can be ended, so no other has a heartbeat here.
_SEEN = text(
    "SELECT classid::bigint, objid::bigint, pid, split_part(application_name, ':', 2), "
    "CASE WHEN usename = current_user THEN state_change END, clock_timestamp() "
    "FROM pg_locks LEFT JOIN pg_stat_activity USING (pid) "
    "WHERE locktype = 'advisory' AND granted AND objsubid = 2 "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
# One statement, which the server finishes even if this process dies. The note is committed first: a session
# that is opened before is ended here, and one that is opened later finds the note.
_END = """DO $$ BEGIN
DELETE FROM note WHERE starts_with(key, '{kind}:') AND value < (now() - interval '30 days')::text;
INSERT INTO note (key, value) VALUES ('{kind}:{process}', now()::text) ON CONFLICT (key) DO NOTHING;
COMMIT;
PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND usename = current_user AND application_name = '{name}';
PERFORM pg_terminate_backend({pid}, 2000);
END $$"""
_TRY = text("SELECT pg_try_advisory_lock(CAST(:kind AS integer), CAST(:number AS integer))")
_TRY_SHARED = text("SELECT pg_try_advisory_lock_shared(CAST(:kind AS integer), CAST(:number AS integer))")
_UNLOCK = text("SELECT pg_advisory_unlock(CAST(:kind AS integer), CAST(:number AS integer))")
_UNLOCK_SHARED = text("SELECT pg_advisory_unlock_shared(CAST(:kind AS integer), CAST(:number AS integer))")
_AGREED = text("SELECT value FROM note WHERE key = 'shards'")
_AGREE = text(
    "INSERT INTO note (key, value) VALUES ('shards', :count) ON CONFLICT (key) DO UPDATE SET value = :count"
)


class Lost(Exception):
    """Raised if the connection is gone, and every claim with it; its text is one line."""


@dataclass(frozen=True, slots=True)
class _Heartbeat:
    """The last heartbeat of a process that claims shards; the name is empty if nobody may replace it."""

    pid: int
    name: str
    at: datetime


class Claims:
    """The shards that this process holds.

    Methods raise Lost; then all claims are gone, and so is this object.
    """

    def __init__(
        self, engine: AsyncEngine, connection: AsyncConnection, driver: Any, clock: Clock = SYSTEM
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._connection = connection
        self._driver = driver
        self._lost = asyncio.Event()
        # A connection that ends is heard of at once, not with the next question.
        self._driver.add_termination_listener(lambda _: self._lost.set())
        self.held: set[int] = set()
        self.coming: set[int] = set()
        """The shards of others that leave them, which this process connects meanwhile."""
        self._ready: set[int] = set()
        self.free: list[int] = []
        """The shards that nobody had when they were looked at last."""
        self.is_alone = True
        """Whether no other process claims anything, as far as this one has seen."""
        self._seen: dict[_Kind, set[int]] = {kind: set() for kind in _Kind}
        self.late: dict[int, float] = {}
        """The shards whose process is late, each with the seconds since its last heartbeat."""
        self._claimed: dict[_Heartbeat, set[int]] = {}
        self._since: dict[_Heartbeat, datetime] = {}
        """When this process has seen each heartbeat first, by the database's clock."""
        self._looked: datetime | None = None
        self._answered = clock.monotonic()

    @classmethod
    async def open(cls, url: str, clock: Clock = SYSTEM, process: str = "") -> "Claims":
        """Connect, without any claims yet; only a `process` with a name can be replaced if it hangs.

        Raises engine.Unreachable, or its subclass engine.Away if waiting may help; engine.Replaced if another
        process has replaced this one.
        """
        engine = connect(url, BOT, connections=1, process=process)
        try:
            async with clock.timeout(PATIENCE):
                connection = await engine.connect()
                raw = await connection.get_raw_connection()
                for habit in _HABITS:
                    await connection.exec_driver_sql(f"SET {habit}")
        except (DBAPIError, OSError) as error:
            reason = str(getattr(error, "orig", None) or error or "no answer").splitlines()[0]
            kind = Away if is_away(error) else Unreachable
            raise kind(f"The database {engine.url.render_as_string()} cannot be used: {reason}.") from None
        return cls(engine, connection, raw.driver_connection, clock)

    async def close(self) -> None:
        """Release all claims at once."""
        # Without a word: a server that does not answer would keep those waiting who come next.
        self._driver.terminate()
        with suppress(DBAPIError, OSError):
            await self._connection.invalidate()
            await self._connection.close()
        await self._engine.dispose()

    @property
    def silence(self) -> float:
        """Seconds since this process's own last heartbeat."""
        return self._clock.monotonic() - self._answered

    async def pause(self, seconds: float) -> None:
        """Sleep. Raises Lost as soon as the connection is gone."""
        with suppress(TimeoutError):
            async with self._clock.timeout(seconds):
                await self._lost.wait()
        if self._lost.is_set():
            raise Lost("the connection to the database was closed")

    async def agree(self, count: int, *, is_fixed: bool) -> int | None:
        """Return the number of shards that all claiming processes use; the first process decides.

        If `is_fixed`, only `count` will do: returns None if the others use another number. Also returns None
        while the first process is about to decide.
        """
        async with self._asking():
            if await self._value(_TRY, _Kind.COUNT):
                # Said before others may share the lock, and shared before it is let go of: nobody reads a
                # number that is not there yet, and nobody is the first in between.
                await self._connection.execute(_AGREE, {"count": str(count)})
                await self._value(_TRY_SHARED, _Kind.COUNT)
                await self._value(_UNLOCK, _Kind.COUNT)
                return count
            if not await self._value(_TRY_SHARED, _Kind.COUNT):
                return None  # the first one is about to say it
            agreed = int((await self._connection.execute(_AGREED)).scalar_one())
            if agreed == count or not is_fixed:
                return agreed
            await self._value(_UNLOCK_SHARED, _Kind.COUNT)
            return None

    async def take(self, count: int, most: int) -> list[int]:
        """Claim free shards until this process has `most`; return the new ones."""
        fresh = []
        async with self._asking():
            await self._look()
            taken = self._seen[_Kind.SHARD] | self._seen[_Kind.NEXT]
            self.free = [number for number in range(count) if number not in taken]
            for number in self.free[:]:
                if self._has_room(most) and await self._value(_TRY, _Kind.SHARD, number):
                    self.held.add(number)
                    self.free.remove(number)
                    fresh.append(number)
        return fresh

    async def end_hung(self, most: int) -> list[int]:
        """End a process that hangs, if this one has room for its shards; return these.

        If several processes try, only one of them does it.
        """
        if not self._has_room(most) or (hung := self._find_hung()) is None:
            return []
        async with self._asking():
            if not await self._value(_TRY, _Kind.ENDING, hung.pid):
                return []
            await self._look()  # it may have woken up, or another process may just have ended it
            if is_hung := hung == self._find_hung():
                names = {"kind": REPLACED, "process": hung.name, "name": f"{BOT}:{hung.name}"}
                await self._connection.exec_driver_sql(_END.format_map(names | {"pid": hung.pid}))
            await self._value(_UNLOCK, _Kind.ENDING, hung.pid)
        return sorted(self._claimed[hung]) if is_hung else []

    async def succeed(self, most: int) -> list[int]:
        """Become next for shards that are being left, until this process has `most`; return the new ones."""
        fresh = []
        async with self._asking():
            for number in sorted(self._seen[_Kind.LEAVING] - self._seen[_Kind.NEXT] - self.held):
                if self._has_room(most) and await self._value(_TRY, _Kind.NEXT, number):
                    self.coming.add(number)
                    fresh.append(number)
        return fresh

    async def own(self, number: int) -> bool:
        """Claim a shard that this process has connected; return whether its old holder had released it."""
        async with self._asking():
            if number not in self._ready:  # a lock that is taken twice has to be let go twice
                self._ready.add(number)
                await self._value(_TRY, _Kind.READY, number)
            # Claimed before it is forgone as the next one, or it would look free to others in between.
            if not await self._value(_TRY, _Kind.SHARD, number):
                return False
            await self._forgo(number)
            self.held.add(number)
            return True

    async def forgo(self, number: int) -> bool:
        """Give up being next for a shard that another process has claimed; return whether that was so."""
        if number in self._seen[_Kind.LEAVING] or number not in self._seen[_Kind.SHARD]:
            return False
        async with self._asking():
            await self._forgo(number)
        return True

    async def leave(self) -> None:
        """Mark all held shards as about to be left."""
        async with self._asking():
            for number in self.held:
                await self._value(_TRY, _Kind.LEAVING, number)

    async def successors(self) -> tuple[set[int], set[int]]:
        """Return which held shards have a next process, and for which of these it is ready."""
        async with self._asking():
            await self._look()
        return self._seen[_Kind.NEXT] & self.held, self._seen[_Kind.READY] & self.held

    async def let_go(self, number: int) -> None:
        """Release a shard to the next process."""
        async with self._asking():
            # In this order: a shard that is held, and not being left, makes whoever is next give up.
            await self._value(_UNLOCK, _Kind.SHARD, number)
            await self._value(_UNLOCK, _Kind.LEAVING, number)
        self.held.discard(number)

    async def _forgo(self, number: int) -> None:
        await self._value(_UNLOCK, _Kind.NEXT, number)
        await self._value(_UNLOCK, _Kind.READY, number)
        self.coming.discard(number)
        self._ready.discard(number)

    async def _look(self) -> None:
        self._seen = {kind: set() for kind in _Kind}
        self._claimed = {}
        owners = set()
        locks = (await self._connection.execute(_SEEN)).all()
        for kind, number, pid, name, beat, _ in locks:
            if kind in self._seen:
                self._seen[_Kind(kind)].add(number)
                owners.add(pid)
            if kind in (_Kind.SHARD, _Kind.NEXT) and beat is not None:
                self._claimed.setdefault(_Heartbeat(pid, name, beat), set()).add(number)
        self.is_alone = len(owners) < 2
        if locks:
            self._listen(locks[0][-1])

    def _listen(self, now: datetime) -> None:
        """Note which processes have had no heartbeat since the last look."""
        # A process that has not looked for long can't tell who hangs: perhaps all of them were away, or the
        # database was. It counts from now.
        is_fit = self._looked is not None and timedelta() <= now - self._looked <= timedelta(seconds=LATE)
        self._since = {beat: self._since.get(beat, now) if is_fit else now for beat in self._claimed}
        self._looked = now
        silent = ((beat, self._silence_of(beat)) for beat in self._claimed)
        self.late = {n: seconds for beat, seconds in silent if seconds > LATE for n in self._claimed[beat]}

    def _silence_of(self, beat: _Heartbeat) -> float:
        assert self._looked is not None
        return (self._looked - self._since[beat]).total_seconds()

    def _find_hung(self) -> _Heartbeat | None:
        hung = (beat for beat in self._claimed if beat.name.isalnum() and self._silence_of(beat) > HUNG)
        return next(hung, None)

    def _has_room(self, most: int) -> bool:
        return len(self.held) + len(self.coming) < most

    async def _value(self, asked: Any, kind: _Kind, number: int = 0) -> Any:
        return (await self._connection.execute(asked, {"kind": kind, "number": number})).scalar_one()

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[None]:
        """What cannot be asked within PATIENCE is lost."""
        try:
            async with self._clock.timeout(PATIENCE):
                yield
            self._answered = self._clock.monotonic()
        # A TimeoutError is an OSError.
        except (DBAPIError, OSError) as error:
            if not (is_away(error) or self._lost.is_set()):
                raise
            reason = str(getattr(error, "orig", None) or error or "no answer").splitlines()[0]
            raise Lost(f"the database does not answer: {reason}") from error


@dataclass(frozen=True, slots=True)
class Share:
    """The shards of this process: those named, else as many as it can claim, else all.

    Without a `count`, there are as many shards as Discord recommends.
    """

    count: int | None = None
    named: tuple[int, ...] | None = None
    claims: Claims | None = None
    most: int = 0


EVERYTHING = Share()
"""All shards, as many as Discord recommends."""
