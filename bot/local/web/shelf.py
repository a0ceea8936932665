"""Where the local table lies between two evenings: one SQLite file, which knows rows and no table."""

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

VERSION = 1
TABLES = """
CREATE TABLE IF NOT EXISTS thing (kind TEXT, id INTEGER, body TEXT NOT NULL, PRIMARY KEY (kind, id));
CREATE TABLE IF NOT EXISTS message (
    channel INTEGER, id INTEGER, pinned INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (channel, id)
);
CREATE TABLE IF NOT EXISTS file (id INTEGER PRIMARY KEY, message INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS file_of ON file (message);
"""
TOO_MANY = """
DELETE FROM message WHERE channel = ? AND NOT pinned AND id <= (
    SELECT id FROM message WHERE channel = ? ORDER BY id DESC LIMIT 1 OFFSET ?
)
"""


class Unusable(Exception):
    """The file cannot be used; one line."""


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message by its channel, and the data of its files by their ids."""

    channel: int
    id: int
    is_pinned: bool
    body: str
    files: dict[int, bytes] = field(default_factory=dict, repr=False)


@dataclass(slots=True)
class Rows:
    """What is kept, or what of it has changed."""

    things: dict[tuple[str, int], str] = field(default_factory=dict)
    messages: list[MessageRow] = field(default_factory=list)
    lost: list[tuple[str, int]] = field(default_factory=list)
    """Things that are gone."""
    gone: list[tuple[int, int]] = field(default_factory=list)
    """Messages that are gone, by channel and id."""


class Shelf:
    """The open file. It is used by one thread at a time, which need not always be the same."""

    def __init__(self, path: Path, most: int) -> None:
        self.path = path
        self.most = most
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # what is said here is for its owner alone
            self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._begin()
        except (OSError, sqlite3.Error) as error:
            raise Unusable(f"{path} cannot be used: {error}. Start over with --fresh") from error

    def _begin(self) -> None:
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise sqlite3.DatabaseError("it was made by a newer version of this program")
        self._database.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; {TABLES}")
        self._database.execute(f"PRAGMA user_version = {VERSION}")

    def read(self) -> Rows:
        """All that is kept, oldest messages first."""
        every = self._database.execute
        data: dict[int, dict[int, bytes]] = {}
        for number, message, blob in every("SELECT id, message, data FROM file ORDER BY id"):
            data.setdefault(message, {})[number] = blob
        rows = Rows(
            {(kind, number): body for kind, number, body in every("SELECT kind, id, body FROM thing")}
        )
        for channel, number, pinned, body in every("SELECT * FROM message ORDER BY id"):
            rows.messages.append(MessageRow(channel, number, bool(pinned), body, data.get(number, {})))
        return rows

    def write(self, rows: Rows) -> None:
        """Keep what has changed, all of it or nothing."""
        with closing(self._database.cursor()) as cursor:
            cursor.execute("BEGIN IMMEDIATE")
            try:
                self._write(cursor, rows)
                cursor.execute("COMMIT")
            except BaseException:
                cursor.execute("ROLLBACK")
                raise

    def _write(self, cursor: sqlite3.Cursor, rows: Rows) -> None:
        things = [(kind, number, body) for (kind, number), body in rows.things.items()]
        cursor.executemany("INSERT OR REPLACE INTO thing VALUES (?, ?, ?)", things)
        cursor.executemany("DELETE FROM thing WHERE kind = ? AND id = ?", rows.lost)
        kept = [(row.channel, row.id, row.is_pinned, row.body) for row in rows.messages]
        cursor.executemany("INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?)", kept)
        for row in rows.messages:
            cursor.execute(
                f"DELETE FROM file WHERE message = ? AND id NOT IN ({_marks(row.files)})",
                (row.id, *row.files),
            )
            files = [(number, row.id, data) for number, data in row.files.items()]
            cursor.executemany("INSERT OR IGNORE INTO file VALUES (?, ?, ?)", files)
        cursor.executemany("DELETE FROM message WHERE channel = ? AND id = ?", rows.gone)
        for channel in {row.channel for row in rows.messages}:
            cursor.execute(TOO_MANY, (channel, channel, self.most))
        if rows.gone or rows.messages:
            cursor.execute("DELETE FROM file WHERE message NOT IN (SELECT id FROM message)")

    def close(self) -> None:
        """Put it away."""
        self._database.close()


def _marks(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)


def forget(path: Path) -> None:
    """Delete the file and what SQLite keeps beside it.

    Raises:
        Unusable: it cannot be deleted.
    """
    for beside in ("", "-wal", "-shm"):
        try:
            path.with_name(path.name + beside).unlink(missing_ok=True)
        except OSError as error:
            raise Unusable(f"{path} cannot be deleted: {error}.") from error
