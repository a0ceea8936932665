"""Copies of a database as files: what they are called, which are kept, which can be put back."""

import glob
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import URL

from bot.store.engine import is_file
from bot.store.revision import known

_DAY = 24 * 60 * 60.0
_SQLITE, _POSTGRESQL = b"SQLite format 3\0", b"PGDMP"


BY_ITSELF = "-auto"
"""In the names of copies that are made by themselves: only these are let go of by themselves."""


COPIED, FAILED = "copied", "copy failed"
"""The keys of the notes with the times of the last automatic copy, and of the last one that failed since."""


@dataclass(frozen=True, slots=True)
class CopyState:
    """When the last automatic copy was made, and when one failed since; None for never."""

    made: datetime | None = None
    failed: datetime | None = None

    def is_failing(self, every: float, now: datetime) -> bool:
        """Return whether an operator should look; a copy is due every so many hours, 0 is never."""
        is_late = self.made is not None and now - self.made > timedelta(hours=2 * every)
        return bool(every) and (self.failed is not None or is_late)


def copy_state(notes: Mapping[str, str]) -> CopyState:
    """Return the state of the automatic copies from notes by key."""

    def at(key: str) -> datetime | None:
        seconds = notes.get(key, "")
        return datetime.fromtimestamp(int(seconds), UTC) if seconds.isdecimal() else None

    return CopyState(at(COPIED), at(FAILED))


class NoBackup(Exception):
    """A copy cannot be made or put back as things are; one sentence or two."""


def name_for(where: URL, at: datetime, note: str = "") -> str:
    """The name of a copy that is made at that time, for instance `doomkeeper-20261122-120501-042.db`."""
    moment = f"{at:%Y%m%d-%H%M%S-%f}"[:-3]
    return f"{_stem(where)}-{moment}{note}{_suffix(where)}"


def keep_newest(folder: Path, where: URL, count: int, note: str = "") -> None:
    """Let go of the older copies of a database in a folder, those whose names have that `note` in the end."""
    digits = "[0-9]"
    # Only names as `name_for` makes them: other files there are somebody's own.
    pattern = f"{glob.escape(_stem(where))}-{digits * 8}-{digits * 6}-{digits * 3}{note}{_suffix(where)}"
    for old in sorted(folder.glob(pattern))[:-count]:
        old.unlink(missing_ok=True)


def clear_begun(folder: Path, now: datetime) -> list[Path]:
    """Let go of copies that were begun more than a day ago and never ended, as by a kill; which they were."""
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
    """Refuse a file that is no copy of such a database. Raises NoBackup."""
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
    """Refuse what has not the tables that every version of this bot has had. Raises NoBackup."""
    if gone := sorted({"alembic_version", "campaign", "channel", "entry"} - there):
        raise NoBackup(f"{path} is not a database of this bot: the table {gone[0]} is missing.")


def require_known(path: Path, seen: str | None) -> str:
    """The revision of a copy, if this program can work with it. Raises NoBackup."""
    if seen is None:
        raise NoBackup(f"{path} is not a database of this bot.")
    if seen not in known():
        raise NoBackup(
            f"{path} was made by a newer version of this program (revision {seen}). Update the program."
        )
    return seen
