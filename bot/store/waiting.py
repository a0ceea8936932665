"""What waits for somebody's press: a refused form, a question, a file to import; for a day at most."""

from datetime import timedelta
from enum import StrEnum

from sqlalchemy import ColumnElement, delete, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.recorder import Recorder
from bot.store.schema import waiting

KEPT = timedelta(days=1)
"""How long something waits: it is what people typed, so not longer than it is of use."""
MOST = 10
"""So many of each kind wait for one person, the latest."""


class WaitingKind(StrEnum):
    """What waits."""

    FORM = "form"
    QUESTION = "question"
    IMPORT = "import"


class WaitingStore:
    """What waits, by its kind and the interaction that led to it, for whoever sent that."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    async def keep(self, kind: WaitingKind, interaction: int, person: int, body: str) -> None:
        """Let something wait; the oldest beyond MOST, and what has waited too long, is forgotten."""
        columns, now = waiting.c, self._recorder.clock.now()
        ours = (columns.kind == kind, columns.person_id == person)
        ids = select(columns.interaction_id).where(*ours).order_by(columns.interaction_id.desc())
        oldest = ids.offset(MOST - 1).limit(1).scalar_subquery()
        await self._recorder.write(
            delete(waiting).where(columns.at < now - KEPT),
            delete(waiting).where(*ours, columns.interaction_id == interaction),
            delete(waiting).where(*ours, columns.interaction_id <= oldest),
            insert(waiting).values(
                kind=kind, interaction_id=interaction, person_id=person, body=body, at=now
            ),
        )

    async def find(self, kind: WaitingKind, interaction: int, person: int) -> str | None:
        """What waits for that person, or None."""
        recent = waiting.c.at >= self._recorder.clock.now() - KEPT
        wanted = select(waiting.c.body).where(*_one(kind, interaction, person), recent)
        body: str | None = await self._recorder.reader.value(wanted)
        return body

    async def take(self, kind: WaitingKind, interaction: int, person: int) -> bool:
        """Let it wait no more; whether it did. Of two who take it, one does."""
        ours = delete(waiting).where(*_one(kind, interaction, person))
        taken = 0

        async def work(connection: AsyncConnection) -> None:
            nonlocal taken
            taken = (await connection.execute(ours)).rowcount

        await self._recorder.write(last=work)
        return taken == 1

    async def forget(self, person: int) -> None:
        """Forget what waits for a person, and every file: whoever made it may have known them."""
        known = or_(waiting.c.person_id == person, waiting.c.kind == WaitingKind.IMPORT)
        await self._recorder.write(delete(waiting).where(known))


def _one(kind: WaitingKind, interaction: int, person: int) -> tuple[ColumnElement[bool], ...]:
    columns = waiting.c
    return columns.kind == kind, columns.interaction_id == interaction, columns.person_id == person
