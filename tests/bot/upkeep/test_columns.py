"""`doctor` reads every column of every table: each is broken once, named, mended, and played with again."""

import asyncio
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Boolean, Column, Index, Integer, LargeBinary, Table, UniqueConstraint, insert

from bot.store.engine import connect
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from bot.store.schema import METADATA, UtcMoment, WrittenJson, shown, spoken, step_line, step_log
from bot.store.waiting import WaitingKind
from rules.cortex.tools.build import Build, Piece
from tests.bot.conftest import make_database
from tests.bot.store.samples import ANNA, HERE, gift
from tests.bot.store.test_migrate import rows
from tests.bot.upkeep.operator import Typing

COLUMNS = [column for table in METADATA.sorted_tables for column in table.columns]
INDEXES: list[Index | UniqueConstraint] = [
    *(index for table in METADATA.sorted_tables for index in table.indexes),
    *(r for t in METADATA.sorted_tables for r in t.constraints if isinstance(r, UniqueConstraint)),
]
_NUMBERS = count(1)
NOW = datetime.now(UTC)


async def fill(url: str) -> None:
    """A database with something in every table."""
    await migrate(url)
    ledger = await Ledger.open(url)
    for _ in range(3):
        entry = await ledger.append(replace(HERE, guild=7), ANNA, 1000 + next(_NUMBERS), gift())
    of = entry.campaign
    await ledger.pins.keep(HERE.channel, 500)
    await ledger.builds.keep(of, ANNA.id, Build((Piece("d6"),)))
    await ledger.notes.keep("rest:5", "{}")
    await ledger.jobs.put(Job("late:1", "late", NOW, of, {"told": 1}))
    await ledger.waiting.keep(WaitingKind.FORM, 9, ANNA.id, "{}")
    await ledger.portraits.keep(of, ANNA.id, b"a picture")
    await ledger.close()
    engine = connect(url)
    async with engine.connect() as connection:
        for table in (shown, spoken, step_log, step_line, METADATA.tables["whisper"]):
            row = {c.name: NOW if isinstance(c.type, UtcMoment) else 7 for c in table.columns}
            names = {c.name: "words" for c in table.columns if c.name.endswith(("_name", "body"))}
            await connection.execute(insert(table).values(row | names | of_campaign(table, of)))
    await engine.dispose()


def of_campaign(table: Table, of: int) -> dict[str, int]:
    return {"campaign_id": of} if "campaign_id" in table.c else {}


@pytest.fixture(scope="module")
def filled_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with something in every table."""
    path = tmp_path_factory.mktemp("filled") / "filled.db"
    asyncio.run(fill(f"sqlite:///{path}"))
    return path


@pytest.fixture(scope="module")
def filled_server(server: str) -> str:
    """The same on PostgreSQL."""
    asyncio.run(make_database(server, "filled"))
    asyncio.run(fill(server.format("filled")))
    return server


@pytest.fixture(params=["sqlite", "postgresql"])
def filled(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A copy of a database with something in every table."""
    if request.param == "sqlite":
        path = tmp_path / "filled.db"
        shutil.copy(request.getfixturevalue("filled_file"), path)
        yield f"sqlite:///{path}"
        return
    address, name = request.getfixturevalue("filled_server"), f"filled_{next(_NUMBERS)}"
    asyncio.run(make_database(address, name, "TEMPLATE filled"))
    yield address.format(name)
    asyncio.run(rows(address.format("postgres"), f"DROP DATABASE {name} WITH (FORCE)"))


def breaks(column: Column[object], *, is_file: bool) -> list[str]:
    """The statements that break a column in one row, as far as the database lets a value be wrong."""
    table, name = column.table.name, column.name
    where = "WHERE number = 2" if table == "entry" else ""
    if is_file:
        if isinstance(column.type, LargeBinary):
            value = "x'00ff'"
        elif isinstance(column.type, Integer | Boolean | UtcMoment):
            value = "'rubbish'"
        else:
            value = "'{oh'" if isinstance(column.type, WrittenJson) else "CAST(x'ff' AS TEXT)"
        return ["PRAGMA foreign_keys = OFF", f"UPDATE {table} SET {name} = {value} {where}"]
    before: list[str] = []
    loose = f"ALTER TABLE {table} ALTER COLUMN {name} DROP NOT NULL"
    if isinstance(column.type, LargeBinary):
        value = r"'\x00ff'"
    elif isinstance(column.type, WrittenJson):
        value = "'7'"
    elif isinstance(column.type, UtcMoment):
        value = "'0044-03-15 12:00:00+00 BC'"
    elif isinstance(column.type, Integer):
        value, before = "-1", ["SET session_replication_role = replica"]
    elif column.primary_key:
        value = "''"
    else:
        value, before = "NULL", [loose]
    return [*before, f"UPDATE {table} SET {name} = {value} {where}"]


