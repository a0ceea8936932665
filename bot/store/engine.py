"""Connect to SQLite or PostgreSQL; one process owns a SQLite file, and every database has a revision."""

import asyncio
import os
import random
import re
import socket
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import aiosqlite
from sqlalchemy import URL, Connection, event, exc, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot import paths
from bot.clock import SYSTEM, Clock

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}
_FILES = (".db", ".sqlite", ".sqlite3")
"""How the path of a new file ends that is given instead of an address."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+]+:")
"""How an address begins; a drive of Windows has one letter."""
_PRAGMAS = (
    # First, since changing to WAL may have to wait already.
    "PRAGMA busy_timeout = 5000",
    "PRAGMA journal_mode = WAL",
    # With WAL, NORMAL would lose the last commits when the power goes: these have been answered.
    "PRAGMA synchronous = FULL",
    # SQLite has them, but off unless each connection asks: rows would stay when their campaign goes.
    "PRAGMA foreign_keys = ON",
    # Else what somebody had forgotten stays readable in free pages.
    "PRAGMA secure_delete = ON",
)


_AWAY_SQLITE = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
)
_LASTING_SQLITE = tuple(code for code in _AWAY_SQLITE if code != sqlite3.SQLITE_BUSY)
_DISK_FULL = "53100"
_AWAY_POSTGRESQL = ("08", "53", "57P")  # SQLSTATE: no connection, no room, shutting down or starting up
_PASSING = ("08", "53300", "57P")  # of these, what goes by itself: 53300 is too many connections
_TOOK_LONG = "57014"  # the same: a statement that was ended for its time
_STATEMENT = 30
"""Seconds that a statement of the bot's may take on PostgreSQL."""
_ANSWER = 40
"""Seconds after which a server that does not answer is given up."""
_PAUSE = 0.5
"""Seconds between two looks whether the database is there again."""
_ROWS = 64
"""Rows that a connection fetches at once where it is asked for them one by one, as aiosqlite has it."""
_Found = TypeVar("_Found")


BOT = "doomkeeper"
"""What a bot's connections to PostgreSQL are called there; a process with a name adds it after a colon."""
TOOL = "doomkeeper upkeep"
"""What the connections of whoever looks after the database are called."""
REPLACED = "replaced"
"""The kind of note that tells a process, by its name, that another one has replaced it."""


class Unreachable(Exception):
    """Raised if the database cannot be used; its text is one sentence, without the password."""


class Away(Unreachable):
    """Raised if the database is temporarily unavailable."""


class Replaced(Exception):
    """Raised by every new connection of a process that another one has replaced; its text is one sentence."""


class Patience:
    """How many seconds to wait for an unavailable database; `end` stops all waiting."""

    def __init__(self, seconds: float = 0.0, clock: Clock = SYSTEM) -> None:
        self.seconds = seconds
        self.clock = clock
        self._ended = asyncio.Event()

    def end(self) -> None:
        """Stop waiting, now and in future."""
        self._ended.set()

    def begin(self) -> None:
        """Allow waiting again."""
        self._ended.clear()

    async def wait(self, seconds: float) -> None:
        """Sleep, until the patience is ended."""
        with suppress(TimeoutError):
            async with self.clock.timeout(seconds):
                await self._ended.wait()

    @property
    def is_over(self) -> bool:
        """Whether waiting was ended."""
        return self._ended.is_set()


_NONE = Patience()


def address(url: str) -> URL:
    """Expand a database URL or path: `postgres://…`, `sqlite:///file.db`, `data/friday.db`.

    A path must exist, or end in .db, .sqlite or .sqlite3. Raises Unreachable if the address names no database
    that this program can use.
    """
    if "://" not in url and not _SCHEME.match(url) and url.strip():
        return URL.create(_DRIVERS["sqlite"], database=str(_require_path(Path(url))))
    try:
        parts = make_url(url)
    except ArgumentError:
        raise Unreachable("The database URL is not valid. Example: data/doomkeeper.db") from None
    if parts.drivername not in _DRIVERS:
        raise Unreachable(
            f"The database URL starts with {parts.drivername}://. Use sqlite:// or postgresql://."
        )
    if parts.drivername.startswith("sqlite") and parts.database in (None, "", ":memory:"):
        raise Unreachable("The database URL has no file name. Example: data/doomkeeper.db")
    return parts.set(drivername=_DRIVERS[parts.drivername])


