"""One local table for each file: a second one would not hear what the first one changes."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


class Occupied(Exception):
    """Another local table has that file open."""


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a file for this table; whoever dies lets go of it.

    A lock of SQLite's own on an empty file beside it does that on every system. Raises Occupied.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(f"{path}.lock", timeout=0, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            raise Occupied(
                f"Another local table is open on {path}. End that one, or take another file. "
                "Example: python -m bot play --database sqlite+aiosqlite:///data/other.db"
            ) from None
        yield
