"""Examine, repair, test and compact a database."""

import asyncio
import errno
import os
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Index,
    Inspector,
    MetaData,
    Select,
    String,
    Table,
    UniqueConstraint,
    delete,
    func,
    insert,
    inspect,
    select,
)
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.schema import CreateColumn

from bot.clock import SYSTEM
from bot.store import schema
from bot.store.backups import COPIED, FAILED, copy_state
from bot.store.campaign_check import Checkup, Finding, findings, first_few, mended
from bot.store.column_check import Cell, mend, repair_of
from bot.store.engine import (
    TOOL,
    Away,
    Owner,
    Unreachable,
    address,
    alone,
    clear_traces,
    connect,
    file_of,
    is_away,
    is_file,
    is_sqlite,
    known,
    opened,
    seen,
    unreachable,
)
from bot.store.ledger import Ledger
from bot.store.retention import DAYS_ROLLED
from bot.store.schema import METADATA, campaign, channel, entry, note, pin
from bot.store.survey import Progress, survey


@dataclass(frozen=True, slots=True)
class Pruned:
    """The number of rows deleted, and the size of the whole database in bytes before and after."""

    expired: int
    before: int
    after: int


async def maintain(url: str) -> Pruned:
    """Delete expired data, compact the rest, and update the statistics for the query planner.

    Raises engine.Unreachable if the database cannot be used; engine.Occupied if a bot owns the SQLite file.
    """
    engine = connect(url, TOOL)
    ledger = await Ledger.open(url, prunes=False)
    try:
        async with engine.connect() as connection:
            before = await _size(engine, connection)
            expired = await ledger.upkeep.prune() + await _rolled_out(ledger)
            for statement in _statements(engine):
                await connection.exec_driver_sql(statement)
            await clear_traces(engine)
            return Pruned(expired, before, await _size(engine, connection))
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        await ledger.close()
        await engine.dispose()


async def _rolled_out(ledger: Ledger) -> int:
    """Let go of places where people have only rolled dice, and not for long; of how many."""
    until = SYSTEM.now() - timedelta(days=DAYS_ROLLED)
    gone = await ledger.upkeep.rolled_out(until)
    for number in gone:
        await ledger.upkeep.erase(number, rolled=until)
    return len(gone)


async def size(url: str) -> int:
    """Return the size of an existing database in bytes. Raises engine.Unreachable if it cannot be used."""
    engine = connect(url, TOOL)
    try:
        async with engine.connect() as connection:
            return await _size(engine, connection)
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        await engine.dispose()


def _statements(engine: AsyncEngine) -> list[str]:
    if is_sqlite(engine):
        return ["VACUUM", "ANALYZE"]
    # A server may end what takes longer than it likes.
    return ["SET statement_timeout = 0", *(f"VACUUM (ANALYZE) {table}" for table in sorted(METADATA.tables))]


async def _size(engine: AsyncEngine, connection: AsyncConnection) -> int:
    """The bytes of a database."""
    if not is_sqlite(engine):
        wanted = "SELECT pg_database_size(current_database())"
        return int((await connection.exec_driver_sql(wanted)).scalar_one())
    pages = (await connection.exec_driver_sql("PRAGMA page_count")).scalar_one()
    return int(pages) * int((await connection.exec_driver_sql("PRAGMA page_size")).scalar_one())


