"""`doctor` reads every column of every table: each is broken once, named, mended, and played with again.

Each column of a table is broken in the rows of a campaign of its own, so that one look finds them all.
"""

import asyncio
import shutil
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Boolean, Column, Index, Integer, LargeBinary, Table, UniqueConstraint, insert

from bot.store.engine import connect
from bot.store.history import Place
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from bot.store.pending import WaitingKind
from bot.store.schema import METADATA, UtcMoment, WrittenJson, shown, spoken, step_line, step_log
from rules.cortex.builder import Build, Piece
from rules.values import replace
from tests.bot.conftest import BOTH, make_database
from tests.bot.ops.operator import Typing
from tests.bot.store.samples import ANNA, HERE, gift
from tests.bot.store.test_migrate import rows

INDEXES: list[Index | UniqueConstraint] = [
    *(index for table in METADATA.sorted_tables for index in table.indexes),
    *(r for t in METADATA.sorted_tables for r in t.constraints if isinstance(r, UniqueConstraint)),
]
_NUMBERS = count(1)
NOW = datetime.now(UTC)


async def fill(url: str, places: Sequence[int] = (0,)) -> None:
    """A database with something in every table, for a campaign at each of these places."""
    await migrate(url)
    ledger = await Ledger.open(url)
    campaigns = {place: await fill_campaign(ledger, place) for place in places}
    await ledger.close()
    engine = connect(url)
    async with engine.connect() as connection:
        for place, of in campaigns.items():
            for table in (shown, spoken, step_log, step_line, METADATA.tables["whisper"]):
                row: dict[str, object] = {
                    c.name: NOW if isinstance(c.type, UtcMoment) else 7 for c in table.columns
                }
                row |= {c.name: "words" for c in table.columns if c.name.endswith(("_name", "body"))}
                row |= {c.name: 7 + place for c in table.primary_key}
                await connection.execute(insert(table).values(row | of_campaign(table, of)))
    await engine.dispose()


async def fill_campaign(ledger: Ledger, place: int) -> int:
    """Play at a place, and keep what a ledger keeps; the id of the campaign."""
    here = channel_at(place)
    for _ in range(3):
        entry = await ledger.append(here, ANNA, 1000 + next(_NUMBERS), gift())
    of = entry.campaign
    await ledger.pins.keep(here.channel, 500)
    await ledger.builds.keep(of, ANNA.id, Build((Piece("d6"),)))
    await ledger.notes.keep(f"rest:{place}", "{}")
    await ledger.jobs.put(Job(f"late:{place}", "late", NOW, of, {"told": 1}))
    await ledger.waiting.keep(WaitingKind.FORM, 9 + place, ANNA.id + place, "{}")
    await ledger.portraits.keep(of, ANNA.id, b"a picture")
    return of


def channel_at(place: int) -> Place:
    return replace(HERE, channel=HERE.channel + place, guild=7)


def row_of(table: Table, place: int, of: int) -> str:
    """The condition for the row that a table has of a campaign."""
    if table.name == "campaign":
        return f"id = {of}"
    if table.name == "entry":
        return f"campaign_id = {of} AND number = 2"
    if "campaign_id" in table.c:
        return f"campaign_id = {of}"
    return {
        "note": f"key = 'rest:{place}'",
        "pin": f"channel_id = {channel_at(place).channel}",
        "waiting": f"interaction_id = {9 + place}",
        "whisper": f"id = {7 + place}",
    }[table.name]


def of_campaign(table: Table, of: int) -> dict[str, int]:
    return {"campaign_id": of} if "campaign_id" in table.c else {}


