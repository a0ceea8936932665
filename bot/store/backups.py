"""Back up a database while the bot runs, list backups, and restore one."""

import asyncio
import glob
import os
import re
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError

from bot.clock import SYSTEM
from bot.store.engine import (
    TOOL,
    Occupied,
    Owner,
    address,
    alone,
    connect,
    is_file,
    is_only_read,
    known,
    make_private,
    reading,
    revision,
    unreachable,
)
from bot.store.schema import METADATA

_DAY = 24 * 60 * 60.0
_SQLITE, _POSTGRESQL = b"SQLite format 3\0", b"PGDMP"


BY_ITSELF = "-auto"
"""In the names of copies that are made by themselves: only these are let go of by themselves."""


COPIED, FAILED = "copied", "copy failed"
"""The keys of the notes with the times of the last automatic copy, and of the last one that failed since."""


@dataclass(frozen=True, slots=True)
class CopyState:
    """When the last automatic backup was made, and when one has failed since; None for never."""

    made: datetime | None = None
    failed: datetime | None = None

    def is_failing(self, every: float, now: datetime) -> bool:
        """Return whether an operator should look; `every` is the hours between backups, 0 for none."""
        is_late = self.made is not None and now - self.made > timedelta(hours=2 * every)
        return bool(every) and (self.failed is not None or is_late)


def copy_state(notes: Mapping[str, str]) -> CopyState:
    """Return the state of the automatic backups, from notes by key."""

    def at(key: str) -> datetime | None:
        seconds = notes.get(key, "")
        return datetime.fromtimestamp(int(seconds), UTC) if seconds.isdecimal() else None

    return CopyState(at(COPIED), at(FAILED))


class NoBackup(Exception):
    """Raised if a backup cannot be made or restored; its text is one or two sentences."""


def name_for(where: URL, at: datetime, note: str = "") -> str:
    """Return the file name of a backup made at that time, such as `doomkeeper-20261122-120501-042.db`."""
    moment = f"{at:%Y%m%d-%H%M%S-%f}"[:-3]
    return f"{_stem(where)}-{moment}{note}{_suffix(where)}"


def keep_newest(folder: Path, where: URL, count: int, note: str = "") -> None:
    """Delete all but the newest `count` backups of a database in a folder.

    Counts only backups whose names end in `note`.
    """
    digits = "[0-9]"
    # Only names as `name_for` makes them: other files there are somebody's own.
    pattern = f"{glob.escape(_stem(where))}-{digits * 8}-{digits * 6}-{digits * 3}{note}{_suffix(where)}"
    for old in sorted(folder.glob(pattern))[:-count]:
        old.unlink(missing_ok=True)


def clear_begun(folder: Path, now: datetime) -> list[Path]:
    """Delete backups that were started more than a day ago and never finished; return their paths."""
    gone: list[Path] = []
    for path in sorted(folder.glob("*.part")):
        with suppress(OSError):
            about = path.lstat()
            if stat.S_ISREG(about.st_mode) and about.st_mtime < now.timestamp() - _DAY and _is_copy(path):
                path.unlink()
                gone.append(path)
    return gone


def _is_copy(path: Path) -> bool:
    """Whether a file is a copy as far as it goes; other programs have files that end like that too."""
    with path.open("rb") as file:
        begins = file.read(len(_SQLITE))
    return not begins or begins.startswith((_SQLITE, _POSTGRESQL))  # empty: begun, nothing written yet


def _stem(where: URL) -> str:
    return Path(str(where.database or "")).stem or "doomkeeper"


def _suffix(where: URL) -> str:
    return ".db" if is_file(where) else ".dump"


def require_kind(where: URL, path: Path) -> None:
    """Raise NoBackup if the file is no backup of this kind of database."""
    try:
        with path.open("rb") as file:
            begins = file.read(len(_SQLITE))
    except OSError as error:
        raise NoBackup(f"{path} cannot be read: {error.strerror}.") from error
    kinds = {_SQLITE: "SQLite", _POSTGRESQL: "PostgreSQL"}
    kind = next((name for mark, name in kinds.items() if begins.startswith(mark)), None)
    if kind is None:
        raise NoBackup(f"{path} is not a backup made by `backup`.")
    wanted = "SQLite" if is_file(where) else "PostgreSQL"
    if kind != wanted:
        raise NoBackup(
            f"{path} is a {kind} backup, but DATABASE_URL is {wanted}. Set it to a {kind} database."
        )


