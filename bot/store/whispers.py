"""Whispers: what one person said to another, and nobody else may read; kept for a month at most."""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.recorder import Recorder
from bot.store.schema import whisper
from bot.store.writer import Write

KEPT = timedelta(days=30)
"""How long a whisper can be opened: it is what people said, so not longer than anybody needs it."""
MOST = 200
"""So many whispers of one person are kept, the latest."""


@dataclass(frozen=True, slots=True)
class Whisper:
    """What somebody said to one other person; `id` is the interaction by which it was said."""

    id: int
    sender_id: int
    sender_name: str
    reader_id: int
    reader_name: str
    body: str
    at: datetime


class Whispers:
    """The whispers that can still be opened."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._keep = recorder.insert(whisper).on_conflict_do_nothing(index_elements=["id"])

    async def keep(self, one: Whisper) -> None:
        """Keep a whisper, once; the sender's oldest beyond MOST goes."""
        columns = whisper.c
        ours = select(columns.id).where(columns.sender_id == one.sender_id).order_by(columns.id.desc())
        oldest = ours.offset(MOST - 1).limit(1).scalar_subquery()
        await self._recorder.write(
            delete(whisper).where(columns.sender_id == one.sender_id, columns.id <= oldest),
            Write(self._keep, values=asdict(one)),
        )

    async def find(self, number: int) -> Whisper | None:
        """A whisper that can still be opened, or None."""
        found = await self._found(whisper.c.id == number)
        return found[0] if found else None

    async def of(self, person: int) -> list[Whisper]:
        """All that somebody has said or was told, the oldest first."""
        return await self._found(_knows(person))

    async def between(self, one: int, other: int, since: datetime) -> list[Whisper]:
        """What two people have said to each other since then, the oldest first."""
        columns = whisper.c
        both = columns.sender_id.in_((one, other)) & columns.reader_id.in_((one, other))
        return await self._found(both & (columns.at >= since))

    async def drop(self, number: int) -> bool:
        """Let nobody open a whisper any more; whether anybody could."""
        dropped = 0

        async def work(connection: AsyncConnection) -> None:
            nonlocal dropped
            dropped = (await connection.execute(delete(whisper).where(whisper.c.id == number))).rowcount

        await self._recorder.write(last=work)
        return dropped == 1

    async def forget(self, person: int) -> None:
        """Forget what somebody has said, and what was said to them."""
        await self._recorder.write(delete(whisper).where(_knows(person)))

    async def _found(self, wanted: ColumnElement[bool]) -> list[Whisper]:
        recent = whisper.c.at >= self._recorder.clock.now() - KEPT
        rows = await self._recorder.reader.rows(select(whisper).where(wanted, recent).order_by(whisper.c.id))
        return [Whisper(**row._mapping) for row in rows]


def _knows(person: int) -> ColumnElement[bool]:
    return or_(whisper.c.sender_id == person, whisper.c.reader_id == person)
