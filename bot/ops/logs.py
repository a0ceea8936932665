"""Logs: their format, and recent warnings for `report`.

A line says what happened and when, the type of an error, and where in the code it was raised. It contains no
error message and no values, because these may hold names, ids and typed text.

Typed text occurs in error messages, and in the debug output of other libraries. So a trace contains only
locations and types, and other libraries log at INFO or above.
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
from typing import TextIO

import aiohttp
import discord
import structlog

from bot import paths
from bot.client.refusals import cause
from bot.clock import SYSTEM, Clock
from bot.store.engine import Away, Replaced, address, is_away, is_file, make_private

log = structlog.get_logger(__name__)

MOST = 100_000
"""So many bytes are kept, and those of before once more."""
_FRAMES = 6
"""So many places of an error in our own code are named, the last ones."""
_OF_OTHERS = 2
_OURS = ("bot.", "rules.", "migrations.")
_LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [a-z]+ [\x20-\x7e]+")


class WarningLog(RotatingFileHandler):
    """Writes a line per warning and error to a file; skips them if it cannot, since the main log has them."""

    def __init__(self, path: Path) -> None:
        # No file without need
        super().__init__(path, maxBytes=MOST, backupCount=1, encoding="utf-8", delay=True)
        self.setLevel(logging.WARNING)

    def _open(self) -> TextIOWrapper:
        Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True)
        make_private(Path(self.baseFilename))
        return super()._open()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Do nothing: the default would print values."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record without its values, and without the message if it comes from another library."""
        event = record.msg if isinstance(record.msg, dict) and record.name.startswith("bot.") else {}
        what = event.get("event") or f"at {record.module}:{record.lineno} {record.funcName}"
        error = event.get("exc_info") or (record.exc_info and record.exc_info[1]) or sys.exc_info()[1]
        at = datetime.fromtimestamp(record.created, UTC)
        line = f"{at:%Y-%m-%dT%H:%M:%SZ} {record.levelname.lower()} {record.name} {what}"
        return f"{line}: {kinds(error)}" if isinstance(error, BaseException) else line


def keep(url: str) -> None:
    """Start recording warnings of a bot on that database. Raises engine.Unreachable for a bad address."""
    # Before all others: some make records shorter.
    logging.getLogger().handlers.insert(0, WarningLog(path(url)))


def kept(url: str) -> list[str]:
    """Return the recorded warnings, oldest first, without damaged lines.

    Raises engine.Unreachable for a bad address; OSError if the file cannot be read.
    """
    newest = path(url)
    older = newest.with_name(f"{newest.name}.1")
    there = (each.read_bytes() for each in (older, newest) if each.exists())
    lines = chain.from_iterable(data.decode(errors="replace").splitlines() for data in there)
    return [line for line in lines if _LINE.fullmatch(line)]


def path(url: str) -> Path:
    """Return the file of recorded warnings: beside a SQLite file, else in the data folder.

    Raises engine.Unreachable for a bad address.
    """
    where = address(url)
    if is_file(where):
        return Path(str(where.database)).with_suffix(".warnings")
    return paths.folder() / "doomkeeper.warnings"


def causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, then its cause, then the cause of that, and so on."""
    each: BaseException | None = error
    while each is not None:
        yield each
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)


def kinds(error: BaseException) -> str:
    """Return an error's type, where it was raised, and the same for its causes, in one line."""
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


AWAY_EVERY = 60.0
"""Seconds between two lines that say that the database is away."""
_PLAIN = {"event", "level", "logger", "timestamp"}
"""What of a record stays in such a line."""
_LOG_LINE = (aiohttp.ClientError, discord.DiscordException)
_PASSING = (*_LOG_LINE, OSError, TimeoutError)
_OUR_LOGGERS = ("bot.", "discord.app_commands", "discord.client")
"""Who logs what our own code raises: discord.py does for suggestions and events."""