def require_tables(path: Path, there: set[str]) -> None:
    """Raise NoBackup if a table is missing that every version of the bot has had."""
    if gone := sorted({"alembic_version", "campaign", "channel", "entry"} - there):
        raise NoBackup(f"{path} is not a database of this bot: the table {gone[0]} is missing.")


def require_known(path: Path, seen: str | None) -> str:
    """Return the revision of a backup.

    Raises NoBackup if it has none, or one that this program does not know.
    """
    if seen is None:
        raise NoBackup(f"{path} is not a database of this bot.")
    if seen not in known():
        raise NoBackup(
            f"{path} was made by a newer version of this program (revision {seen}). Update the program."
        )
    return seen


_LOGS = ("-wal", "-shm", "-journal")
"""How the files end that SQLite has beside one that is written to."""


def copy(source: Path, target: Path) -> None:
    """Copy a SQLite file as of one moment, even while others write to it, and check the copy."""
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
    """Replace a SQLite file that nobody uses by a backup; return the backup's revision.

    Raises NoBackup if that is not possible.
    """
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


TABLES = ("alembic_version", *sorted(METADATA.tables))
_NOT_KNOWN = b"SET transaction_timeout = 0;\n"
"""What newer programs say first, and servers before 17 do not know; it is so without being said."""
_DATA = re.compile(r" TABLE DATA \S+ (\S+) ")
"""How the list of a copy's content names a table whose rows it has."""
_WHO = re.compile(r"^(?:pg_restore|pg_dump|psql:\S*):(?: error:| fatal:)? *", re.IGNORECASE)
_CLIENTS = "Install the PostgreSQL client programs, in the server's version or a later one"


async def dump(where: URL, path: Path) -> None:
    """Dump the tables to a file, as of one moment, and read the file to check it.

    Raises NoBackup if that fails.
    """
    tables = [f"--table={table}" for table in TABLES]
    await _run(
        "pg_dump", "--format=custom", "--no-owner", "--no-privileges", *tables, f"--file={path}", to=where
    )
    # All of it: its list alone would be read from the beginning of the file, whatever is missing behind.
    await _read(path, f"--file={os.devnull}", to=where)


async def load(url: str, path: Path) -> str:
    """Replace the tables by a backup and return its revision.

    Raises NoBackup if the backup is not usable or a bot is running; engine.Unreachable if the database is not
    available.
    """
    where = address(url)
    await _read(path, f"--file={os.devnull}", to=where)
    listed = (await _read(path, "--list", to=where)).decode(errors="replace")
    require_tables(path, set(_DATA.findall(listed)))
    seen = require_known(path, await _revision_in(where, path))
    engine = connect(url, TOOL)
    try:
        async with engine.connect() as connection:
            await alone(connection)
            await _replay(where, path)
    except Occupied as error:
        raise NoBackup(str(error)) from error
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        await engine.dispose()
    return seen


async def _revision_in(where: URL, path: Path) -> str | None:
    """The revision that a copy says it has."""
    rows = await _read(path, "--data-only", "--table=alembic_version", "--file=-", to=where)
    lines = rows.decode().splitlines()
    begins = next((place for place, line in enumerate(lines) if line.startswith("COPY ")), len(lines))
    return next(iter(lines[begins + 1 : begins + 2]), None)


