"""Turns: what may be done once in so many seconds, by one process or by all that share a database."""

from sqlalchemy import Executable, text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.clock import Clock
from bot.store.engine import is_away, is_sqlite

# By the database's clock, which is the same for all. A turn is not given back: who took it may have died.
_TAKE = text(
    "INSERT INTO note (key, value) VALUES (:key, CAST(extract(epoch FROM clock_timestamp()) AS text)) "
    "ON CONFLICT (key) DO UPDATE SET value = excluded.value "
    "WHERE CAST(note.value AS double precision) <= CAST(excluded.value AS double precision) - :seconds "
    # A clock that was ahead and was put right must not keep everybody waiting until then.
    "OR CAST(note.value AS double precision) > CAST(excluded.value AS double precision) + :seconds "
    "RETURNING value"
)
_RENEW = text(
    "UPDATE note SET value = CAST(extract(epoch FROM clock_timestamp()) AS text) "
    "WHERE key = :key AND value = :taken RETURNING value"
)


class Turns:
    """The turns of a database; those of a SQLite file are one process's alone, and are not kept.

    Each says when it was taken. There are none while the database is away.
    """

    def __init__(self, engine: AsyncEngine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock
        self._last: dict[str, float] = {}

    async def take(self, key: str, seconds: float) -> str | None:
        """Take a turn, if the last was so many seconds ago; None where it was not."""
        if not is_sqlite(self._engine):
            return await self._value(_TAKE, {"key": key, "seconds": seconds})
        now = self._clock.monotonic()
        if now - self._last.get(key, -seconds) < seconds:
            return None
        self._last[key] = now
        return str(now)

    async def renew(self, key: str, taken: str) -> str | None:
        """Let a turn that was taken count from now on; None where somebody else had the next one already."""
        if not is_sqlite(self._engine):
            return await self._value(_RENEW, {"key": key, "taken": taken})
        if taken != str(self._last.get(key)):
            return None
        self._last[key] = self._clock.monotonic()
        return str(self._last[key])

    async def _value(self, asked: Executable, values: dict[str, object]) -> str | None:
        try:
            async with self._engine.connect() as connection:
                value: str | None = (await connection.execute(asked, values)).scalar()
                return value
        except Exception as error:
            if is_away(error):
                return None
            raise
