"""What one process has and no other: claims on shards, held by a connection to PostgreSQL of its own.

They are advisory locks of that connection's session. When the process dies, or loses the connection, the
server lets go of them, and others may have them.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store.engine import BOT, Away, Unreachable, connect, is_away

PATIENCE = 8.0
"""Seconds that the server has for an answer, before the connection counts as lost."""
_HABITS = ("tcp_keepalives_idle = 6", "tcp_keepalives_interval = 3", "tcp_keepalives_count = 3")
"""A server hears after 15 seconds that a machine is gone: later than that machine gives up by itself."""
_SHARD, _COUNT = 0x73686172, 0x73686173  # with migrate's, the only advisory locks in this database

_TAKEN = text(
    "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 "
    "AND classid::bigint = :kind "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_TRY = text("SELECT pg_try_advisory_lock(CAST(:kind AS integer), CAST(:number AS integer))")
_TRY_SHARED = text("SELECT pg_try_advisory_lock_shared(CAST(:kind AS integer), CAST(:number AS integer))")
_UNLOCK = text("SELECT pg_advisory_unlock(CAST(:kind AS integer), CAST(:number AS integer))")
_UNLOCK_SHARED = text("SELECT pg_advisory_unlock_shared(CAST(:kind AS integer), CAST(:number AS integer))")
_AGREED = text("SELECT value FROM note WHERE key = 'shards'")
_AGREE = text(
    "INSERT INTO note (key, value) VALUES ('shards', :count) ON CONFLICT (key) DO UPDATE SET value = :count"
)


class Lost(Exception):
    """The connection is gone, and every claim with it; one line."""


class Claims:
    """The shards that this process has. Methods raise Lost; then it has none, and needs another object."""

    def __init__(self, engine: AsyncEngine, connection: AsyncConnection, driver: Any) -> None:
        self._engine = engine
        self._connection = connection
        self._driver = driver
        self._lost = asyncio.Event()
        self._driver.add_termination_listener(lambda _: self._lost.set())
        self.held: set[int] = set()
        self.free: list[int] = []
        """The shards that nobody had when they were looked at last."""

    @classmethod
    async def open(cls, url: str) -> "Claims":
        """A process that has nothing yet. Raises engine.Unreachable, and its kind engine.Away."""
        engine = connect(url, BOT, connections=1)
        try:
            async with asyncio.timeout(PATIENCE):
                connection = await engine.connect()
                raw = await connection.get_raw_connection()
                for habit in _HABITS:
                    await connection.exec_driver_sql(f"SET {habit}")
        except (DBAPIError, OSError) as error:
            reason = str(getattr(error, "orig", None) or error or "no answer").splitlines()[0]
            kind = Away if is_away(error) else Unreachable
            raise kind(f"The database {engine.url.render_as_string()} cannot be used: {reason}.") from None
        return cls(engine, connection, raw.driver_connection)

    async def close(self) -> None:
        """Let others have what this process has, at once."""
        self._driver.terminate()
        with suppress(DBAPIError, OSError):
            await self._connection.invalidate()
            await self._connection.close()
        await self._engine.dispose()

    async def pause(self, seconds: float) -> None:
        """Wait."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._lost.wait()
        if self._lost.is_set():
            raise Lost("the connection to the database was closed")

    async def agree(self, count: int, *, is_fixed: bool) -> int | None:
        """How many shards there are for all processes that claim some: what the first of them says.

        A `count` that is fixed is not given up for theirs: None where they have another.
        """
        async with self._asking():
            if await self._value(_TRY, _COUNT):
                await self._connection.execute(_AGREE, {"count": str(count)})
                await self._value(_TRY_SHARED, _COUNT)
                await self._value(_UNLOCK, _COUNT)
                return count
            if not await self._value(_TRY_SHARED, _COUNT):
                return None  # the first one is about to say it
            agreed = int((await self._connection.execute(_AGREED)).scalar_one())
            if agreed == count or not is_fixed:
                return agreed
            await self._value(_UNLOCK_SHARED, _COUNT)
            return None

    async def take(self, count: int, most: int) -> list[int]:
        """Claim shards that are free until there are `most`, and tell which ones came."""
        fresh = []
        async with self._asking():
            taken = set((await self._connection.execute(_TAKEN, {"kind": _SHARD})).scalars())
            self.free = [number for number in range(count) if number not in taken]
            for number in self.free[:]:
                if len(self.held) < most and await self._value(_TRY, _SHARD, number):
                    self.held.add(number)
                    self.free.remove(number)
                    fresh.append(number)
        return fresh

    async def _value(self, asked: Any, kind: int, number: int = 0) -> Any:
        return (await self._connection.execute(asked, {"kind": kind, "number": number})).scalar_one()

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[None]:
        """What cannot be asked within PATIENCE is lost."""
        try:
            async with asyncio.timeout(PATIENCE):
                yield
        except (DBAPIError, OSError) as error:
            if not (is_away(error) or self._lost.is_set()):
                raise
            reason = str(getattr(error, "orig", None) or error or "no answer").splitlines()[0]
            raise Lost(f"the database does not answer: {reason}") from error
