"""The tables of the database. Every Discord id is a 64-bit number."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    false,
)

from bot.clock import UNKNOWN

METADATA = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)


_Read = Callable[[Any], Any]


class UtcMoment(TypeDecorator[datetime]):
    """A column of times in UTC, timezone-aware on every database; `UNKNOWN` for unreadable values."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> _Read | None:
        """Return the function that decodes stored values."""
        return _careful(super().result_processor(dialect, coltype), lambda _: UNKNOWN)

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert a time to UTC."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return a stored time as timezone-aware."""
        return None if value is None else value.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Garbled:
    """Placeholder for stored text that is no JSON."""

    text: str


class WrittenJson(TypeDecorator[Any]):
    """A column of JSON; decodes to `Garbled` if the stored text is no JSON."""

    impl = JSON(none_as_null=True)  # else None is kept as the text `null`, which is not NULL
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> _Read | None:
        """Return the function that decodes stored values."""
        return _careful(super().result_processor(dialect, coltype), lambda value: Garbled(str(value)))


def _careful(read: _Read | None, otherwise: _Read) -> _Read | None:
    """The same, which raises nothing: one value that cannot be read does not hide all other rows."""
    if read is None:
        return None

    def careful(value: Any) -> Any:
        try:
            return read(value)
        except (ValueError, TypeError, AttributeError):
            return otherwise(value)

    return careful


campaign = Table(
    "campaign",
    METADATA,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("guild_id", BigInteger, nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("archived", Boolean, nullable=False, server_default=false()),
    Column("created_at", UtcMoment, nullable=False),
    Column("deleted_at", UtcMoment),
    Column("deleted_by", BigInteger),
    Column("rolls_only", Boolean, nullable=False, server_default=false()),
)
"""One row for each table, also for one that is deleted and can still be brought back.

Where people have rolled dice and done nothing else, it is `rolls_only`, and no campaign.
"""


def _campaign_id(**more: Any) -> Column[int]:
    return Column("campaign_id", ForeignKey("campaign.id", ondelete="CASCADE"), nullable=False, **more)


channel = Table(
    "channel",
    METADATA,
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    _campaign_id(index=True),
)

entry = Table(
    "entry",
    METADATA,
    _campaign_id(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("actor_id", BigInteger, nullable=False),
    Column("actor_name", Text, nullable=False),
    Column("at", UtcMoment, nullable=False),
    Column("facts", Text, nullable=False, server_default=""),
    Column("position", Integer, nullable=False),
    Column("parent", Integer, nullable=False),
    Column("tip", Integer, nullable=False),
    Column("undoes", Integer, nullable=False),
    Column("redoes", Integer, nullable=False),
    Column("interaction_id", BigInteger, unique=True),  # what is delivered twice is kept once
    Column("base", Integer, nullable=False),
    Column("state", LargeBinary),
    Column("moves", WrittenJson),
    Column("secret", Boolean, nullable=False, server_default=false()),
)
"""One row for each step of each table; `history.Entry` says what its columns mean."""

pin = Table(
    "pin",
    METADATA,
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    Column("message_id", BigInteger, nullable=False),
    Column("parent_id", BigInteger, nullable=False),
    Column("state", Text, nullable=False, server_default="pinned"),
)
"""The messages that show tables; `history.Pin` says what its columns mean."""

person = Table(
    "person",
    METADATA,
    _campaign_id(primary_key=True),
    Column("player_id", BigInteger, primary_key=True, autoincrement=False, index=True),
    Column("is_gm", Boolean, nullable=False),
)
"""Whom a campaign knows, by a step or in a state, and who is its GM now; filled with every entry."""

build = Table(
    "build",
    METADATA,
    _campaign_id(primary_key=True),
    Column("player_id", BigInteger, primary_key=True, autoincrement=False),
    Column("state", Text, nullable=False),
)
"""The pool that somebody builds and has not rolled, which is nobody else's to see."""

THREAD = "thread:"
"""How the key of a note begins that says which thread a campaign's scene has; the campaign follows."""
note = Table("note", METADATA, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

job = Table(
    "job",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("due", UtcMoment, nullable=False, index=True),
    Column("campaign_id", ForeignKey("campaign.id", ondelete="CASCADE"), index=True),
    Column("payload", WrittenJson, nullable=False),
    Column("claimed_until", UtcMoment),
    Column("tries", Integer, nullable=False, server_default="0"),
)
"""What is due at a time; whoever does it claims it for a while, and claims it anew as long as it takes."""

BEHIND = -1
"""The sign of a message that could not be edited yet; no roll has it."""
shown = Table(
    "shown",
    METADATA,
    Column("message_id", BigInteger, primary_key=True, autoincrement=False),
    _campaign_id(index=True),
    Column("roll", Integer, nullable=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("sign", BigInteger, nullable=False),
    Column("at", UtcMoment, nullable=False, index=True),
)
"""The messages that show rolls; `messages.ShownRoll` says what its columns mean."""

step_log = Table(
    "step_log",
    METADATA,
    _campaign_id(primary_key=True),
    Column("place_id", BigInteger, nullable=False),
    Column("parent_id", BigInteger, nullable=False),
    Column("told", Integer, nullable=False),
)
"""Where each step of a campaign is told as well; `messages.StepLog` says what its columns mean.

No column is called `channel_id`, since rows with one go silently when their channel is gone: the GM is told.
"""

step_line = Table(
    "step_line",
    METADATA,
    _campaign_id(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("message_id", BigInteger, nullable=False),
    Column("answer_place_id", BigInteger, nullable=False),
    Column("answer_id", BigInteger, nullable=False),
    Column("sign", BigInteger, nullable=False),
)
"""The last lines that were told there; `messages.StepLine` says what its columns mean."""

waiting = Table(
    "waiting",
    METADATA,
    Column("kind", Text, primary_key=True),
    Column("interaction_id", BigInteger, primary_key=True, autoincrement=False),
    Column("person_id", BigInteger, nullable=False, index=True),
    Column("body", Text, nullable=False),
    Column("at", UtcMoment, nullable=False, index=True),
)
"""What somebody typed, and has yet to press something for; kept for a day."""

whisper = Table(
    "whisper",
    METADATA,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("sender_id", BigInteger, nullable=False, index=True),
    Column("sender_name", Text, nullable=False),
    Column("reader_id", BigInteger, nullable=False, index=True),
    Column("reader_name", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("at", UtcMoment, nullable=False, index=True),
)
"""What people whispered to each other; `history.Whisper` says what its columns mean."""

spoken = Table(
    "spoken",
    METADATA,
    Column("message_id", BigInteger, primary_key=True, autoincrement=False),
    _campaign_id(index=True),
    Column("player_id", BigInteger, nullable=False, index=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("webhook_id", BigInteger, nullable=False),
    Column("at", UtcMoment, nullable=False, index=True),
)
"""The messages that people said as characters; `messages.Spoken` says what its columns mean."""

portrait = Table(
    "portrait",
    METADATA,
    _campaign_id(primary_key=True),
    Column("digest", Text, primary_key=True),
    Column("player_id", BigInteger, nullable=False, index=True),
    Column("data", LargeBinary, nullable=False),
    Column("at", UtcMoment, nullable=False),
)
"""The portraits of characters, made small, and who brought them."""