STAMP = Table("alembic_version", MetaData(), Column("version_num", String(32), nullable=False))
"""What says which revision a database has."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A table, or a column or index of one, that is missing."""

    table: Table
    what: Table | Column[Any] | Index | UniqueConstraint

    def __str__(self) -> str:
        if isinstance(self.what, Table):
            return f"The table {self.table.name} is missing"
        if isinstance(self.what, Column):
            return f"The column {self.table.name}.{self.what.name} is missing"
        return f"The index {self.what.name} of the table {self.table.name} is missing"

    @property
    def can_be_made(self) -> bool:
        """Whether it can be created without knowing the data that was there."""
        if not isinstance(self.what, Column):
            return True
        return bool(self.what.nullable) or self.what.server_default is not None

    @property
    def is_index(self) -> bool:
        """Whether it is an index, so that rows can be read without it."""
        return isinstance(self.what, Index | UniqueConstraint)

    def make(self, connection: Connection) -> None:
        """Create it, empty."""
        match self.what:
            case Column():
                column = CreateColumn(self.what).compile(dialect=connection.dialect)
                connection.exec_driver_sql(f"ALTER TABLE {self.table.name} ADD COLUMN {column}")
            case UniqueConstraint():
                columns = ", ".join(column.name for column in self.what.columns)
                name = self.what.name
                # SQLite adds no constraint to a table that is there; an index does the same.
                connection.exec_driver_sql(f"CREATE UNIQUE INDEX {name} ON {self.table.name} ({columns})")
            case made:
                made.create(connection, checkfirst=True)
        if self.what is STAMP:  # whoever looks at the tables has seen that they are those of now
            connection.execute(insert(STAMP).values(version_num=known()[-1]))


def missing(connection: Connection) -> list[Missing]:
    """Return what a database should have but has not."""
    found = inspect(connection)
    there = set(found.get_table_names())
    gone = [Missing(table, table) for table in METADATA.sorted_tables if table.name not in there]
    if not seen(connection):
        gone.append(Missing(STAMP, STAMP))
    named = [table for table in METADATA.sorted_tables if table.name in there]
    return [*gone, *_parts(found, named)]


def _parts(found: Inspector, tables: Sequence[Table]) -> Iterator[Missing]:
    names = [table.name for table in tables]
    has_columns = _named(found.get_multi_columns(filter_names=names))
    has_indexes = _named(found.get_multi_indexes(filter_names=names))
    # Only of those tables that should have some: on SQLite this parses each table's statement.
    ruled = [table.name for table in tables if _rules(table)]
    has_rules = _named(found.get_multi_unique_constraints(filter_names=ruled)) if ruled else {}
    for table in tables:
        columns = has_columns[table.name]
        yield from (Missing(table, column) for column in table.columns if column.name not in columns)
        indexes = has_indexes[table.name] | has_rules.get(table.name, set())
        wanted: list[Index | UniqueConstraint] = [*table.indexes, *_rules(table)]
        wanted.sort(key=lambda each: str(each.name))
        yield from (Missing(table, each) for each in wanted if each.name not in indexes)


def _rules(table: Table) -> list[UniqueConstraint]:
    return [rule for rule in table.constraints if isinstance(rule, UniqueConstraint)]


def _named(found: Mapping[Any, Sequence[Mapping[str, Any]]]) -> dict[str, set[str]]:
    """The names of what each table has."""
    return {table: {each["name"] for each in parts} for (_, table), parts in found.items()}


__all__ = ["Checkup", "Finding", "examine"]
_RETRIES = 3


async def examine(
    url: str, health: Checkup, *, repairs: bool, tell: Progress = lambda *_: None
) -> AsyncIterator[Finding]:
    """Yield the problems of a database as they are found, repairing them if `repairs`; fills `health`.

    `tell` is called with how many steps have been checked, and how many there are.
    Raises engine.Unreachable if the database cannot be used; engine.Occupied if a bot uses it during a
    repair.
    """
    engine = connect(url, TOOL)
    owner = Owner(file_of(engine)) if repairs and is_sqlite(engine) else None
    try:
        async with _owned(engine, repairs=repairs):
            async for finding in _findings(engine, health, tell, repairs=repairs):
                yield finding
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        if owner is not None:
            owner.release()
        await engine.dispose()


@asynccontextmanager
async def _owned(engine: AsyncEngine, *, repairs: bool) -> AsyncIterator[None]:
    """A database on a server that is mended has nobody else meanwhile. Raises owner.Occupied."""
    if is_sqlite(engine) or not repairs:
        yield
        return
    async with engine.connect() as connection:
        await alone(connection)
        yield


