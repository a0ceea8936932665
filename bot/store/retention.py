"""Delete expired data, and count usage."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, and_, case, delete, distinct, exists, func, not_, or_, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import history, messages, pending, schema
from bot.store.backups import BY_ITSELF, COPIED, FAILED, CopyState, backup, copy_state, keep_newest, name_for
from bot.store.engine import TOOL, clear_traces, connect, is_sqlite, unreachable
from bot.store.messages import ShownMessages
from bot.store.pending import Notes
from bot.store.recorder import Recorder

DAYS_KEPT = 14
"""So many days a deleted campaign can be brought back."""
DAYS_ROLLED = 30
"""So many days after the last roll a place goes where people have only rolled dice."""


def _deleted_long_ago(now: datetime) -> Any:
    """Campaigns that were deleted and can be brought back no more, with their whole history."""
    return delete(schema.campaign).where(schema.campaign.c.deleted_at < now - timedelta(days=DAYS_KEPT))


def _waited_too_long(now: datetime) -> Any:
    """What people typed and have not pressed anything for."""
    return delete(schema.waiting).where(schema.waiting.c.at < now - pending.WAITING_KEPT)


def _shown_long_ago(now: datetime) -> Any:
    """Which messages showed rolls."""
    return delete(schema.shown).where(schema.shown.c.at < now - messages.SHOWN_KEPT)


def _whispered_long_ago(now: datetime) -> Any:
    """What people said to each other."""
    return delete(schema.whisper).where(schema.whisper.c.at < now - history.WHISPERS_KEPT)


def _spoken_long_ago(now: datetime) -> Any:
    """Which messages people said as characters."""
    return delete(schema.spoken).where(schema.spoken.c.at < now - messages.SPOKEN_KEPT)


EXPIRED: tuple[Callable[[datetime], Any], ...] = (
    _deleted_long_ago,
    _waited_too_long,
    _shown_long_ago,
    _whispered_long_ago,
    _spoken_long_ago,
)
"""What is pruned every day and by `maintain`. Whatever is kept for a time adds its own here."""


def idle_since(moment: datetime) -> Any:
    """Return the query for campaigns in which nothing has happened since then, without deleted ones."""
    idle = (schema.campaign.c.deleted_at.is_(None), ~schema.campaign.c.rolls_only)
    return select(schema.campaign.c.id).where(*idle, _last() < moment)


def rolled_until(moment: datetime) -> Any:
    """Return the query for places with mere rolls in which nothing has happened since then."""
    return select(schema.campaign.c.id).where(schema.campaign.c.rolls_only, _last() < moment)


def _last() -> Any:
    """When anything last happened in a campaign."""
    last = select(schema.entry.c.at).where(schema.entry.c.campaign_id == schema.campaign.c.id)
    return last.order_by(schema.entry.c.number.desc()).limit(1).scalar_subquery()


class Upkeep:
    """Database maintenance while the bot runs."""

    def __init__(self, engine: AsyncEngine, recorder: Recorder, shown: ShownMessages) -> None:
        self._engine = engine
        self._recorder = recorder
        self._shown = shown
        self._notes = Notes(recorder)

    async def prune(self) -> int:
        """Delete expired rows for good; return how many."""
        gone = [0]

        now = self._recorder.clock.now()

        async def let_go(connection: AsyncConnection) -> None:
            gone[:] = [(await connection.execute(each(now))).rowcount for each in EXPIRED]

        await self._recorder.write(last=let_go)
        # They went with their rows, and this process may remember them.
        await self._shown.reread()
        return sum(gone)

    async def idle(self, since: datetime) -> list[int]:
        """Return the campaigns in which nothing has happened since then, without deleted ones."""
        return [row.id for row in await self._recorder.reader.rows(idle_since(since))]

    async def rolled_out(self, since: datetime) -> list[int]:
        """Return the places with mere rolls, none of them since then."""
        return [row.id for row in await self._recorder.reader.rows(rolled_until(since))]

    async def leave_server(self, server: int) -> int:
        """Delete everything stored for a server for good; return the number of campaigns."""
        ours = select(schema.campaign.c.id).where(schema.campaign.c.guild_id == server)
        campaigns = [row.id for row in await self._recorder.reader.rows(ours)]
        for each in campaigns:
            await self.erase(each)
        await self._recorder.write(delete(schema.note).where(schema.note.c.key == f"greeted:{server}"))
        await self.clear_traces()
        return len(campaigns)

    async def drop_channel(self, channel: int) -> None:
        """Remove a channel or thread that Discord deleted from its campaign, and all messages in it."""
        there = [table for table in schema.METADATA.sorted_tables if "channel_id" in table.c]
        gone = [delete(table).where(table.c.channel_id == channel) for table in there]
        # Written first: what still waits would be put back after it is deleted.
        below = delete(schema.pin).where(schema.pin.c.parent_id == channel)
        await self._shown.write()
        await self._recorder.write(*gone, below)
        await self._shown.reread()
        self._recorder.moves += 1

    async def tidy(self) -> None:
        """Update SQLite's statistics for the query planner; PostgreSQL does so by itself."""
        if is_sqlite(self._engine):
            await self._recorder.write(text("PRAGMA optimize"))

    async def copy(self, folder: Path, keep: int) -> Path:
        """Back up the database to a new file in a folder, keep the newest `keep` backups, return the file.

        Raises backups.NoBackup, and whatever engine.revision raises.
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
        """Return when the last automatic backup was made, and when one has failed since."""
        return copy_state(await self._notes.read_all((COPIED, FAILED)))

    async def erase(self, campaign: int, *, rolled: datetime | None = None) -> None:
        """Delete a campaign for good, with its history, channels and pinned tables.

        With `rolled`, only if it has nothing but rolls, all made before that time.
        """
        pinned = schema.pin.c.channel_id.in_(
            [each.channel for each in await self._recorder.reader.pins(campaign)]
        )
        gone = delete(schema.campaign).where(schema.campaign.c.id == campaign)
        gone = gone if rolled is None else gone.where(schema.campaign.c.id.in_(rolled_until(rolled)))
        await self._recorder.write(delete(schema.pin).where(pinned), gone, campaign=campaign)
        await self._shown.reread()
        self._recorder.moves += 1

    async def clear_traces(self) -> None:
        """Remove the remains of deleted data from the database files."""
        await clear_traces(self._engine)


WEEKS = 12
"""Steps are counted for this many weeks, this one included."""
_WEEK = timedelta(weeks=1)


@dataclass(frozen=True, slots=True)
class Usage:
    """Counts of servers, tables, people, and steps per week (keyed by Monday), oldest first.

    `campaigns` are tables in play, `archived` those put away, `rolls_only` places or people with mere rolls,
    `deleted` those that can still be restored. `servers` counts servers with a table that is not deleted.
    """

    servers: int
    campaigns: int
    archived: int
    rolls_only: int
    deleted: int
    people: int
    gms: int
    steps: dict[datetime, int]


async def usage(url: str, now: datetime) -> Usage:
    """Count what a database holds. Raises engine.Unreachable if it cannot be used."""
    engine = connect(url, TOOL)
    monday = datetime.combine((now - timedelta(days=now.weekday())).date(), time(), UTC)
    weeks = [monday - n * _WEEK for n in reversed(range(WEEKS))]
    table, person, entry = schema.campaign.c, schema.person.c, schema.entry.c
    there = table.deleted_at.is_(None)
    place, known = schema.channel.c, schema.person.c
    theirs = (
        place.campaign_id == table.id,
        known.campaign_id == table.id,
        known.player_id == place.channel_id,
    )
    is_own = and_(table.guild_id == 0, exists().where(*theirs))  # where the bot is not on the server
    rolls_only = or_(table.rolls_only, is_own)
    kept = select(
        func.count(distinct(case((and_(there, table.guild_id != 0), table.guild_id)))),
        _sum(and_(there, ~table.archived, not_(rolls_only))),
        _sum(and_(there, table.archived)),
        _sum(and_(there, ~table.archived, rolls_only)),
        _sum(~there),
    )
    people = select(
        func.count(distinct(person.player_id)), func.count(distinct(case((person.is_gm, person.player_id))))
    )
    steps = select(*(_sum(and_(entry.at >= week, entry.at < week + _WEEK)) for week in weeks))
    try:
        async with engine.connect() as connection:
            tables, persons, by_week = [
                tuple((await connection.execute(each)).one()) for each in (kept, people, steps)
            ]
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        await engine.dispose()
    (servers, campaigns, archived, rolled, deleted), (known_people, gms) = tables, persons
    by_monday = dict(zip(weeks, by_week, strict=True))
    return Usage(servers, campaigns, archived, rolled, deleted, known_people, gms, by_monday)


def _sum(of: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((of, 1), else_=0)), 0)
