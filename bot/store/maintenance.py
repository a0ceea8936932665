"""Examine, repair, test and compact a database."""

import asyncio
import errno
import os
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
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
    update,
)
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.schema import CreateColumn

from bot.clock import SYSTEM
from bot.store import codec, column_check, schema
from bot.store.backups import COPIED, FAILED, copy_state
from bot.store.campaign_check import SLICE, Checkup, Diagnosis, Finding, chart_of, findings, first_few, mended
from bot.store.engine import (
    TOOL,
    Away,
    Owner,
    Unreachable,
    address,
    alone,
    begin,
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


async def examine(url: str, health: Checkup, *, repairs: bool) -> AsyncIterator[Finding]:
    """Yield the problems of a database as they are found, repairing them if `repairs`; fills `health`.

    Raises engine.Unreachable if the database cannot be used; engine.Occupied if a bot uses it during a
    repair.
    """
    engine = connect(url, TOOL)
    owner = Owner(file_of(engine)) if repairs and is_sqlite(engine) else None
    try:
        async with _owned(engine, repairs=repairs):
            async for finding in _findings(engine, health, repairs=repairs):
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


async def _findings(engine: AsyncEngine, health: Checkup, *, repairs: bool) -> AsyncIterator[Finding]:
    if is_sqlite(engine) and (said := await _damage(engine)):
        text = "The database file is damaged: {damage}. Restore a backup with `restore`."
        yield Finding(text, is_open=True, values={"damage": said})
        return
    gone: list[Missing] = []
    async for missing, finding in _shape(engine, repairs=repairs):
        gone += [missing] if finding.is_open else []
        yield finding
    async for finding in _cells(engine, gone, repairs=repairs):
        yield finding
    if any(not each.is_index for each in gone):
        return
    async with engine.connect() as connection:
        wanted = select(note.c.key, note.c.value).where(note.c.key.in_((COPIED, FAILED)))
        health.copies = copy_state({row.key: row.value for row in await connection.execute(wanted)})
    if repairs:
        async for finding in _adopted(engine):
            yield finding
    async for of, server in _campaigns(engine):
        chart = Diagnosis(of, f"Campaign {of} of server {server}")
        try:
            await chart_of(engine, chart, health)
        except (ArithmeticError, TypeError, ValueError, LookupError):  # what its rows have is named above
            text = "{campaign}: its history can be checked once its damaged rows are repaired."
            yield Finding(text, is_open=True, values={"campaign": chart.name})
            continue
        for finding in findings(chart, is_open=not repairs):
            yield finding
        if repairs and not chart.is_well:
            yield await mended(engine, chart)
    for what, wanted, let_go in _strays():
        async with engine.connect() as connection:
            found = (await connection.execute(wanted)).scalars().all()
            if found and repairs:
                await connection.execute(let_go)
            if found:
                text = f"{what}: {{ids}}.{' Deleted.' if repairs else ''}"
                yield Finding(text, is_open=not repairs, values={"ids": first_few(found)})


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


async def _cells(engine: AsyncEngine, gone: Iterable[Missing], *, repairs: bool) -> AsyncIterator[Finding]:
    """The values that cannot be read, by column; mended, or with their rows let go, if it `repairs`."""
    names = {(each.table.name, getattr(each.what, "name", "")) for each in gone if not each.is_index}
    for table in METADATA.sorted_tables:
        if (table.name, table.name) in names:
            continue
        there = {column.name for column in table.columns} - {name for of, name in names if of == table.name}
        # Again after mending: beside a damaged value, the others of its row are not judged.
        for _ in range(_RETRIES if repairs else 1):
            async with engine.connect() as connection:
                found = [cell async for cell in column_check.damaged(connection, table, there)]
            if not found:
                break
            for finding in _by_column(found, repairs=repairs):
                yield finding
            if repairs:
                await _mend(engine, table, found)


def _by_column(found: Sequence[column_check.Cell], *, repairs: bool) -> Iterator[Finding]:
    for (table, name), some in groupby(sorted(found, key=_column), key=_column):
        rows = [cell.of for cell in some]
        how = column_check.MENDS.get((table, name))
        what = how[1] if how else _SPECIAL.get((table, name), "row deleted")
        done = f" Repaired: {what}." if repairs else ""
        text = f"{table}.{name} cannot be read in {len(rows)} row{'s'[: len(rows) > 1]}: {{rows}}.{done}"
        yield Finding(text, is_open=not repairs, values={"rows": first_few(rows, 3)})


def _column(cell: column_check.Cell) -> tuple[str, str]:
    return cell.column.table.name, cell.column.name


_SPECIAL = {
    ("entry", "number"): "set to the missing number",
    ("entry", "base"): "set to the keyframe before",
}


async def _mend(engine: AsyncEngine, table: Table, found: Sequence[column_check.Cell]) -> None:
    """Put something else in the place of values, or let their rows go."""
    by_row: dict[str, list[column_check.Cell]] = {}
    for cell in found:
        by_row.setdefault(cell.row, []).append(cell)
    async with engine.connect() as connection:
        await connection.exec_driver_sql(begin(engine))
        try:
            for row, some in by_row.items():
                await _mend_row(connection, table, row, [cell.column.name for cell in some])
        except BaseException:
            await connection.exec_driver_sql("ROLLBACK")
            raise
        await connection.exec_driver_sql("COMMIT")


async def _mend_row(connection: AsyncConnection, table: Table, row: str, names: list[str]) -> None:
    here = column_check.row_at(connection, row)
    values: dict[str, Any] = {}
    for name in names:
        if (table.name, name) in column_check.MENDS:
            values[name] = column_check.MENDS[table.name, name][0]()
        elif (table.name, name) == ("entry", "number"):
            values[name] = await _free_number(connection, here)
        elif (table.name, name) == ("entry", "base"):
            values[name] = await _keyframe(connection, here)
        else:
            await connection.execute(delete(table).where(here))
            return
    await connection.execute(update(table).where(here).values(values))


async def _free_number(connection: AsyncConnection, here: Any) -> int:
    """The first number that no other step of a step's campaign has."""
    of = select(entry.c.campaign_id).where(here).scalar_subquery()
    rows = await connection.execute(select(entry.c.number).where(entry.c.campaign_id == of))
    taken = {number for number in rows.scalars() if isinstance(number, int)}
    return next(number for number in range(1, len(taken) + 2) if number not in taken)


async def _keyframe(connection: AsyncConnection, here: Any) -> Any:
    """The keyframe that a step's state is most likely packed against: itself, or the last one before."""
    state, of, number = (
        await connection.execute(select(entry.c.state, entry.c.campaign_id, entry.c.number).where(here))
    ).one()
    if not codec.is_against(state):
        return entry.c.number
    before = select(func.max(entry.c.number)).where(
        entry.c.campaign_id == of, entry.c.number < number, entry.c.base == entry.c.number
    )
    return (await connection.execute(before)).scalar() or entry.c.number


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


async def _campaigns(engine: AsyncEngine) -> AsyncIterator[tuple[int, int]]:
    # Below any id that a column can hold: damaged ones may be negative.
    last = -(2**63) + 1
    while True:
        wanted = select(campaign.c.id, campaign.c.guild_id).where(campaign.c.id > last)
        async with engine.connect() as connection:
            rows = (await connection.execute(wanted.order_by(campaign.c.id).limit(SLICE))).all()
        for row in rows:
            yield row.id, row.guild_id
        if len(rows) < SLICE:
            return
        last = rows[-1].id


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
