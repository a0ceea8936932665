"""Notes: what the bot has to know again, as a text under a key."""

from collections.abc import Collection

from sqlalchemy import bindparam, delete, insert, select

from bot.store import schema
from bot.store.recorder import Recorder

# Composed but once, which takes as long as to answer it.
_NOTE = select(schema.note.c.value).where(schema.note.c.key == bindparam("of"))


class Notes:
    """What was noted, by key."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    async def read(self, key: str) -> str | None:
        """What was noted under a key."""
        value: str | None = await self._recorder.reader.value(_NOTE, {"of": key})
        return value

    async def read_all(self, keys: Collection[str]) -> dict[str, str]:
        """What was noted under keys, by key."""
        wanted = select(schema.note.c.key, schema.note.c.value).where(schema.note.c.key.in_(keys))
        return {row.key: row.value for row in await self._recorder.reader.rows(wanted)}

    async def keep(self, key: str, value: str) -> None:
        """Note something, instead of what was noted under that key."""
        old = delete(schema.note).where(schema.note.c.key == key)
        await self._recorder.write(old, insert(schema.note).values(key=key, value=value))

    async def drop(self, key: str) -> None:
        """Note nothing under a key."""
        await self._recorder.write(delete(schema.note).where(schema.note.c.key == key))
