"""Whether a start could write where it would: tried, and taken back."""

import asyncio
import errno
import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.engine import TOOL, Away, Unreachable, address, connect, is_file
from bot.store.revision import opened, unreachable
from bot.store.schema import METADATA

ROOM = 1_000_000
"""So many bytes have to fit: the tables of a new database, and a few steps."""
_TRIED = "doomkeeper_check"


async def try_to_write(url: str, folder: Path | None, *, makes_tables: bool) -> None:
    """Write to a database, and to the folder for its copies, and take that back.

    `makes_tables` where a start would make some, or change them. Raises engine.Unreachable.
    """
    where = address(url)
    if is_file(where):
        await asyncio.to_thread(_in_file, Path(str(where.database)))
    else:
        await _on_server(url, makes_tables=makes_tables)
    if folder is not None:
        await asyncio.to_thread(_in_folder, folder, f"BACKUP_DIR: {folder}")


def _in_file(path: Path) -> None:
    _in_folder(path.parent, f"The folder of the database file {path}")
    if not path.exists():
        return
    try:
        with closing(opened(path, "mode=rw")) as file:
            file.isolation_level = None  # else Python's module begins transactions of its own
            file.execute("BEGIN IMMEDIATE")
            file.execute(f"CREATE TABLE {_TRIED} (one INTEGER)")
            file.execute("ROLLBACK")
    except sqlite3.Error as error:
        is_busy = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
        kind = Away if is_busy else Unreachable
        raise kind(f"The database file {path} cannot be written: {error}.") from error


def _in_folder(folder: Path, what: str) -> None:
    """Write a file in a folder, or where it would be made, and let it go."""
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    try:
        with tempfile.TemporaryFile(dir=there) as tried:
            tried.write(bytes(ROOM))
            tried.flush()
            os.fsync(tried.fileno())
    except OSError as error:
        is_full = error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
        reason = "no space left" if is_full else error.strerror
        raise Unreachable(f"{what} cannot be written: {reason}.") from error


async def _on_server(url: str, *, makes_tables: bool) -> None:
    engine = connect(url, TOOL)
    try:
        async with engine.connect() as connection:
            await connection.exec_driver_sql("BEGIN")
            try:
                await _write(connection, makes_tables=makes_tables)
            finally:
                await connection.exec_driver_sql("ROLLBACK")
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        await engine.dispose()


async def _write(connection: AsyncConnection, *, makes_tables: bool) -> None:
    if makes_tables:
        await connection.exec_driver_sql(f"CREATE TABLE {_TRIED} (one INTEGER)")
        return
    for name, table in METADATA.tables.items():
        column = next(iter(table.columns)).name
        # Each asks for its right, and touches no row.
        await connection.exec_driver_sql(f"INSERT INTO {name} SELECT * FROM {name} WHERE false")
        await connection.exec_driver_sql(f"UPDATE {name} SET {column} = {column} WHERE false")
        await connection.exec_driver_sql(f"DELETE FROM {name} WHERE false")
