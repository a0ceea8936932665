"""Copying a SQLite file by its own online backup, and putting a copy in its place."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from bot.store.copies import NoBackup, require_known, require_tables
from bot.store.engine import is_only_read, make_private
from bot.store.owner import Occupied, Owner
from bot.store.revision import reading

_LOGS = ("-wal", "-shm", "-journal")
"""How the files end that SQLite has beside one that is written to."""


def copy(source: Path, target: Path) -> None:
    """Copy a SQLite file whole, as of one moment, also while others write, and look through the copy."""
    # A reader on a read-only mount misses what others write during the copy; a writer does not.
    _copy(reading if is_only_read(source) else sqlite3.connect, source, target)


def _copy(open_: Callable[[Path], sqlite3.Connection], source: Path, target: Path) -> str | None:
    """Copy a file, opened like that; the copy's revision."""
    try:
        with closing(open_(source)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")  # the copy is one file
            found = new.execute("PRAGMA integrity_check").fetchone()
            if found != ("ok",):
                raise NoBackup(f"{source} is damaged: {found[0]}.")
            # Without such a table there is no revision, and whoever puts the copy back refuses that.
            with suppress(sqlite3.OperationalError):
                return next((str(seen) for (seen,) in new.execute("SELECT * FROM alembic_version")), None)
    except sqlite3.Error as error:
        raise NoBackup(f"{source} cannot be copied to {target}: {error}.") from error
    return None


def put_back(path: Path, file: Path) -> str:
    """Put a copy in the place of a SQLite file that nobody has."""
    fresh, replaced = file.with_name(f"{file.name}.new"), file.with_name(f"{file.name}.replaced")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        owner = Owner(file)
    except Occupied as error:
        raise NoBackup(str(error)) from error
    except OSError as error:
        raise NoBackup(f"{file} cannot be written: {error.strerror}.") from error
    try:
        fresh.unlink(missing_ok=True)
        make_private(fresh)
        found = _copy(reading, path, fresh)
        with closing(reading(fresh)) as copied:
            names = {str(name) for (name,) in copied.execute("SELECT name FROM sqlite_master")}
        require_tables(path, names)
        seen = require_known(path, found)
        if file.exists():
            _set_aside(file, replaced)
            _let_have(fresh, file)
        _drop_logs(file)  # of a file that is no longer there, they would be written onto the copy
        fresh.replace(file)
        try:
            with closing(reading(file)) as restored:
                restored.execute("SELECT count(*) FROM campaign").fetchone()
        except sqlite3.Error as error:
            for ending in ("", *_LOGS):
                kept = replaced.with_name(replaced.name + ending)
                if kept.exists():
                    kept.replace(file.with_name(file.name + ending))
            raise NoBackup(f"{path} cannot be used: {error}. The database was not changed.") from error
        replaced.unlink(missing_ok=True)
        _drop_logs(replaced)
    except OSError as error:
        raise NoBackup(
            f"{path} cannot be restored: {error.strerror}. The database was not changed."
        ) from error
    finally:
        fresh.unlink(missing_ok=True)
        owner.release()
    return seen


def _drop_logs(file: Path) -> None:
    """Let go of what SQLite had beside a file."""
    for ending in _LOGS:
        file.with_name(file.name + ending).unlink(missing_ok=True)


def _let_have(fresh: Path, file: Path) -> None:
    """Let a file be of the same owner as another, for the same people to read."""
    shutil.copymode(file, fresh)
    with suppress(PermissionError, AttributeError):  # only the owner runs this, or nobody owns anything
        os.chown(fresh, file.stat().st_uid, file.stat().st_gid)


def _set_aside(file: Path, replaced: Path) -> None:
    """Keep a SQLite file under a second name, whole, so that another can be moved over the first at once."""
    replaced.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(file, timeout=1)) as old:
            old.execute("PRAGMA journal_mode = DELETE")  # all of it is in the one file then
    except sqlite3.OperationalError as error:
        raise NoBackup(f"Another program has {file} open: {error}. Close it first.") from error
    except sqlite3.DatabaseError:  # damaged, which may be why the copy is put back: kept as it lies
        for ending in _LOGS:
            log = file.with_name(file.name + ending)
            if log.exists():
                log.replace(replaced.with_name(replaced.name + ending))
    try:
        os.link(file, replaced)
    except OSError:  # a file system without links
        shutil.copy2(file, replaced)
