"""One process for each SQLite file: what it remembers is true then, since nobody else writes there."""

import os
import socket
import sqlite3
from contextlib import suppress
from pathlib import Path

from bot.store.engine import Away, Unreachable, make_private


class Occupied(Away):
    """Another process has the database file; one sentence that says which."""


class Owner:
    """A file's owner, until it lets go or dies.

    A lock of SQLite's own on a small file beside it does that on every system. That file holds who has the
    lock, which others can read: the lock keeps them from writing alone.
    """

    def __init__(self, path: Path) -> None:
        """Own a file. Raises Occupied, and Unreachable where no lock can stand beside it."""
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
        """Let others have it."""
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
