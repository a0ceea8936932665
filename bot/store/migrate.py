"""Bringing a database to the shape that this program needs."""

from pathlib import Path

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store.engine import Unreachable, begin, connect, is_sqlite

MIGRATIONS = Path(__file__).parents[2] / "migrations"
_LOCK = 0x646F6F6D  # any number that nobody else locks in the same PostgreSQL database


class NewerDatabase(Exception):
    """The database was made by a later version of the program; one sentence."""


async def migrate(url: str) -> None:
    """Make the database's tables, or change them to those of this program, one process at a time.

    Raises engine.Unreachable and NewerDatabase.
    """
    engine = connect(url)
    try:
        async with engine.connect() as connection:
            await _migrate(engine, connection)
    except (DBAPIError, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise Unreachable(f"The database {engine.url.render_as_string()} cannot be used: {reason}.") from None
    finally:
        await engine.dispose()


async def _migrate(engine: AsyncEngine, connection: AsyncConnection) -> None:
    await connection.exec_driver_sql(begin(engine))
    try:
        if not is_sqlite(engine):
            await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        await connection.run_sync(upgrade)
    except BaseException:
        await connection.exec_driver_sql("ROLLBACK")
        raise
    await connection.exec_driver_sql("COMMIT")


def upgrade(connection: Connection) -> None:
    """Apply the revisions that the database has not seen. Raises NewerDatabase."""
    script = ScriptDirectory(str(MIGRATIONS))
    revisions = list(script.walk_revisions())
    context = MigrationContext.configure(connection)
    heads = set(context.get_current_heads())
    if heads - {revision.revision for revision in revisions}:
        raise NewerDatabase("The database was made by a newer version of this program; update the program.")
    seen = {revision.revision for revision in script.iterate_revisions(tuple(heads), "base")}
    with Operations.context(context):
        for revision in reversed(revisions):
            if revision.revision not in seen:
                revision.module.upgrade()
                context.stamp(script, revision.revision)