async def run(url: str, statements: list[str]) -> None:
    """Statements, one after the other on one connection."""
    engine = connect(url)
    async with engine.connect() as connection:
        for statement in statements:
            await connection.exec_driver_sql(statement)
    await engine.dispose()


async def plays_on(url: str) -> None:
    """A bot starts on it, and somebody plays where they played, or anew."""
    ledger = await Ledger.open(url, migrates=True)
    await ledger.append(replace(HERE, guild=7), ANNA, 0, gift())
    await ledger.close()


def test_something_is_in_every_column(filled_file: Path) -> None:
    may_be_none = {"campaign.deleted_at", "campaign.deleted_by", "entry.moves", "job.claimed_until"}
    for column in COLUMNS:
        if str(column) not in may_be_none:
            wanted = f"SELECT count(*) FROM {column.table.name} WHERE {column.name} IS NOT NULL"
            assert asyncio.run(rows(f"sqlite:///{filled_file}", wanted)) != [(0,)], column


@pytest.mark.parametrize("place", range(max(len(table.columns) for table in METADATA.sorted_tables)))
def test_each_column_is_read_named_and_mended(filled: str, place: int, types: Typing) -> None:
    columns = [[*table.columns][place] for table in METADATA.sorted_tables if place < len(table.columns)]
    broken = [each for column in columns for each in breaks(column, is_file=filled.startswith("sqlite"))]
    asyncio.run(run(filled, broken))
    code, said = types("doctor", DATABASE_URL=filled)
    assert code == 1, said
    for column in map(str, columns):
        named = {
            "entry.state": "the state of step 2",
            "entry.facts": "what happened cannot be read in step 2",
            "build.state": "1 pool that is being",
        }.get(column, column)
        assert named in said or column in said, (column, said)
    code, said = types("doctor", "--repair", DATABASE_URL=filled)
    assert code == 0, said
    code, said = types("doctor", DATABASE_URL=filled)
    assert (code, len(said.splitlines())) == (0, 1), said
    asyncio.run(plays_on(filled))


def test_every_index_that_is_missing_is_named_and_made(filled: str, types: Typing) -> None:
    indexes = [each for each in INDEXES if isinstance(each, Index) or not filled.startswith("sqlite")]
    drops = [
        f"DROP INDEX {each.name}"
        if isinstance(each, Index)
        else f"ALTER TABLE {of(each)} DROP CONSTRAINT {each.name}"
        for each in indexes
    ]
    asyncio.run(run(filled, drops))
    code, said = types("doctor", DATABASE_URL=filled)
    assert code == 1
    for each in indexes:
        assert f"The index {each.name} of the table {of(each)} is missing." in said
    assert types("doctor", "--repair", DATABASE_URL=filled)[0] == 0
    assert types("doctor", DATABASE_URL=filled)[0] == 0


def of(index: Index | UniqueConstraint) -> str:
    assert index.table is not None
    return index.table.name


TABLES = [*METADATA.tables, "alembic_version"]


@pytest.mark.parametrize("tables", [TABLES[place::4] for place in range(4)], ids=" ".join)
def test_missing_tables_are_named_and_made(filled: str, tables: list[str], types: Typing) -> None:
    loose, more = (
        ("PRAGMA foreign_keys = OFF", "") if filled.startswith("sqlite") else ("SELECT 1", "CASCADE")
    )
    asyncio.run(run(filled, [loose, *(f"DROP TABLE {table} {more}" for table in tables)]))
    code, said = types("doctor", DATABASE_URL=filled)
    assert code == 1
    assert [table for table in tables if f"The table {table} is missing." not in said] == [], said
    code, said = types("doctor", "--repair", DATABASE_URL=filled)
    assert code == 0, said
    assert types("doctor", DATABASE_URL=filled)[0] == 0
    asyncio.run(plays_on(filled))


@pytest.mark.parametrize("column", ["entry.secret", "entry.position", "job.claimed_until"])
def test_a_missing_column_is_named_and_made_where_it_may_be_empty(
    filled: str, column: str, types: Typing
) -> None:
    table, _, name = column.partition(".")
    asyncio.run(rows(filled, f"ALTER TABLE {table} DROP COLUMN {name}"))
    code, said = types("doctor", DATABASE_URL=filled)
    assert (code, f"The column {column} is missing." in said) == (1, True), said
    code, said = types("doctor", "--repair", DATABASE_URL=filled)
    is_needed = column == "entry.position"
    assert (code, "Put a copy back" in said) == ((1, True) if is_needed else (0, False)), said
    assert types("doctor", DATABASE_URL=filled)[0] == (1 if is_needed else 0)
