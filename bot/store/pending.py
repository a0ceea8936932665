"""Temporary storage: refused forms, files to import, pools being built, notes and rate limits."""

from collections.abc import Collection
from datetime import timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Executable, bindparam, delete, insert, or_, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.clock import Clock
from bot.store import codec, schema
from bot.store.engine import is_away, is_sqlite
from bot.store.recorder import Recorder
from bot.store.schema import waiting
from bot.store.writer import Write

WAITING_KEPT = timedelta(days=1)
"""How long something waits: it is what people typed, so not longer than it is of use."""
MOST = 10
"""So many of each kind wait for one person, the latest."""


class WaitingKind(StrEnum):
    """The kinds of things that wait for a button press."""

    FORM = "form"
    QUESTION = "question"
    IMPORT = "import"


class WaitingStore:
    """Texts that wait for a button press, by kind, interaction and person."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    async def keep(self, kind: WaitingKind, interaction: int, person: int, body: str) -> None:
        """Store a text; deletes expired ones, and the person's oldest beyond MOST."""
        columns, now = waiting.c, self._recorder.clock.now()
        ours = (columns.kind == kind, columns.person_id == person)
        ids = select(columns.interaction_id).where(*ours).order_by(columns.interaction_id.desc())
        oldest = ids.offset(MOST - 1).limit(1).scalar_subquery()
        await self._recorder.write(
            delete(waiting).where(columns.at < now - WAITING_KEPT),
            delete(waiting).where(*ours, columns.interaction_id == interaction),
            delete(waiting).where(*ours, columns.interaction_id <= oldest),
            insert(waiting).values(
                kind=kind, interaction_id=interaction, person_id=person, body=body, at=now
            ),
        )

    async def find(self, kind: WaitingKind, interaction: int, person: int) -> str | None:
        """Return the text that waits for that person; None if there is none."""
        recent = waiting.c.at >= self._recorder.clock.now() - WAITING_KEPT
        wanted = select(waiting.c.body).where(*_one(kind, interaction, person), recent)
        body: str | None = await self._recorder.reader.value(wanted)
        return body

    async def take(self, kind: WaitingKind, interaction: int, person: int) -> bool:
        """Delete a text and return whether it was there; only one of two concurrent callers gets True."""
        ours = delete(waiting).where(*_one(kind, interaction, person))
        taken = 0

        async def work(connection: AsyncConnection) -> None:
            nonlocal taken
            taken = (await connection.execute(ours)).rowcount

        await self._recorder.write(last=work)
        return taken == 1

    async def forget(self, person: int) -> None:
        """Delete what waits for a person, and every file, because others' files may mention them."""
        known = or_(waiting.c.person_id == person, waiting.c.kind == WaitingKind.IMPORT)
        await self._recorder.write(delete(waiting).where(known))


def _one(kind: WaitingKind, interaction: int, person: int) -> tuple[ColumnElement[bool], ...]:
    columns = waiting.c
    return columns.kind == kind, columns.interaction_id == interaction, columns.person_id == person


class Builds:
    """The pools that people are building."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    async def of(self, campaign: int, player: int) -> Any:
        """Return what a person is building in a campaign; None for nothing."""
        ours = (schema.build.c.campaign_id == campaign, schema.build.c.player_id == player)
        state: str | None = await self._recorder.reader.value(select(schema.build.c.state).where(*ours))
        return codec.read_build(state) if state else None

    async def keep(self, campaign: int, player: int, build: object) -> None:
        """Store what a person is building, replacing the earlier build."""
        await self._recorder.write(*(each.statement for each in building(campaign, player, build)))


def building(campaign: int, player: int, build: object) -> tuple[Write, ...]:
    """Return the writes that store what a person is building."""
    ours = (schema.build.c.campaign_id == campaign, schema.build.c.player_id == player)
    row = {"campaign_id": campaign, "player_id": player, "state": codec.write_build(build)}
    return Write(delete(schema.build).where(*ours)), Write(insert(schema.build).values(row))


# Composed but once, which takes as long as to answer it.
_NOTE = select(schema.note.c.value).where(schema.note.c.key == bindparam("of"))


class Notes:
    """Small notes, by key."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    async def read(self, key: str) -> str | None:
        """Return the note with that key; None if there is none."""
        value: str | None = await self._recorder.reader.value(_NOTE, {"of": key})
        return value

    async def read_all(self, keys: Collection[str]) -> dict[str, str]:
        """Return the notes with these keys, by key."""
        wanted = select(schema.note.c.key, schema.note.c.value).where(schema.note.c.key.in_(keys))
        return {row.key: row.value for row in await self._recorder.reader.rows(wanted)}

    async def keep(self, key: str, value: str) -> None:
        """Store a note, replacing the one with that key."""
        old = delete(schema.note).where(schema.note.c.key == key)
        await self._recorder.write(old, insert(schema.note).values(key=key, value=value))

    async def drop(self, key: str) -> None:
        """Delete a note."""
        await self._recorder.write(delete(schema.note).where(schema.note.c.key == key))


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
    """Rate limits, shared through the database; with SQLite, kept only in this process's memory.

    A turn is identified by the time it was taken. While the database is unavailable, there are none.
    """

    def __init__(self, engine: AsyncEngine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock
        self._last: dict[str, float] = {}

    async def take(self, key: str, seconds: float) -> str | None:
        """Take a turn if the last one was at least `seconds` ago; return its id, else None."""
        if not is_sqlite(self._engine):
            return await self._value(_TAKE, {"key": key, "seconds": seconds})
        now = self._clock.monotonic()
        if now - self._last.get(key, -seconds) < seconds:
            return None
        self._last[key] = now
        return str(now)

    async def renew(self, key: str, taken: str) -> str | None:
        """Restart the interval of a turn now; return its new id, or None if a later turn was taken."""
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