def set_up(level: str, shape: str) -> "QuietFilter":
    """Send all logs, including discord.py's, to standard error; return what keeps them quiet."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: list[structlog.typing.Processor] = (
        [structlog.processors.ExceptionRenderer(_trace), structlog.processors.JSONRenderer()]
        if shape == "json"
        else [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=_write_trace)]
    )
    structlog.configure(
        processors=[
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        # What is not logged ends there, where `filter_by_level` raises an error for it each time.
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level]),
        cache_logger_on_first_use=True,
    )
    handler = ErrorStream()
    quiet = QuietFilter()
    handler.addFilter(quiet)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(max(logging.INFO, logging.getLevelNamesMapping()[level]))
    logging.getLogger("bot").setLevel(level)
    for talkative in ("alembic", "discord.client"):
        logging.getLogger(talkative).setLevel(logging.WARNING)
    return quiet


class ErrorStream(logging.StreamHandler[TextIO]):
    """Writes to the current standard error, because a prompt replaces it by one that redraws the prompt."""

    @property
    def stream(self) -> TextIO:
        """The current standard error."""
        return sys.stderr

    @stream.setter
    def stream(self, value: TextIO) -> None:
        """The current standard error."""


class QuietFilter(logging.Filter):
    """What a broken line does is one line without a trace, and a database that is away one line a minute."""

    def __init__(self, clock: Clock = SYSTEM) -> None:
        super().__init__()
        self._clock = clock
        self._since: float | None = None
        """When the database went away, if a line has said so."""
        self._told = -AWAY_EVERY

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is to be written; it may be made shorter."""
        event = record.msg if isinstance(record.msg, dict) else None
        error = event.get("exc_info") if event else record.exc_info and record.exc_info[1]
        root = cause(error) if isinstance(error, BaseException) else None
        if isinstance(root, Replaced):  # the last line of the process says it
            return False
        # What our own code raises beside these is of the database; discord.py's OSErrors are of its line.
        is_ours = record.name.startswith(_OUR_LOGGERS) and not isinstance(root, _LOG_LINE)
        is_database = root is not None and is_ours and (is_away(root) or isinstance(root, Away))
        if root is None or not (is_database or isinstance(root, _PASSING)):
            return True
        told: dict[str, object] = {"reason": _kind(root), "level": "warning"}
        if is_database:
            now = self._clock.monotonic()
            if now - self._told < AWAY_EVERY:
                return False
            self._told, self._since = now, now if self._since is None else self._since
            told |= {"event": "database away", "seconds": round(now - self._since)}
        if event:
            if isinstance(root, Away):
                told["event"] = event["event"]
            # A database that is away is not about the one command that noticed it first.
            names = _PLAIN if is_database else event.keys() - {"exc_info"}
            record.msg = {name: event[name] for name in event if name in names} | told
        else:
            what = "database away" if is_database else record.getMessage()
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.msg, record.args, record.exc_info = f"{what}: {_kind(root)}", (), None
        return True

    def end_outage(self) -> None:
        """Log that the database is back, if a line has said that it is away."""
        if self._since is not None:
            seconds = round(self._clock.monotonic() - self._since)
            self._since = None
            log.warning("database back", seconds=seconds)


def _kind(error: BaseException) -> str:
    if isinstance(error, Away):
        return str(error)
    code = f" {error.status} {error.code}" if isinstance(error, discord.HTTPException) else ""
    return f"{type(error).__name__}{code}"


def _trace(exc_info: structlog.typing.ExcInfo) -> str:
    """Where an error and those before it came from, without their messages."""
    found = [
        "".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__
        for error in causes(exc_info[1])
    ]
    return "\n".join(["Traceback (most recent call last):", "\nwhich came of:\n".join(reversed(found))])


def _write_trace(out: TextIO, exc_info: structlog.typing.ExcInfo) -> None:
    out.write("\n" + _trace(exc_info))
