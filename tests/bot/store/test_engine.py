"""Addresses of databases, and how their connections behave."""

import asyncio
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from bot.store.engine import Unreachable, address, connect
from tests.patience import PATIENCE, until


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("sqlite:///data/d.db", "sqlite+aiosqlite:///data/d.db"),
        ("sqlite+aiosqlite:////var/d.db", "sqlite+aiosqlite:////var/d.db"),
        ("postgres://anna@db/d", "postgresql+asyncpg://anna@db/d"),
        ("postgresql://anna@db:5432/d", "postgresql+asyncpg://anna@db:5432/d"),
        ("postgresql+asyncpg://db/d", "postgresql+asyncpg://db/d"),
    ],
)
def test_short_addresses_stand_for_full_ones(short: str, full: str) -> None:
    assert address(short).render_as_string(hide_password=False) == full


@pytest.mark.parametrize("url", ["", "nonsense", "mysql://db/d", "sqlite://", "sqlite:///:memory:"])
def test_an_address_of_no_use_is_explained(url: str) -> None:
    with pytest.raises(Unreachable, match="The database URL"):
        address(url)


async def test_a_sqlite_file_is_safe_and_its_folder_made(tmp_path: Path) -> None:
    engine = connect(f"sqlite:///{tmp_path / 'new' / 'folder' / 'd.db'}")
    async with engine.connect() as connection:
        found = [
            (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    await engine.dispose()
    assert found == ["wal", 2, 1, 5000]


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
    await until(begun.is_set)
    asking.cancel()
    await asyncio.sleep(0.01)
    assert not asking.done()
    goes_on.set()
    await asyncio.wait({asking})
    assert asking.cancelled()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].total_changes  # noqa: B018
    await engine.dispose()
