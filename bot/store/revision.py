"""Which shape a database has: the revision of its tables, and those that this program knows."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot import home
from bot.store.engine import (
    BOT,
    TOOL,
    Away,
    Unreachable,
    address,
    connect,
    is_away,
    is_file,
    is_only_read,
    is_shared,
    is_sqlite,
    lasts,
    require_bytes,
    to_read,
)
from bot.store.owner import Occupied

MIGRATIONS = Path(__file__).parents[2] / "migrations"
LOCK = 0x646F6F6D
"""Whoever changes the tables of a PostgreSQL database has this lock: a number that nobody else uses there."""


_BOTS = (
    f"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = '{BOT}'"
)


class NewerDatabase(Exception):
    """The database was made by a later version of the program; one sentence."""


class Unstamped(Unreachable):
    """A database has tables of this bot, but does not say which revision they are of; one sentence."""

    def __init__(self) -> None:
        super().__init__(
            "The database has this bot's tables, but its table alembic_version is missing or empty. "
            f"Repair it: {home.COMMAND} doctor --repair"
        )


def known() -> list[str]:
    """The revisions that this program knows, the oldest first."""
    return sorted(path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("*_*.py"))


async def revision(url: str) -> str | None:
    """The revision of a database, which is not touched; None where it has no tables yet.

    Raises engine.Unreachable, its kind engine.Away where it may be there later, and NewerDatabase.
    """
    where = address(url)
    if is_file(where):
        found = await asyncio.to_thread(_in_file, Path(str(where.database)))
    else:
        found = await _on_server(connect(url, TOOL))
    require_known(set() if found is None else {found})
    return found


async def _on_server(engine: AsyncEngine) -> str | None:
    try:
        async with engine.connect() as connection:
            found = await connection.run_sync(seen)
            if not found and await connection.run_sync(has_tables):
                raise Unstamped
            return next(iter(found), None)
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        await engine.dispose()


def _in_file(path: Path) -> str | None:
    if not path.exists():
        return None
    require_bytes(path)
    try:
        with closing(reading(path)) as file:
            has_any = file.execute("SELECT name FROM sqlite_master WHERE name = 'alembic_version'").fetchall()
            found = file.execute("SELECT version_num FROM alembic_version").fetchall() if has_any else []
            if not found and file.execute("SELECT 1 FROM sqlite_master WHERE name = 'entry'").fetchall():
                raise Unstamped
            return next((str(row[0]) for row in found), None)
    except sqlite3.Error as error:
        way_out = _way_out(error)
        if is_only_read(path) and not is_shared(path):
            way_out = f" Copy it and {path.name}-wal to a folder where you can write."
        raise Unreachable(f"The database file {path} cannot be read: {error}.{way_out}") from error


def reading(path: Path) -> sqlite3.Connection:
    """A connection to a SQLite file that changes nothing. Raises sqlite3.Error."""
    return sqlite3.connect(to_read(path), uri=True)


def opened(path: Path, how: str) -> sqlite3.Connection:
    """A connection to a SQLite file that is there, opened like that. Raises sqlite3.Error."""
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?{how}", uri=True)


def require_known(found: set[str]) -> None:
    """Refuse what a later program has made. Raises NewerDatabase."""
    if found - set(known()):
        raise NewerDatabase("The database was made by a newer version of this program. Update the program.")


def seen(connection: Connection) -> set[str]:
    """The newest revision that the database has seen; alembic keeps it, but takes long to import."""
    if not inspect(connection).has_table("alembic_version"):
        return set()
    return set(connection.execute(text("SELECT version_num FROM alembic_version")).scalars())


def has_tables(connection: Connection) -> bool:
    """Whether a database has tables of this bot."""
    return inspect(connection).has_table("entry")


async def alone(connection: AsyncConnection) -> None:
    """Have a database on a server for oneself, as long as the connection lasts. Raises owner.Occupied."""
    # Whoever starts a bot meanwhile waits for this lock before anything else.
    is_ours = await connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({LOCK})")
    bots = await connection.exec_driver_sql(_BOTS)
    if not is_ours.scalar_one() or bots.scalar_one():
        raise Occupied("A bot is running on this database. Stop all its processes first.")


def unreachable(engine: AsyncEngine, error: Exception) -> Unreachable:
    """What says that a database cannot be used, in one sentence; its kind Away where it may be later."""
    reason = str(getattr(error, "orig", None) or error).splitlines()[0]
    kind = Away if is_away(error) and not lasts(error) else Unreachable
    name = engine.url.database if is_sqlite(engine) else engine.url.render_as_string()
    return kind(f"The database {name} cannot be used: {reason}.{_way_out(error)}")


def _way_out(error: BaseException) -> str:
    """What to do about a damaged file; nothing where an error says something else."""
    code = getattr(getattr(error, "orig", error), "sqlite_errorcode", 0) & 0xFF
    is_damaged = code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    return f" Restore a backup: {home.COMMAND} restore PATH" if is_damaged else ""
