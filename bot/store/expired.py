"""What has had its time and goes: each is one statement, by the moment that it is asked."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, select

from bot.store import schema, shown, spoken, waiting, whispers

DAYS_KEPT = 14
"""So many days a deleted campaign can be brought back."""
DAYS_ROLLED = 30
"""So many days after the last roll a place goes where people have only rolled dice."""


def _deleted_long_ago(now: datetime) -> Any:
    """Campaigns that were deleted and can be brought back no more, with their whole history."""
    return delete(schema.campaign).where(schema.campaign.c.deleted_at < now - timedelta(days=DAYS_KEPT))


def _waited_too_long(now: datetime) -> Any:
    """What people typed and have not pressed anything for."""
    return delete(schema.waiting).where(schema.waiting.c.at < now - waiting.KEPT)


def _shown_long_ago(now: datetime) -> Any:
    """Which messages showed rolls."""
    return delete(schema.shown).where(schema.shown.c.at < now - shown.KEPT)


def _whispered_long_ago(now: datetime) -> Any:
    """What people said to each other."""
    return delete(schema.whisper).where(schema.whisper.c.at < now - whispers.KEPT)


def _spoken_long_ago(now: datetime) -> Any:
    """Which messages people said as characters."""
    return delete(schema.spoken).where(schema.spoken.c.at < now - spoken.KEPT)


EXPIRED: tuple[Callable[[datetime], Any], ...] = (
    _deleted_long_ago,
    _waited_too_long,
    _shown_long_ago,
    _whispered_long_ago,
    _spoken_long_ago,
)
"""What is pruned every day and by `maintain`. Whatever is kept for a time adds its own here."""


def idle_since(moment: datetime) -> Any:
    """The campaigns in which nothing has happened since then, but for those that are deleted already."""
    idle = (schema.campaign.c.deleted_at.is_(None), ~schema.campaign.c.rolls_only)
    return select(schema.campaign.c.id).where(*idle, _last() < moment)


def rolled_until(moment: datetime) -> Any:
    """The places where people have only rolled dice, and nothing has happened since then."""
    return select(schema.campaign.c.id).where(schema.campaign.c.rolls_only, _last() < moment)


def _last() -> Any:
    """When anything last happened in a campaign."""
    last = select(schema.entry.c.at).where(schema.entry.c.campaign_id == schema.campaign.c.id)
    return last.order_by(schema.entry.c.number.desc()).limit(1).scalar_subquery()
