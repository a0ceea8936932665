"""Bringing a database to the shape that this program needs; what it was is copied first."""

from pathlib import Path

from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot import home
from bot.store.backup import backup
from bot.store.copies import NoBackup, keep_newest, name_for
from bot.store.engine import Unreachable, begin, connect, file_of, is_sqlite
from bot.store.revision import (
    LOCK,
    MIGRATIONS,
    Unstamped,
    has_tables,
    known,
    require_known,
    seen,
    unreachable,
)
from bot.store.schema import METADATA

BEFORE = 3
"""So many copies are kept that were made before a change of the tables, the newest."""


async def migrate(url: str, copies: Path | None = None) -> None:
    """Make the database's tables, or change them to those of this program, one process at a time.

    Before tables are changed the database is copied: into the folder for `copies`, or where there is none, a
    SQLite file beside itself. Raises engine.Unreachable, its kind engine.Away where it may be there later,
    and NewerDatabase.
    """
    engine = connect(url)
    try:
        async with engine.connect() as connection:
            await _migrate(engine, connection, url, copies)
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        await engine.dispose()


async def _migrate(engine: AsyncEngine, connection: AsyncConnection, url: str, copies: Path | None) -> None:
    await connection.exec_driver_sql(begin(engine))
    try:
        if not is_sqlite(engine):
            await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
        old = await connection.run_sync(seen)
        require_known(old)
        if not old and await connection.run_sync(has_tables):
            raise Unstamped
        if known()[-1] in old:
            await connection.run_sync(_require_tables)
        else:
            if old:
                await _copy(engine, url, copies)
            await connection.run_sync(_apply)
    except BaseException:
        await connection.exec_driver_sql("ROLLBACK")
        raise
    await connection.exec_driver_sql("COMMIT")


def _require_tables(connection: Connection) -> None:
    """Refuse a database without one of its tables. Raises engine.Unreachable."""
    gone = sorted(set(METADATA.tables) - set(inspect(connection).get_table_names()))
    if gone:
        raise Unreachable(
            f"The table {gone[0]} is missing in the database. Put a copy back, or make it anew, empty: "
            f"{home.COMMAND} doctor --repair"
        )


async def _copy(engine: AsyncEngine, url: str, copies: Path | None) -> None:
    """Copy a database that is about to be changed. Raises engine.Unreachable."""
    note = f"-before-{known()[-1]}"
    folder = copies or (file_of(engine).parent if is_sqlite(engine) else None)
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        await backup(url, folder / name_for(engine.url, note))
    except (NoBackup, OSError) as error:
        raise Unreachable(f"The database is to be changed, but cannot be copied before. {error}") from error
    keep_newest(folder, engine.url, BEFORE, "-before-*")


def _apply(connection: Connection) -> None:
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory

    script = ScriptDirectory(str(MIGRATIONS))
    context = MigrationContext.configure(connection)
    heads = context.get_current_heads()
    applied = {revision.revision for revision in script.iterate_revisions(heads, "base")}
    with Operations.context(context):
        for revision in reversed(list(script.walk_revisions())):
            if revision.revision not in applied:
                revision.module.upgrade()
                context.stamp(script, revision.revision)