def _require_path(path: Path) -> Path:
    """The path of a database file. Raises Unreachable for a folder and a new file with another ending."""
    if path.is_dir():
        raise Unreachable(f"{path} is a folder. Name a file in it, such as {path / 'doomkeeper.db'}.")
    if not path.is_file() and path.suffix not in _FILES:
        raise Unreachable(
            f"The database file {path} does not exist. A new file needs a name that ends in .db."
        )
    return path


def is_file(where: URL) -> bool:
    """Return whether a database URL is that of a SQLite file."""
    return where.get_backend_name() == "sqlite"


def connect(
    url: str,
    name: str = TOOL,
    patience: Patience = _NONE,
    connections: int | None = None,
    process: str = "",
) -> AsyncEngine:
    """Return an engine in autocommit mode: every statement commits by itself, except after a BEGIN.

    A SQLite file and its folder are created if missing; on a read-only mount, tools only read. PostgreSQL
    shows the `name` for these connections, of which there are at most `connections`; a bot's statements time
    out. `when_there` waits with that `patience`. If other processes have replaced the `process` of that name,
    each new connection raises Replaced. Raises Unreachable if the database cannot be used.
    """
    where = address(url)
    try:
        engine = create_async_engine(
            where,
            # Transactions are begun by hand. The driver's own begin with the first write, after the reading:
            # 1,846 of 2,000 changes at the same moment were lost by that.
            isolation_level="AUTOCOMMIT",
            skip_autocommit_rollback=True,  # it would be a trip for nothing
            hide_parameters=True,  # they hold what people typed, and errors are logged
            execution_options={"patience": patience},
            **(
                {"async_creator": _opening(where, name)}
                if is_file(where)
                else _habits(name, connections, process)
            ),
        )
    except ModuleNotFoundError as error:
        raise Unreachable(f"The database URL needs the Python package {error.name}. Install it.") from None
    if is_sqlite(engine):
        _require_file(file_of(engine), name)
    elif process:
        event.listen(engine.sync_engine, "connect", partial(_require_unreplaced, f"{REPLACED}:{process}"))
    return engine


