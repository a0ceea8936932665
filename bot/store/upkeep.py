"""Looking after a database that is played on: letting go of what has had its time, copies, traces."""

from datetime import datetime
from pathlib import Path

from sqlalchemy import delete, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import schema
from bot.store.backup import backup
from bot.store.copies import BY_ITSELF, COPIED, FAILED, CopyState, copy_state, keep_newest, name_for
from bot.store.engine import clear_traces, is_sqlite
from bot.store.expired import EXPIRED, idle_since, rolled_until
from bot.store.notes import Notes
from bot.store.recorder import Recorder
from bot.store.shown import ShownMessages


class Upkeep:
    """What is done for a database while a bot serves."""

    def __init__(self, engine: AsyncEngine, recorder: Recorder, shown: ShownMessages) -> None:
        self._engine = engine
        self._recorder = recorder
        self._shown = shown
        self._notes = Notes(recorder)

    async def prune(self) -> int:
        """Let go for ever of what has had its time; of how many rows."""
        gone = [0]

        now = self._recorder.clock.now()

        async def let_go(connection: AsyncConnection) -> None:
            gone[:] = [(await connection.execute(each(now))).rowcount for each in EXPIRED]

        await self._recorder.write(last=let_go)
        # They went with their rows, and this process may remember them.
        await self._shown.reread()
        return sum(gone)

    async def idle(self, since: datetime) -> list[int]:
        """The campaigns in which nothing has happened since then; no deleted ones."""
        return [row.id for row in await self._recorder.reader.rows(idle_since(since))]

    async def rolled_out(self, since: datetime) -> list[int]:
        """The places where people have only rolled dice, and none since then."""
        return [row.id for row in await self._recorder.reader.rows(rolled_until(since))]

    async def leave_server(self, server: int) -> int:
        """Let go for ever of all that is kept of a server; of how many campaigns."""
        ours = select(schema.campaign.c.id).where(schema.campaign.c.guild_id == server)
        campaigns = [row.id for row in await self._recorder.reader.rows(ours)]
        for each in campaigns:
            await self.erase(each)
        await self._recorder.write(delete(schema.note).where(schema.note.c.key == f"greeted:{server}"))
        await self.clear_traces()
        return len(campaigns)

    async def drop_channel(self, channel: int) -> None:
        """A channel or a thread is gone from Discord: so is its place at a campaign, and all shown there."""
        there = [table for table in schema.METADATA.sorted_tables if "channel_id" in table.c]
        gone = [delete(table).where(table.c.channel_id == channel) for table in there]
        # Written first: what still waits would be put back after it is deleted.
        below = delete(schema.pin).where(schema.pin.c.parent_id == channel)
        await self._shown.write()
        await self._recorder.write(*gone, below)
        await self._shown.reread()
        self._recorder.moves += 1

    async def tidy(self) -> None:
        """Let a SQLite file learn what has changed, to find things quickly; PostgreSQL does so itself."""
        if is_sqlite(self._engine):
            await self._recorder.write(text("PRAGMA optimize"))

    async def copy(self, folder: Path, keep: int) -> Path:
        """Copy the database to a new file in a folder, and keep so many of these copies; the file.

        Raises copies.NoBackup, and what revision.revision raises.
        """
        # What is not written yet is not in the copy.
        await self._shown.write()
        where = self._engine.url
        made = await backup(
            where.render_as_string(hide_password=False),
            folder / name_for(where, self._recorder.clock.now(), BY_ITSELF),
        )
        keep_newest(folder, where, keep, BY_ITSELF)
        return made

    async def copies(self) -> CopyState:
        """Return when the last automatic copy was made, and when one failed since."""
        return copy_state(await self._notes.read_all((COPIED, FAILED)))

    async def erase(self, campaign: int, *, rolled: datetime | None = None) -> None:
        """Let go of a campaign for ever, with its whole history, its channels and its pinned tables.

        With a moment, only if people have `rolled` dice there until then, and nothing else.
        """
        pinned = schema.pin.c.channel_id.in_(
            [channel for channel, _ in await self._recorder.reader.pins(campaign)]
        )
        gone = delete(schema.campaign).where(schema.campaign.c.id == campaign)
        gone = gone if rolled is None else gone.where(schema.campaign.c.id.in_(rolled_until(rolled)))
        await self._recorder.write(delete(schema.pin).where(pinned), gone, campaign=campaign)
        await self._shown.reread()
        self._recorder.moves += 1

    async def clear_traces(self) -> None:
        """Let nothing of what was forgotten stand in the database's own files."""
        await clear_traces(self._engine)
