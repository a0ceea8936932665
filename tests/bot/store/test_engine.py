"""Addresses of databases, and how their connections behave."""

from pathlib import Path

import pytest

from bot.store.engine import Unreachable, address, connect


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
