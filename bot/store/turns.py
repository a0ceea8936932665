"""Turns: what may be done once in so many seconds, by one process or by all that share a database."""

import time

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store.engine import is_away, is_sqlite

# By the database's clock, which is the same for all. A turn is not given back: who took it may have died.
_TAKE = text(
    "INSERT INTO note (key, value) VALUES (:key, CAST(extract(epoch FROM clock_timestamp()) AS text)) "
    "ON CONFLICT (key) DO UPDATE SET value = excluded.value "
    "WHERE CAST(note.value AS double precision) <= CAST(excluded.value AS double precision) - :seconds "
    "RETURNING key"
)


class Turns:
    """The turns of a database; those of a SQLite file are one process's alone, and are not kept."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._last: dict[str, float] = {}

    async def take(self, key: str, seconds: float) -> bool:
        """Take a turn, if the last was so many seconds ago; there is none while the database is away."""
        if is_sqlite(self._engine):
            return self._take_alone(key, seconds)
        try:
            async with self._engine.connect() as connection:
                return (await connection.execute(_TAKE, {"key": key, "seconds": seconds})).first() is not None
        except (DBAPIError, OSError) as error:
            if is_away(error):
                return False
            raise

    def _take_alone(self, key: str, seconds: float) -> bool:
        now = time.monotonic()
        if now - self._last.get(key, -seconds) < seconds:
            return False
        self._last[key] = now
        return True