def _require_unreplaced(key: str, connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    cursor.execute("SELECT 1 FROM note WHERE key = $1", (key,))
    if cursor.fetchone():
        connection.close()
        raise Replaced("This process did not respond, so another one has taken over its shards.")


def _habits(name: str, connections: int | None, process: str) -> dict[str, Any]:
    """How PostgreSQL is used: what finds out that a connection is lost, and what ends what takes too long."""
    settings = {"application_name": f"{name}:{process}" if process else name}
    limits: dict[str, Any] = {}
    if name == BOT:
        milliseconds = str(int(_STATEMENT * 1000))
        settings |= {"statement_timeout": milliseconds, "idle_in_transaction_session_timeout": milliseconds}
        limits = {"command_timeout": _ANSWER}
    pool = {} if connections is None else {"pool_size": connections, "max_overflow": 0}
    return {
        "pool_pre_ping": True,
        "connect_args": {"server_settings": settings, "timeout": 10, **limits},
        **pool,
    }


def patience_of(engine: AsyncEngine) -> Patience:
    """Return the patience that the engine was created with."""
    patience: Patience = engine.get_execution_options().get("patience", _NONE)
    return patience


async def when_there(engine: AsyncEngine, work: Callable[[AsyncConnection], Awaitable[_Found]]) -> _Found:
    """Run a read, and retry it while the database is unavailable.

    Raises what the read raises, once the engine's patience is over.
    """
    patience = patience_of(engine)
    until = patience.clock.monotonic() + patience.seconds
    while True:
        try:
            async with engine.connect() as connection:
                return await work(connection)
        except Exception as error:
            left = until - patience.clock.monotonic()
            if not passes(error) or left <= 0 or patience.is_over:
                raise
        await patience.wait(min(left, random.uniform(0.5, 1.5) * _PAUSE))  # not all who wait at once


async def is_back(engine: AsyncEngine) -> bool:
    """Wait for an unavailable database, with the engine's patience; return whether it answers."""

    async def ask(connection: AsyncConnection) -> None:
        await connection.exec_driver_sql("SELECT 1")

    try:
        await when_there(engine, ask)
    except Replaced:
        return True  # the next statement raises it, too
    except Exception as error:
        if not is_away(error):
            raise
        return False
    return True


def make_private(path: Path) -> None:
    """Make a file readable by its owner only, creating it if missing. Raises OSError if that fails.

    SQLite gives the files beside a database the same mode as the database.
    """
    if not path.exists():
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    elif path.is_file() and path.stat().st_mode & 0o077:
        with suppress(OSError):  # it is somebody else's, or on a mount that has no modes or lets nobody write
            path.chmod(0o600)


def require_bytes(path: Path) -> None:
    """Raise Unreachable if a database file is empty, which SQLite would take for a new database."""
    with suppress(FileNotFoundError):
        if not path.stat().st_size:
            raise Unreachable(
                f"The database file {path} is empty. Restore a backup: {paths.COMMAND} restore PATH. "
                "To start over, delete the file."
            )


def is_only_read(path: Path) -> bool:
    """Return whether a SQLite file is on a path that cannot be written, such as a read-only mount."""
    return path.exists() and not os.access(path.parent, os.W_OK)


def is_shared(path: Path) -> bool:
    """Return whether the shared-memory file of a SQLite database exists."""
    return path.with_name(f"{path.name}-shm").exists()


def to_read(path: Path) -> str:
    """Return the URI by which SQLite opens a file without changing anything.

    If nobody writes to the file, SQLite does not even create the shared-memory files beside it.
    """
    is_written = path.with_name(f"{path.name}-wal").exists()
    return f"file:{quote(str(path.absolute()))}?mode=ro{'' if is_written else '&immutable=1'}"


def _require_file(path: Path, name: str) -> None:
    try:
        if name == TOOL and is_only_read(path):
            require_bytes(path)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            require_bytes(path)
            make_private(path)
        else:
            _make_file(path)
        sqlite3.connect(path).close()
    except (OSError, sqlite3.Error) as error:
        raise Unreachable(f"The database file {path} cannot be opened: {error}.") from error


def _make_file(path: Path) -> None:
    """Make a SQLite file, which gets its name once it has bytes: one without is no new one."""
    begun = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        make_private(begun)
        with closing(sqlite3.connect(begun)) as fresh:
            fresh.execute("PRAGMA journal_mode = WAL")  # it writes the head
        os.link(begun, path)
    except FileExistsError:  # another process was quicker
        pass
    except OSError:
        if path.exists() or not begun.exists():
            raise
        begun.rename(path)  # a file system without links
    finally:
        begun.unlink(missing_ok=True)


def is_away(error: BaseException) -> bool:
    """Return whether an error means that the database is unavailable now, rather than a programming error."""
    if isinstance(error, exc.TimeoutError):  # no connection was free for long
        return True
    if not isinstance(error, DBAPIError):
        # What asyncpg says before there is a connection is not wrapped.
        state = getattr(error, "sqlstate", None)
        return isinstance(error, OSError | TimeoutError) or _is_away_state(state)
    if error.connection_invalidated or isinstance(error, InterfaceError):
        return True
    if isinstance(error.orig, sqlite3.Error):
        # An extended code has the plain one in its lowest byte.
        return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _AWAY_SQLITE
    return _is_away_state(getattr(error.orig, "sqlstate", None))


def lasts(error: BaseException) -> bool:
    """Return whether a database stays unavailable until a person frees space or makes it writable."""
    root = getattr(error, "orig", error)
    if isinstance(root, sqlite3.Error):
        return getattr(root, "sqlite_errorcode", 0) & 0xFF in _LASTING_SQLITE
    return str(getattr(root, "sqlstate", None) or "") == _DISK_FULL


def passes(error: BaseException) -> bool:
    """Return whether a PostgreSQL server is only unavailable for a moment, so that waiting helps."""
    root = getattr(error, "orig", error)
    state = str(getattr(root, "sqlstate", None) or "")
    # Where the line itself broke, there is no state.
    is_of_server = is_away(error) and not isinstance(root, sqlite3.Error)
    return is_of_server and (not state or state.startswith(_PASSING))


def _is_away_state(state: object) -> bool:
    return str(state or "").startswith((*_AWAY_POSTGRESQL, _TOOK_LONG))


def is_sqlite(engine: AsyncEngine) -> bool:
    """Return whether the engine is for a SQLite file."""
    return engine.dialect.name == "sqlite"


def file_of(engine: AsyncEngine) -> Path:
    """Return the path of a SQLite database."""
    return Path(str(engine.url.database))


async def clear_traces(engine: AsyncEngine) -> None:
    """Truncate SQLite's write-ahead log, so that deleted data does not stay in it."""
    if is_sqlite(engine):
        async with engine.connect() as connection:
            await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def begin(engine: AsyncEngine) -> str:
    """Return the statement that starts a write transaction."""
    return "BEGIN IMMEDIATE" if is_sqlite(engine) else "BEGIN"


def _text(raw: bytes) -> str:
    """A text of SQLite's, also one in which bytes are damaged."""
    return raw.decode(errors="replace")


class _Connection(aiosqlite.Connection):
    """A connection whose thread is told to end once.

    Where a task is cancelled twice while its connection closes, SQLAlchemy tells it too: the closing, which
    tells it again, would then wait for ever for a thread that is gone.
    """

    _is_told = False

    def stop(self) -> asyncio.Future[Any] | None:
        """End the thread. Return a future that is done then, or None if it was already told to end."""
        if self._is_told:
            return None
        self._is_told = True
        return super().stop()


def _opening(where: URL, name: str) -> Callable[[], Awaitable[aiosqlite.Connection]]:
    """What opens a connection to the SQLite file of an address."""
    path = Path(str(where.database))
    arguments, options = where.get_dialect()().create_connect_args(where)

    async def open_() -> aiosqlite.Connection:
        if name == TOOL and is_only_read(path):
            return await _open(to_read(path), pragmas=_PRAGMAS[:1], **{**options, "uri": True})
        return await _open(*arguments, pragmas=_PRAGMAS, **options)

    return open_


async def _open(*where: Any, pragmas: Sequence[str], **how: Any) -> aiosqlite.Connection:
    """A connection to a SQLite file. Whoever no longer waits for it ends when it is opened and closed again.

    Its thread goes on all the same, and would tell a loop that may be closed by then.
    """
    opening = asyncio.ensure_future(_opened(*where, pragmas=pragmas, **how))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        with suppress(sqlite3.Error):  # nobody waits for it any more
            await (await opening).close()
        raise


async def _opened(*where: Any, pragmas: Sequence[str], **how: Any) -> aiosqlite.Connection:
    connection = _Connection(partial(sqlite3.connect, *where, **how), _ROWS)
    connection._thread.daemon = True  # as SQLAlchemy has it: a process that ends waits for none
    await connection
    try:
        connection.text_factory = _text
        # All in one trip to the connection's thread.
        async with connection.executescript(";".join(pragmas)):
            return connection
    except BaseException:
        await connection.close()
        raise


class Occupied(Away):
    """Raised if another process owns the database file; its text is one sentence that names the process."""


class Owner:
    """Exclusive ownership of a file, until it is released or the process dies.

    Uses SQLite's own locking on a small file beside it, which works on every system. That file also names the
    owner: the lock stops others from writing, not from reading.
    """

    def __init__(self, path: Path) -> None:
        """Take ownership of a file.

        Raises Occupied if another process owns it; Unreachable if the lock file cannot be made.
        """
        try:
            make_private(Path(f"{path}.lock"))
            self._lock = sqlite3.connect(f"{path}.lock", timeout=0.1, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise Unreachable(f"The database file {path} cannot be locked: {error}.") from error
        try:
            self._take()
        except sqlite3.Error as error:
            who = self._who()
            self._lock.close()
            # An extended code has the plain one in its lowest byte.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise Unreachable(f"The database file {path} cannot be locked: {error}.") from error
            raise Occupied(
                f"{who} is using the database file {path}. Stop it first, or use another file."
            ) from None

    def release(self) -> None:
        """Give up ownership."""
        self._lock.close()

    def _take(self) -> None:
        self._lock.execute("BEGIN IMMEDIATE")
        self._lock.execute("CREATE TABLE IF NOT EXISTS owner (process INTEGER, host TEXT)")
        self._lock.execute("DELETE FROM owner")
        self._lock.execute("INSERT INTO owner VALUES (?, ?)", (os.getpid(), socket.gethostname()))
        self._lock.execute("COMMIT")
        self._lock.execute("BEGIN IMMEDIATE")  # held as long as the process lives

    def _who(self) -> str:
        """The process that has the lock; it may be about to write its name or to let go."""
        with suppress(sqlite3.Error):
            for process, host in self._lock.execute("SELECT process, host FROM owner"):
                return f"Process {process} on {host}"
        return "Another process"


MIGRATIONS = Path(__file__).parents[2] / "migrations"
LOCK = 0x646F6F6D
"""Whoever changes the tables of a PostgreSQL database has this lock: a number that nobody else uses there."""


_BOTS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    f"AND split_part(application_name, ':', 1) = '{BOT}'"
)


class NewerDatabase(Exception):
    """Raised if a later version of the program made the database; its text is one sentence."""


class Unstamped(Unreachable):
    """Raised if a database has this bot's tables but no revision; its text is one sentence."""

    def __init__(self) -> None:
        super().__init__(
            "The database has this bot's tables, but its table alembic_version is missing or empty. "
            f"Repair it: {paths.COMMAND} doctor --repair"
        )


def known() -> list[str]:
    """Return the revisions that this program knows, oldest first."""
    return sorted(path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("*_*.py"))


async def revision(url: str) -> str | None:
    """Return the revision of a database, without changing it; None if it has no tables yet.

    Raises Unreachable, or its subclass Away if waiting may help; NewerDatabase if a later version made it.
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
    """Open a SQLite file read-only. Raises sqlite3.Error if that fails."""
    return sqlite3.connect(to_read(path), uri=True)


def opened(path: Path, how: str) -> sqlite3.Connection:
    """Open an existing SQLite file in that mode. Raises sqlite3.Error if that fails."""
    return sqlite3.connect(f"file:{quote(str(path.absolute()))}?{how}", uri=True)


def require_known(found: set[str]) -> None:
    """Raise NewerDatabase if a revision is not known to this program."""
    if found - set(known()):
        raise NewerDatabase("The database was made by a newer version of this program. Update the program.")


def seen(connection: Connection) -> set[str]:
    """Return the revisions that the database is stamped with.

    Reads Alembic's table directly, because importing Alembic is slow.
    """
    if not inspect(connection).has_table("alembic_version"):
        return set()
    return set(connection.execute(text("SELECT version_num FROM alembic_version")).scalars())


def has_tables(connection: Connection) -> bool:
    """Return whether a database has tables of this bot."""
    return inspect(connection).has_table("entry")


async def alone(connection: AsyncConnection) -> None:
    """Take exclusive use of a PostgreSQL database while the connection lasts.

    Raises Occupied if a bot uses it.
    """
    # Whoever starts a bot meanwhile waits for this lock before anything else.
    is_ours = await connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({LOCK})")
    bots = await connection.exec_driver_sql(_BOTS)
    if not is_ours.scalar_one() or bots.scalar_one():
        raise Occupied("A bot is running on this database. Stop all its processes first.")


def unreachable(engine: AsyncEngine, error: Exception) -> Unreachable:
    """Return the exception for an unusable database, as one sentence; Away if waiting may help."""
    reason = str(getattr(error, "orig", None) or error).splitlines()[0]
    kind = Away if is_away(error) and not lasts(error) else Unreachable
    name = engine.url.database if is_sqlite(engine) else engine.url.render_as_string()
    return kind(f"The database {name} cannot be used: {reason}.{_way_out(error)}")


def _way_out(error: BaseException) -> str:
    """What to do about a damaged file; nothing where an error says something else."""
    code = getattr(getattr(error, "orig", error), "sqlite_errorcode", 0) & 0xFF
    is_damaged = code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    return f" Restore a backup: {paths.COMMAND} restore PATH" if is_damaged else ""
