"""Copying the bot's tables on PostgreSQL, and putting a copy in their place: by PostgreSQL's own programs."""

import asyncio
import os
import re
from pathlib import Path

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError

from bot.store.copies import NoBackup, require_known, require_tables
from bot.store.engine import TOOL, address, connect
from bot.store.owner import Occupied
from bot.store.revision import alone, unreachable
from bot.store.schema import METADATA

TABLES = ("alembic_version", *sorted(METADATA.tables))
_NOT_KNOWN = b"SET transaction_timeout = 0;\n"
"""What newer programs say first, and servers before 17 do not know; it is so without being said."""
_DATA = re.compile(r" TABLE DATA \S+ (\S+) ")
"""How the list of a copy's content names a table whose rows it has."""
_WHO = re.compile(r"^(?:pg_restore|pg_dump|psql:\S*):(?: error:| fatal:)? *", re.IGNORECASE)
_CLIENTS = "Install the PostgreSQL client programs, in the server's version or a later one"


async def dump(where: URL, path: Path) -> None:
    """Copy the tables to a file, as of one moment, and read all that is in it. Raises NoBackup."""
    tables = [f"--table={table}" for table in TABLES]
    await _run(
        "pg_dump", "--format=custom", "--no-owner", "--no-privileges", *tables, f"--file={path}", to=where
    )
    # All of it: its list alone would be read from the beginning of the file, whatever is missing behind.
    await _read(path, f"--file={os.devnull}", to=where)


async def load(url: str, path: Path) -> str:
    """Put a copy in the place of the tables, if no bot works with them; its revision.

    Raises NoBackup, and engine.Unreachable.
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