async def _replay(where: URL, path: Path) -> None:
    """Drop the tables and make them anew from a copy, in one transaction."""
    pipe = asyncio.subprocess.PIPE
    options = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--output={os.devnull}")
    reading = await _start("pg_restore", "--no-owner", "--no-privileges", "--file=-", str(path), to=where)
    loading = await _start("psql", *options, f"--dbname={_target(where)}", to=where, stdin=pipe)
    assert loading.stdin is not None
    assert reading.stdout is not None
    drop = f"DROP TABLE IF EXISTS {', '.join(TABLES)} CASCADE"
    try:
        # A bot that was overlooked makes this fail, rather than wait for ever.
        loading.stdin.write(f"BEGIN; SET LOCAL lock_timeout = '10s'; {drop};\n".encode())
        first, create, rest = (await reading.stdout.read(1 << 16)).partition(b"CREATE ")
        # Only before the first CREATE: rows may hold the same words.
        loading.stdin.write(first.replace(_NOT_KNOWN, b"") + create + rest)
        while part := await reading.stdout.read(1 << 16):
            loading.stdin.write(part)
            await loading.stdin.drain()
        if not await reading.wait():
            loading.stdin.write(b"\nCOMMIT;\n")  # without it all is as it was
            await loading.stdin.drain()
    except ConnectionError:  # psql has given up, and says why
        reading.kill()
    finally:
        loading.stdin.close()
    (_, first), (_, second) = await asyncio.gather(reading.communicate(), loading.communicate())
    if reading.returncode or loading.returncode:
        reason = _last(second) or _last(first)
        raise NoBackup(f"{path} cannot be restored: {reason}. The database was not changed.")


async def _read(path: Path, *options: str, to: URL) -> bytes:
    """What is in a copy. Raises NoBackup where not all that is asked for can be read."""
    process = await _start("pg_restore", *options, str(path), to=to)
    printed, complaint = await process.communicate()
    if process.returncode:
        raise NoBackup(f"{path} cannot be read: {_last(complaint)}.{_hint(complaint)}")
    return printed


async def _run(program: str, *options: str, to: URL) -> None:
    """Let a program of PostgreSQL's do something. Raises NoBackup with what it complains of."""
    process = await _start(program, *options, f"--dbname={_target(to)}", to=to)
    _, complaint = await process.communicate()
    if process.returncode:
        raise NoBackup(f"{program} failed: {_last(complaint)}.{_hint(complaint)}")


def _hint(complaint: bytes) -> str:
    return f" {_CLIENTS}." if b"version" in complaint else ""


async def _start(
    program: str, *options: str, to: URL, stdin: int | None = None
) -> asyncio.subprocess.Process:
    """Start a program of PostgreSQL's. The password is in its environment, where no other user sees it."""
    secret = {} if to.password is None else {"PGPASSWORD": str(to.password)}
    pipe = asyncio.subprocess.PIPE
    try:
        return await asyncio.create_subprocess_exec(
            program, *options, env=os.environ | secret, stdin=stdin, stdout=pipe, stderr=pipe
        )
    except FileNotFoundError:
        raise NoBackup(f"{program} is not installed. {_CLIENTS}.") from None


def _target(where: URL) -> str:
    """The address of a database as PostgreSQL's own programs take it, without the password."""
    # What asyncpg calls ssl.
    query = {("sslmode" if name == "ssl" else name): value for name, value in where.query.items()}
    return URL.create(
        "postgresql", where.username, None, where.host, where.port, where.database, query
    ).render_as_string()


def _last(complaint: bytes) -> str:
    """The line that says most of what a program has complained of."""
    lines = [line.strip() for line in complaint.decode(errors="replace").splitlines() if line.strip()]
    told = next((line for line in lines if "ERROR" in line or "error:" in line), lines[-1] if lines else "")
    return _WHO.sub("", told).rstrip(".") or "no further details"


async def backup(url: str, path: Path) -> Path:
    """Back up a database to a new file, or to a file named by date in a folder; return the file.

    The file gets its name only after a check. Raises NoBackup, and whatever engine.revision raises.
    """
    where = address(url)
    if await revision(url) is None:
        raise NoBackup("Nothing to back up: the database has no tables yet.")
    with _written(_new(path, name_for(where, SYSTEM.now()))) as (begun, made):
        if is_file(where):
            await asyncio.to_thread(copy, Path(str(where.database)), begun)
        else:
            await dump(where, begun)
    return made


async def restore(url: str, path: Path) -> str:
    """Replace a database on which no bot runs by a backup; return the backup's revision.

    The old data stays until the backup is in place completely. Raises NoBackup if the file is not usable;
    engine.Unreachable if the database is not.
    """
    where = address(url)
    require_kind(where, path)
    if is_file(where):
        return await asyncio.to_thread(put_back, path, Path(str(where.database)))
    return await load(url, path)


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
