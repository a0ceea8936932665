"""The file for calendars that stands in a plan's message, written anew each time the message is."""

from datetime import datetime

import discord
import structlog

from bot.render.card import Card
from bot.render.invitation import calendar_file
from bot.side_lane import aside
from rules.values import replace

log = structlog.get_logger(__name__)

REFUSED = (400, 403)
"""What Discord answers where the bot may attach no files there, or where it does not find one that is edited
in (issue 7529 of discord-api-docs): the message is then shown without it."""


async def with_invitation(card: Card, campaign: int, now: datetime) -> Card:
    """A card with the file for calendars, written now, where it is of a session that is planned."""
    if card.invitation is None or not card.invitation.at:
        return card
    return replace(card, shown=await aside(0, calendar_file, card.invitation, campaign, now))


def without_file(card: Card, error: discord.HTTPException) -> Card:
    """The card without its file, where that may be why Discord refuses it, else the error is raised."""
    if card.shown is None or error.status not in REFUSED:
        raise error
    log.info("shown without its file", code=error.code, status=error.status)
    return replace(card, shown=None)
