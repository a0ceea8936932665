"""Bringing a database to the shape that this program needs."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store.engine import Away, Unreachable, begin, connect, is_away, is_sqlite

MIGRATIONS = Path(__file__).parents[2] / "migrations"
_LOCK = 0x646F6F6D  # any number that nobody else locks in the same PostgreSQL database


class NewerDatabase(Exception):
    """The database was made by a later version of the program; one sentence."""


async def migrate(url: str) -> None:
    """Make the database's tables, or change them to those of this program, one process at a time.

    Raises engine.Unreachable, its kind engine.Away where it may be there later, and NewerDatabase.
    """
    engine = connect(url)
    try:
        async with engine.connect() as connection:
            await _migrate(engine, connection)
    except (DBAPIError, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        kind = Away if is_away(error) else Unreachable
        raise kind(f"The database {engine.url.render_as_string()} cannot be used: {reason}.") from None
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
    known = sorted(path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("*_*.py"))
    seen = _seen(connection)
    if seen - set(known):
        raise NewerDatabase("The database was made by a newer version of this program; update the program.")
    if known[-1] not in seen:
        _apply(connection)


def _seen(connection: Connection) -> set[str]:
    """The newest revision that the database has seen; alembic keeps it, but takes long to import."""
    if not inspect(connection).has_table("alembic_version"):
        return set()
    return set(connection.execute(text("SELECT version_num FROM alembic_version")).scalars())


def _apply(connection: Connection) -> None:
    from alembic.migration import MigrationContext
    from alembic.operations import Operations
    from alembic.script import ScriptDirectory

    script = ScriptDirectory(str(MIGRATIONS))
    context = MigrationContext.configure(connection)
    heads = context.get_current_heads()
    seen = {revision.revision for revision in script.iterate_revisions(heads, "base")}
    with Operations.context(context):
        for revision in reversed(list(script.walk_revisions())):
            if revision.revision not in seen:
                revision.module.upgrade()
                context.stamp(script, revision.revision)
