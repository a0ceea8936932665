"""Addresses of databases, and how their connections behave."""

import asyncio
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError

from bot.store.engine import Unreachable, address, connect
from tests.clock import DATABASE, HeldClock
from tests.patience import PATIENCE


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("sqlite:///data/d.db", "sqlite+aiosqlite:///data/d.db"),
        ("sqlite+aiosqlite:////var/d.db", "sqlite+aiosqlite:////var/d.db"),
        ("data/my friday.db", "sqlite+aiosqlite:///data/my friday.db"),
        ("/var/d.sqlite3", "sqlite+aiosqlite:////var/d.sqlite3"),
        ("postgres://anna@db/d", "postgresql+asyncpg://anna@db/d"),
        ("postgresql://anna@db:5432/d", "postgresql+asyncpg://anna@db:5432/d"),
        ("postgresql+asyncpg://db/d", "postgresql+asyncpg://db/d"),
    ],
)
def test_short_addresses_stand_for_full_ones(short: str, full: str) -> None:
    assert address(short).render_as_string(hide_password=False) == full


@pytest.mark.parametrize(
    "url", ["", "nonsense", "mysql://db/d", "sqlite://", "sqlite:///:memory:", "data/letter.txt"]
)
def test_an_address_of_no_use_is_explained(url: str) -> None:
    with pytest.raises(Unreachable, match=r"The database URL|The database file"):
        address(url)


def test_a_file_that_is_there_is_a_path_whatever_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "my data").touch()
    assert address(f"{tmp_path}/my data").database == f"{tmp_path}/my data"
    with pytest.raises(Unreachable, match=r"is a folder\. Name a file in it"):
        address(f"{tmp_path}")


async def test_a_sqlite_file_is_safe_and_its_folder_made(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    engine = connect(f"sqlite:///{tmp_path / 'new' / 'folder' / 'd.db'}")
    async with engine.connect() as connection:
        found = [
            (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
        (its_own,) = set(threading.enumerate()) - before
        assert its_own.daemon  # a process that ends waits for none
    await engine.dispose()
    assert found == ["wal", 2, 1, 5000]


def test_a_file_without_bytes_is_refused_and_none_is_ever_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty.db").touch()
    with pytest.raises(Unreachable, match=r"is empty\. Restore a backup: .* restore PATH"):
        connect(f"{tmp_path / 'empty.db'}")

    def has_no_links(*_: object) -> None:
        raise PermissionError

    for name in ("a.db", "b.db"):
        connect(f"{tmp_path / name}")
        assert (tmp_path / name).stat().st_size
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
        monkeypatch.setattr("os.link", has_no_links)
    assert {path.name for path in tmp_path.iterdir()} == {"empty.db", "a.db", "b.db"}


async def test_an_opening_that_nobody_waits_for_has_ended_before_its_loop_may_close(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, goes_on, opened = threading.Event(), threading.Event(), list[sqlite3.Connection]()

    def slow(*where: Any, **how: Any) -> sqlite3.Connection:
        begun.set()
        goes_on.wait(PATIENCE)
        opened.append(sqlite3.Connection(*where, **how))
        return opened[0]

    engine = connect(f"sqlite:///{tmp_path / 'd.db'}")
    monkeypatch.setattr("sqlite3.connect", slow)
    asking = asyncio.create_task(engine.connect().start())
    assert await asyncio.to_thread(begun.wait, PATIENCE)
    asking.cancel()
    await HeldClock().rest(but=(DATABASE,))
    assert not asking.done()
    goes_on.set()
    await asyncio.wait({asking})
    assert asking.cancelled()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].total_changes  # noqa: B018
    await engine.dispose()


async def test_a_statement_that_fails_leaves_the_connection_to_the_next(tmp_path: Path) -> None:
    engine = connect(f"sqlite:///{tmp_path / 'd.db'}")
    async with engine.connect() as connection:
        await connection.exec_driver_sql("CREATE TABLE number (n INTEGER PRIMARY KEY)")
        await connection.exec_driver_sql("INSERT INTO number VALUES (1)")
        with pytest.raises(IntegrityError, match="UNIQUE"):
            await connection.exec_driver_sql("INSERT INTO number VALUES (1)")
        with pytest.raises(OperationalError, match="no such table"):
            await connection.exec_driver_sql("SELECT n FROM numbers")
        found = await connection.exec_driver_sql("SELECT n FROM number")
        assert found.scalars().all() == [1]
    await engine.dispose()


@pytest.mark.parametrize("times", [1, 2])
async def test_a_statement_that_nobody_waits_for_is_no_harm_to_the_next(tmp_path: Path, times: int) -> None:
    engine = connect(f"sqlite:///{tmp_path / 'd.db'}")
    begun, goes_on = threading.Event(), threading.Event()

    def slow() -> int:
        begun.set()
        goes_on.wait(PATIENCE)
        return 1

    async def ask() -> None:
        async with engine.connect() as connection:
            raw: Any = (await connection.get_raw_connection()).driver_connection
            await raw.create_function("slow", 0, slow)
            await connection.exec_driver_sql("SELECT slow()")

    asking = asyncio.create_task(ask())
    assert await asyncio.to_thread(begun.wait, PATIENCE)
    for _ in range(times):
        asking.cancel()
        await HeldClock().rest(but=(DATABASE,))  # by then its connection is being closed
    goes_on.set()
    await asyncio.wait({asking})
    assert asking.cancelled()
    async with engine.connect() as connection:
        assert (await connection.exec_driver_sql("SELECT 2")).scalar() == 2
    await engine.dispose()
    await HeldClock().rest()