@pytest.fixture(scope="session")
def filled_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with something in every table."""
    path = tmp_path_factory.mktemp("filled") / "filled.db"
    asyncio.run(fill(f"sqlite:///{path}"))
    return path


@pytest.fixture(scope="session")
def filled_server(server: str) -> str:
    """The server of this test process, with such a database.

    For the session: a worker that takes over tests of another one comes back to a module it had left, and the
    server keeps its databases.
    """
    asyncio.run(make_database(server, "filled"))
    asyncio.run(fill(server.format("filled")))
    return server


@pytest.fixture(params=BOTH)
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


def breaks(column: Column[object], where: str, *, is_file: bool) -> list[str]:
    """The statements that break a column in a row, as far as the database lets a value be wrong."""
    table, name = column.table.name, column.name
    if is_file:
        if isinstance(column.type, LargeBinary):
            value = "x'00ff'"
        elif isinstance(column.type, Integer | Boolean | UtcMoment):
            value = "'rubbish'"
        else:
            value = "'{oh'" if isinstance(column.type, WrittenJson) else "CAST(x'ff' AS TEXT)"
        return ["PRAGMA foreign_keys = OFF", f"UPDATE {table} SET {name} = {value} WHERE {where}"]
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
    return [*before, f"UPDATE {table} SET {name} = {value} WHERE {where}"]


async def run(url: str, statements: list[str]) -> None:
    """Statements, one after the other on one connection."""
    engine = connect(url)
    async with engine.connect() as connection:
        for statement in statements:
            await connection.exec_driver_sql(statement)
    await engine.dispose()


async def plays_on(url: str, places: Sequence[int] = (0,)) -> None:
    """A bot starts on it, and somebody plays where they played, or anew."""
    ledger = await Ledger.open(url, migrates=True)
    for place in places:
        await ledger.append(channel_at(place), ANNA, 0, gift())
    await ledger.close()


def test_something_is_in_every_column(filled_file: Path) -> None:
    may_be_none = {"campaign.deleted_at", "campaign.deleted_by", "entry.moves", "job.claimed_until"}
    for table in METADATA.sorted_tables:
        wanted = f"SELECT {', '.join(f'count({column.name})' for column in table.c)} FROM {table.name}"
        (counts,) = asyncio.run(rows(f"sqlite:///{filled_file}", wanted))
        empty = {str(column) for column, number in zip(table.c, counts, strict=True) if not number}
        assert empty - may_be_none == set()


PLACES = range(max(len(table.columns) for table in METADATA.sorted_tables))
"""The places of columns in their tables."""


def test_each_column_is_read_named_and_mended(filled: str, types: Typing) -> None:
    asyncio.run(fill(filled, PLACES[1:]))
    found = asyncio.run(rows(filled, "SELECT campaign_id FROM channel ORDER BY channel_id"))
    campaigns = [of for (of,) in found if isinstance(of, int)]
    columns = [(place, column) for table in METADATA.sorted_tables for place, column in enumerate(table.c)]
    is_file = filled.startswith("sqlite")
    broken: list[str] = []
    for place, column in columns:
        broken += breaks(column, row_of(column.table, place, campaigns[place]), is_file=is_file)
    asyncio.run(run(filled, broken))
    code, said = types("doctor", DATABASE_URL=filled)
    assert code == 1, said
    for place, column in columns:
        campaign = f"Campaign {campaigns[place]} of server 7"
        others = {
            "entry.state": f"{campaign}: the state of step 2",
            "entry.facts": f"{campaign}: the events of step 2 cannot be read",
            "build.state": f"{campaign}: 1 unfinished pool",
        }
        begins = others.get(str(column)), f"{column} cannot be read in "
        named = [line for line in said.splitlines() if line.startswith(tuple(filter(None, begins)))]
        # Beside a key that is damaged, others of its row make no sense: two rows may be named then.
        is_this = [" in 1 row: " in line or str(campaigns[place]) in line for line in named]
        assert any(is_this), (str(column), said)
    code, said = types("doctor", "--repair", DATABASE_URL=filled)
    assert code == 0, said
    code, said = types("doctor", DATABASE_URL=filled)
    assert (code, len(said.splitlines())) == (0, 1), said
    asyncio.run(plays_on(filled, PLACES))


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


@pytest.mark.parametrize("tables", [TABLES[place::2] for place in range(2)], ids=" ".join)
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
    assert (code, "Restore a backup" in said) == ((1, True) if is_needed else (0, False)), said
    assert types("doctor", DATABASE_URL=filled)[0] == (1 if is_needed else 0)
