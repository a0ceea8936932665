"""What went wrong lately, kept beside the database for whoever asks for help.

A line says what happened, when, of which kind an error was, and where in the code it was raised. It has no
message of an error and no value, since these hold names, ids and what people typed.
"""

import logging
import re
import sys
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from io import TextIOWrapper
from itertools import chain
from logging.handlers import RotatingFileHandler
from pathlib import Path

from bot import home
from bot.store.engine import address, is_file, make_private

MOST = 100_000
"""So many bytes are kept, and those of before once more."""
_FRAMES = 6
"""So many places of an error in our own code are named, the last ones."""
_OF_OTHERS = 2
_OURS = ("bot.", "rules.", "migrations.")
_LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [a-z]+ [\x20-\x7e]+")


class Lately(RotatingFileHandler):
    """Keeps a line for each warning and error; none where it cannot be written, for the log has them all."""

    def __init__(self, path: Path) -> None:
        # No file without need
        super().__init__(path, maxBytes=MOST, backupCount=1, encoding="utf-8", delay=True)
        self.setLevel(logging.WARNING)

    def _open(self) -> TextIOWrapper:
        Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True)
        make_private(Path(self.baseFilename))
        return super()._open()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Nobody is told: what would be printed holds values."""

    def format(self, record: logging.LogRecord) -> str:
        """The record without its values; of other libraries not the sentence, which may be made of them."""
        event = record.msg if isinstance(record.msg, dict) and record.name.startswith("bot.") else {}
        what = event.get("event") or f"at {record.module}:{record.lineno} {record.funcName}"
        error = event.get("exc_info") or (record.exc_info and record.exc_info[1]) or sys.exc_info()[1]
        at = datetime.fromtimestamp(record.created, UTC)
        line = f"{at:%Y-%m-%dT%H:%M:%SZ} {record.levelname.lower()} {record.name} {what}"
        return f"{line}: {kinds(error)}" if isinstance(error, BaseException) else line


def keep(url: str) -> None:
    """Keep what goes wrong with a bot on that database from now on. Raises engine.Unreachable."""
    # Before all others: some make records shorter.
    logging.getLogger().handlers.insert(0, Lately(path(url)))


def kept(url: str) -> list[str]:
    """What is kept, the oldest first, but for damaged lines. Raises engine.Unreachable and OSError."""
    newest = path(url)
    older = newest.with_name(f"{newest.name}.1")
    there = (each.read_bytes() for each in (older, newest) if each.exists())
    lines = chain.from_iterable(data.decode(errors="replace").splitlines() for data in there)
    return [line for line in lines if _LINE.fullmatch(line)]


def path(url: str) -> Path:
    """Where it is kept: beside a SQLite file, else among the data. Raises engine.Unreachable."""
    where = address(url)
    if is_file(where):
        return Path(str(where.database)).with_suffix(".warnings")
    return home.folder() / "doomkeeper.warnings"


def causes(error: BaseException) -> Iterator[BaseException]:
    """An error, what it came of, what that came of."""
    each: BaseException | None = error
    while each is not None:
        yield each
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)


def kinds(error: BaseException) -> str:
    """Of which kind an error is, where it was raised, and what it came of, in one line."""
    return ", which came of ".join(f"{type(each).__qualname__}{_places(each)}" for each in causes(error))


def _places(error: BaseException) -> str:
    """The last places in our code, and in that of others; modules, since a path may have a name in it."""
    frames = [
        (str(frame.f_globals.get("__name__")), f":{line} {frame.f_code.co_name}")
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    ours = [module + place for module, place in frames if module.startswith(_OURS)]
    others = [module + place for module, place in frames if not module.startswith(_OURS)]
    found = [*ours[-_FRAMES:], *others[-_OF_OTHERS:]]
    return f" at {' > '.join(found)}" if found else ""
