"""Copies of the whole database: made while the bot runs, looked through, and put back."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bot.clock import SYSTEM
from bot.store import file_copy, server_copy
from bot.store.copies import NoBackup, name_for, require_kind
from bot.store.engine import address, is_file
from bot.store.revision import revision


async def backup(url: str, path: Path) -> Path:
    """Copy a database to a new file, or to one with the moment in its name in a folder; the file.

    It is looked through before it gets its name. Raises NoBackup, and what revision.revision raises.
    """
    where = address(url)
    if await revision(url) is None:
        raise NoBackup("Nothing to back up: the database has no tables yet.")
    with _written(_new(path, name_for(where, SYSTEM.now()))) as (begun, made):
        if is_file(where):
            await asyncio.to_thread(file_copy.copy, Path(str(where.database)), begun)
        else:
            await server_copy.dump(where, begun)
    return made


async def restore(url: str, path: Path) -> str:
    """Put a copy in the place of a database on which no bot runs; the copy's revision.

    What was there before stays until the copy is there whole. Raises NoBackup, and engine.Unreachable.
    """
    where = address(url)
    require_kind(where, path)
    if is_file(where):
        return await asyncio.to_thread(file_copy.put_back, path, Path(str(where.database)))
    return await server_copy.load(url, path)


def _new(path: Path, name: str) -> Path:
    """The file that is to be made. Raises NoBackup where it is there."""
    made = path / name if path.is_dir() else path
    if made.exists():
        raise NoBackup(f"{made} already exists. Choose a new file or a folder.")
    return made


@contextmanager
def _written(made: Path) -> Iterator[tuple[Path, Path]]:
    """A file to be written, which only its owner can read, and what it is called once it is whole."""
    begun = made.with_name(f"{made.name}.part")
    try:
        # Made before it is written: pg_dump and SQLite keep the rights of a file that is there, else
        # everybody might read it.
        os.close(os.open(begun, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
        yield begun, made
        # In one folder this happens whole or not at all: nobody takes half a copy for a copy.
        begun.rename(made)
    except OSError as error:
        raise NoBackup(f"{made} cannot be written: {error.strerror or error}.") from error
    finally:
        with suppress(OSError):  # it has its own name by now, or was never made
            begun.unlink()
