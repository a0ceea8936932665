"""Migrate a database to the newest revision, after a backup.

Run as a program, it migrates the database that it reads from its standard input, for `migrate_apart`.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot import paths
from bot.clock import SYSTEM
from bot.store.backups import NoBackup, backup, keep_newest, name_for
from bot.store.engine import (
    LOCK,
    MIGRATIONS,
    Away,
    NewerDatabase,
    Unreachable,
    Unstamped,
    begin,
    connect,
    file_of,
    has_tables,
    is_sqlite,
    known,
    require_known,
    seen,
    unreachable,
)
from bot.store.schema import METADATA

BEFORE = 3
"""So many copies are kept that were made before a change of the tables, the newest."""


async def migrate(url: str, copies: Path | None = None) -> None:
    """Create or migrate the database's tables, one process at a time.

    A database is backed up before its tables change, to `copies`; without a folder, a SQLite file is copied
    beside itself. Raises engine.Unreachable, or its subclass engine.Away if waiting may help; NewerDatabase
    if a later version made it.
    """
    engine = connect(url)
    try:
        async with engine.connect() as connection:
            await _migrate(engine, connection, url, copies)
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        await engine.dispose()


async def migrate_apart(url: str, copies: Path | None = None) -> None:
    """Migrate like `migrate`, in a separate process if tables change. Raises what `migrate` raises.

    The migration code would otherwise take 13 MB of memory for as long as the bot runs.
    """
    engine = connect(url)
    try:
        async with engine.connect() as connection:
            is_due = known()[-1] not in await connection.run_sync(seen)
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        await engine.dispose()
    if not is_due:
        await migrate(url, copies)
        return
    path = os.pathsep.join([str(MIGRATIONS.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot.store.migrate"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )
    try:
        # By its input: the address has a password, and anybody may read the arguments of a process.
        told, _ = await process.communicate(json.dumps([url, copies and str(copies)]).encode())
    except asyncio.CancelledError:
        process.kill()  # the database takes back what it has not finished
        await process.wait()
        raise
    if process.returncode:
        kind, sentence = json.loads(told or '["", "The database migration failed: see above."]')
        raise _KINDS.get(kind, Unreachable)(sentence)


_KINDS = {kind.__name__: kind for kind in (Away, NewerDatabase)}


def _run() -> int:
    """Migrate what the input names; what cannot be done is told as its kind and a sentence."""
    url, copies = json.load(sys.stdin)
    try:
        asyncio.run(migrate(url, copies and Path(copies)))
    except (Unreachable, NewerDatabase) as error:
        sys.stdout.write(json.dumps([type(error).__name__, str(error)]))
        return 1
    return 0


async def _migrate(engine: AsyncEngine, connection: AsyncConnection, url: str, copies: Path | None) -> None:
    await connection.exec_driver_sql(begin(engine))
    try:
        if not is_sqlite(engine):
            # Others that start meanwhile wait here, and find it done.
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
            f"The table {gone[0]} is missing from the database. Restore a backup, or recreate the table "
            f"empty: {paths.COMMAND} doctor --repair"
        )


async def _copy(engine: AsyncEngine, url: str, copies: Path | None) -> None:
    """Copy a database that is about to be changed. Raises engine.Unreachable."""
    note = f"-before-{known()[-1]}"
    folder = copies or (file_of(engine).parent if is_sqlite(engine) else None)
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        await backup(url, folder / name_for(engine.url, SYSTEM.now(), note))
    except (NoBackup, OSError) as error:
        raise Unreachable(
            f"The database needs a migration, but the backup before it failed. {error}"
        ) from error
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


if __name__ == "__main__":
    sys.exit(_run())
