"""Send unforeseen errors to Sentry, without personal data. Needs the extra `sentry`.

Error messages contain typed text, so none is sent; nor are variables, names or ids. A report has the error's
type, where it was raised, the command, and the reference number that the person was shown.
"""

import logging
from collections.abc import Mapping
from typing import Any

import sentry_sdk
from sentry_sdk.types import Event, Hint

from bot import VERSION

KEPT = frozenset(("event_id", "exception", "level", "platform", "release", "sdk", "tags", "timestamp"))
"""The parts of a report that go out."""
TOLD = ("command", "reference")
"""What of a record goes out beside the error."""
FLUSH = 2.0
"""Seconds that reports have to go out when the bot stops."""


class Reporting(logging.Handler):
    """Reports errors from log records."""

    def emit(self, record: logging.LogRecord) -> None:
        """Report one record; never raises into the code that logs."""
        event: Mapping[str, Any] = record.msg if isinstance(record.msg, dict) else {}
        error = event.get("exc_info") or (record.exc_info and record.exc_info[1])
        if not isinstance(error, BaseException):
            return
        with sentry_sdk.new_scope() as scope:
            for name in TOLD:
                if name in event:
                    scope.set_tag(name, str(event[name]))
            scope.capture_exception(error)


def set_up(dsn: str) -> None:
    """Start reporting errors to that address. Raises ValueError if it is not a valid one."""
    try:
        sentry_sdk.init(
            dsn=dsn,
            release=f"doomkeeper@{VERSION}",
            # They hook themselves into logging and libraries, and send on what they see there.
            default_integrations=False,
            auto_enabling_integrations=False,
            send_default_pii=False,
            include_local_variables=False,
            max_breadcrumbs=0,  # these are lines of the log
            server_name="",
            before_send=without_words,
        )
    except sentry_sdk.utils.BadDsn as error:
        raise ValueError("it is not a Sentry DSN") from error
    logging.getLogger().addHandler(Reporting(logging.ERROR))


def stop() -> None:
    """Send pending reports."""
    sentry_sdk.flush(FLUSH)


def without_words(event: Event, _: Hint) -> Event | None:
    """Return a report without anything that somebody typed."""
    for part in [part for part in event if part not in KEPT]:
        del event[part]  # type: ignore[misc]
    for each in event.get("exception", {}).get("values", ()):
        each["value"] = ""
    return event
