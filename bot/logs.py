"""Logging: one line for each event, for people or as JSON; never a token, never what people typed.

What people typed is in the messages of errors, and in what other libraries log for debugging. So a trace says
where something went wrong and of which kind it is, and other libraries log no more than INFO.
"""

import logging
import sys
import traceback
from typing import TextIO

import aiohttp
import discord
import structlog

from bot.clock import SYSTEM, Clock
from bot.explain import cause
from bot.lately import causes
from bot.store.engine import is_away

AWAY_EVERY = 60.0
"""Seconds between two lines that say that the database is away."""
_LINE = (aiohttp.ClientError, discord.DiscordException)
_PASSING = (*_LINE, OSError, TimeoutError)
_OURS = ("bot.", "discord.app_commands")
"""Who logs what our own code raises: discord.py does for suggestions."""


def set_up(level: str, shape: str) -> None:
    """Send everything that is logged, discord.py's lines too, to the error stream."""
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
    handler.addFilter(Calm())
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


class ErrorStream(logging.StreamHandler[TextIO]):
    """Writes to the error stream as it is now: a prompt puts its own in place, which draws itself anew."""

    @property
    def stream(self) -> TextIO:
        """The error stream."""
        return sys.stderr

    @stream.setter
    def stream(self, value: TextIO) -> None:
        """The handler's base class sets what this one looks up."""


class Calm(logging.Filter):
    """What a broken line does is one line without a trace, and a database that is away one line a minute."""

    def __init__(self, clock: Clock = SYSTEM) -> None:
        super().__init__()
        self._clock = clock
        self._told = -AWAY_EVERY

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is to be written; it may be made shorter."""
        event = record.msg if isinstance(record.msg, dict) else None
        error = event.get("exc_info") if event else record.exc_info and record.exc_info[1]
        root = cause(error) if isinstance(error, BaseException) else None
        # What our own code raises beside these is of the database; discord.py's OSErrors are of its line.
        is_ours = record.name.startswith(_OURS) and not isinstance(root, _LINE)
        is_database = root is not None and is_ours and is_away(root)
        if root is None or not (is_database or isinstance(root, _PASSING)):
            return True
        if is_database:
            if self._clock.monotonic() - self._told < AWAY_EVERY:
                return False
            self._told = self._clock.monotonic()
        if event:
            del event["exc_info"]
            event |= {"reason": _kind(root), "level": "warning"}
        else:
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.msg, record.args, record.exc_info = f"{record.getMessage()}: {_kind(root)}", (), None
        return True


def _kind(error: BaseException) -> str:
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