async def _findings(
    engine: AsyncEngine, health: Checkup, tell: Progress, *, repairs: bool
) -> AsyncIterator[Finding]:
    if is_sqlite(engine) and (said := await _damage(engine)):
        text = "The database file is damaged: {damage}. Restore a backup with `restore`."
        yield Finding(text, is_open=True, values={"damage": said})
        return
    gone = set[object]()
    async for missing, finding in _shape(engine, repairs=repairs):
        gone |= {missing.what} if finding.is_open and not missing.is_index else set()
        yield finding
    found = await survey(engine, gone, tell)
    # Again after mending: beside a damaged value, the others of its row are not judged.
    tries = _RETRIES if repairs else 0
    while found.cells:
        for finding in _by_column(found.cells, repairs=tries > 0):
            yield finding
        if not tries:
            break
        await mend(engine, found.cells)
        found, tries = await survey(engine, gone, tell), tries - 1
    if gone:
        return
    async with engine.connect() as connection:
        wanted = select(note.c.key, note.c.value).where(note.c.key.in_((COPIED, FAILED)))
        health.copies = copy_state({row.key: row.value for row in await connection.execute(wanted)})
    if repairs and (adopted := [each async for each in _adopted(engine)]):
        for finding in adopted:
            yield finding
        found = await survey(engine, gone, tell)
    found.count(health)
    for chart in found.charts:
        for finding in findings(chart, is_open=not repairs or chart.is_blurred):
            yield finding
        if repairs and not chart.is_well and not chart.is_blurred:
            yield await mended(engine, chart)
    for what, wanted, let_go in _strays():
        async with engine.connect() as connection:
            strays = (await connection.execute(wanted)).scalars().all()
            if strays and repairs:
                await connection.execute(let_go)
            if strays:
                text = f"{what}: {{ids}}.{' Deleted.' if repairs else ''}"
                yield Finding(text, is_open=not repairs, values={"ids": first_few(strays)})


async def _damage(engine: AsyncEngine) -> str:
    """What SQLite says of a file whose pages are damaged; nothing where none is."""
    try:
        async with engine.connect() as connection:
            found = (await connection.exec_driver_sql("PRAGMA quick_check(5)")).scalars().all()
    except DBAPIError as error:
        if is_away(error):
            raise
        found = [str(error.orig)]
    return "" if found == ["ok"] else "; ".join(map(str, found)).replace("\n", " ")


async def _shape(engine: AsyncEngine, *, repairs: bool) -> AsyncIterator[tuple[Missing, Finding]]:
    """The tables, columns and indexes that are missing; what can be made anew is, if it `repairs`."""
    async with engine.connect() as connection:
        for each in await connection.run_sync(missing):
            if not each.can_be_made:
                yield each, Finding(f"{each}. Restore a backup with `restore`.", is_open=True)
            elif not repairs:
                yield each, Finding(f"{each}.", is_open=True)
            else:
                try:
                    await connection.run_sync(each.make)
                except IntegrityError:
                    yield (
                        each,
                        Finding(
                            f"{each}, and there are duplicate rows. Restore a backup with `restore`.",
                            is_open=True,
                        ),
                    )
                else:
                    yield each, Finding(f"{each}. Recreated.", is_open=False)


def _by_column(found: Sequence[Cell], *, repairs: bool) -> Iterator[Finding]:
    """The values that cannot be read, by column."""
    for column, some in groupby(sorted(found, key=_column), key=_column):
        cells = [*some]
        done = f" Repaired: {repair_of(cells[0].column)}." if repairs else ""
        text = f"{column} cannot be read in {len(cells)} row{'s'[: len(cells) > 1]}: {{rows}}.{done}"
        rows = first_few([cell.of for cell in cells], 3)
        yield Finding(text, is_open=not repairs, values={"rows": rows})


def _column(cell: Cell) -> str:
    return str(cell.column)


