"""Reaching the database: one address for each kind, one set of habits for each connection."""

import sqlite3
from pathlib import Path

from sqlalchemy import URL, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}
_PRAGMAS = (
    "PRAGMA busy_timeout = 5000",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
)


_AWAY_SQLITE = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
)
_AWAY_POSTGRESQL = ("08", "53", "57P")  # SQLSTATE: no connection, no room, shutting down or starting up


BOT = "doomkeeper"
"""What a bot's connections to PostgreSQL are called there."""
TOOL = "doomkeeper upkeep"
"""What the connections of whoever looks after the database are called."""


class Unreachable(Exception):
    """The database cannot be used; one sentence, without the password."""


class Away(Unreachable):
    """The database cannot be reached just now."""


def address(url: str) -> URL:
    """The full address that a short one stands for: `postgres://…`, `sqlite:///file.db`.

    Raises Unreachable for an address that names no database this program can use.
    """
    try:
        parts = make_url(url)
    except ArgumentError:
        raise Unreachable("The database URL cannot be read; try sqlite:///data/doomkeeper.db.") from None
    if parts.drivername not in _DRIVERS:
        raise Unreachable(
            f"The database URL begins with {parts.drivername}://, but only sqlite:// and postgresql:// work."
        )
    if parts.drivername.startswith("sqlite") and parts.database in (None, "", ":memory:"):
        raise Unreachable("The database URL names no file; try sqlite:///data/doomkeeper.db.")
    return parts.set(drivername=_DRIVERS[parts.drivername])


def is_file(where: URL) -> bool:
    """Whether an address is that of a SQLite file."""
    return where.get_backend_name() == "sqlite"


def connect(url: str, name: str = BOT) -> AsyncEngine:
    """An engine whose every statement commits by itself, unless a BEGIN was sent before it.

    A SQLite file and its folder are made if they are not there. PostgreSQL knows its connections by the
    `name`. Raises Unreachable.
    """
    where = address(url)
    try:
        engine = create_async_engine(
            where,
            isolation_level="AUTOCOMMIT",
            skip_autocommit_rollback=True,
            hide_parameters=True,
            pool_pre_ping=not is_file(where),
            connect_args={} if is_file(where) else {"server_settings": {"application_name": name}},
        )
    except ModuleNotFoundError as error:
        raise Unreachable(f"The database URL needs the Python package {error.name}, not installed.") from None
    if is_sqlite(engine):
        _make_file(file_of(engine))
        event.listen(engine.sync_engine, "connect", _prepare)
    return engine


def _make_file(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        sqlite3.connect(path).close()
    except (OSError, sqlite3.Error) as error:
        raise Unreachable(f"The database file {path} cannot be opened: {error}.") from error


def is_away(error: BaseException) -> bool:
    """Whether an error says that the database cannot be used just now, rather than that a use is wrong."""
    if not isinstance(error, DBAPIError):
        return isinstance(error, OSError | TimeoutError)
    if error.connection_invalidated or isinstance(error, InterfaceError):
        return True
    if isinstance(error.orig, sqlite3.Error):
        return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _AWAY_SQLITE
    return str(getattr(error.orig, "sqlstate", "")).startswith(_AWAY_POSTGRESQL)


def is_sqlite(engine: AsyncEngine) -> bool:
    """Whether the engine is for a SQLite file."""
    return engine.dialect.name == "sqlite"


def file_of(engine: AsyncEngine) -> Path:
    """The file of a SQLite database."""
    return Path(str(engine.url.database))


async def clear_traces(engine: AsyncEngine) -> None:
    """Let nothing of what was changed or deleted stand in a SQLite file's log of changes."""
    if is_sqlite(engine):
        async with engine.connect() as connection:
            await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def begin(engine: AsyncEngine) -> str:
    """The statement that begins a transaction which will write."""
    return "BEGIN IMMEDIATE" if is_sqlite(engine) else "BEGIN"


def _prepare(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(pragma)
    cursor.close()