async def _adopted(engine: AsyncEngine) -> AsyncIterator[Finding]:
    """Steps whose campaign has no row any more get one."""
    known = select(campaign.c.id)
    wanted = select(entry.c.campaign_id, func.min(entry.c.at)).where(entry.c.campaign_id.not_in(known))
    async with engine.connect() as connection:
        for of, at in (await connection.execute(wanted.group_by(entry.c.campaign_id))).all():
            shown = select(func.max(schema.shown.c.guild_id)).where(schema.shown.c.campaign_id == of)
            server = (await connection.execute(shown)).scalar() or 0
            row = {"id": of, "guild_id": server, "name": "", "archived": False, "created_at": at}
            await connection.execute(insert(campaign).values(row))
            text = "Campaign {id} has steps, but its row is missing. Recreated."
            yield Finding(text, is_open=False, values={"id": of})


def _strays() -> Sequence[tuple[str, Select[Any], Any]]:
    """Rows that belong to nothing: what they are, how they are found, how they are deleted."""
    known = select(campaign.c.id)
    shown = select(channel.c.channel_id).where(channel.c.campaign_id.in_(known))
    lost = pin.c.channel_id.not_in(shown) & pin.c.parent_id.not_in(shown)
    pins = "Pinned tables without a campaign, in channels"
    found = [(pins, select(pin.c.channel_id).where(lost), delete(pin).where(lost))]
    for table in METADATA.sorted_tables:
        if "campaign_id" in table.c:
            of = table.c.campaign_id
            stray = of.is_not(None) & of.not_in(known)
            what = f"Rows of the table {table.name} that refer to missing campaigns"
            found.append((what, select(of).where(stray).distinct(), delete(table).where(stray)))
    return found


ROOM = 1_000_000
"""So many bytes have to fit: the tables of a new database, and a few steps."""
_TRIED = "doomkeeper_check"


async def try_to_write(url: str, folder: Path | None, *, makes_tables: bool) -> None:
    """Test writing to a database and to its backup folder, and revert it.

    `makes_tables` means that a start would create or change tables. Raises engine.Unreachable if writing
    fails.
    """
    where = address(url)
    if is_file(where):
        await asyncio.to_thread(_in_file, Path(str(where.database)))
    else:
        await _on_server(url, makes_tables=makes_tables)
    if folder is not None:
        await asyncio.to_thread(_in_folder, folder, f"BACKUP_DIR: {folder}")


def _in_file(path: Path) -> None:
    _in_folder(path.parent, f"The folder of the database file {path}")
    if not path.exists():
        return
    try:
        with closing(opened(path, "mode=rw")) as file:
            file.isolation_level = None  # else Python's module begins transactions of its own
            file.execute("BEGIN IMMEDIATE")
            file.execute(f"CREATE TABLE {_TRIED} (one INTEGER)")
            file.execute("ROLLBACK")
    except sqlite3.Error as error:
        is_busy = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
        kind = Away if is_busy else Unreachable
        raise kind(f"The database file {path} cannot be written: {error}.") from error


def _in_folder(folder: Path, what: str) -> None:
    """Write a file in a folder, or where it would be made, and let it go."""
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    try:
        with tempfile.TemporaryFile(dir=there) as tried:
            tried.write(bytes(ROOM))
            tried.flush()
            os.fsync(tried.fileno())
    except OSError as error:
        is_full = error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
        reason = "no space left" if is_full else error.strerror
        raise Unreachable(f"{what} cannot be written: {reason}.") from error


async def _on_server(url: str, *, makes_tables: bool) -> None:
    engine = connect(url, TOOL)
    try:
        async with engine.connect() as connection:
            await connection.exec_driver_sql("BEGIN")
            try:
                await _write(connection, makes_tables=makes_tables)
            finally:
                await connection.exec_driver_sql("ROLLBACK")
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        await engine.dispose()


async def _write(connection: AsyncConnection, *, makes_tables: bool) -> None:
    if makes_tables:
        await connection.exec_driver_sql(f"CREATE TABLE {_TRIED} (one INTEGER)")
        return
    for name, table in METADATA.tables.items():
        column = next(iter(table.columns)).name
        # Each asks for its right, and touches no row.
        await connection.exec_driver_sql(f"INSERT INTO {name} SELECT * FROM {name} WHERE false")
        await connection.exec_driver_sql(f"UPDATE {name} SET {column} = {column} WHERE false")
        await connection.exec_driver_sql(f"DELETE FROM {name} WHERE false")
