"""What the bot says by itself, to people by name: reminders."""

from hashlib import sha256
from typing import Any

import discord
import structlog

from bot.asks.question import Pressed
from bot.clock import clock_of
from bot.render.card import Card
from bot.store.jobs import Job
from bot.ui.invitations import with_invitation, without_file
from bot.ui.layout import layout, shown_files
from bot.ui.line import PASSING
from bot.ui.message import parts
from bot.use.jobs import NotDone

log = structlog.get_logger(__name__)

LOOK = 50
"""So many messages of a channel are looked through for one that may be there already."""


async def post(client: discord.Client, channel: int, card: Card, job: Job, about: str) -> int:
    """Post a card for a job, which calls whom it names; its id, or 0 where the bot cannot write there.

    What it is `about` is posted once. Discord sees to that for some minutes; after that, one that was posted
    before a kill is found by its buttons. Raises NotDone where it is worth another try.
    """
    people = [discord.Object(player) for player in card.calls]
    only = discord.AllowedMentions(everyone=False, roles=False, users=people)
    where, campaign = client.get_partial_messageable(channel), job.campaign or 0
    number = _number(campaign, about)
    try:
        if job.is_begun_before and (there := await _found(client, where, number)):
            return there
        card = await with_invitation(card, campaign, clock_of(client).now())
        try:
            message = await where.send(**_held(card, campaign, number), allowed_mentions=only)
        except discord.HTTPException as error:
            bare = without_file(card, error)
            message = await where.send(**_held(bare, campaign, number), allowed_mentions=only)
    except PASSING as error:
        raise NotDone(f"People are not reminded yet: {error!r}") from error
    except discord.HTTPException as error:
        log.warning("people not reminded", channel=channel, code=error.code, status=error.status)
        return 0
    return message.id


def _held(card: Card, campaign: int, number: int) -> dict[str, Any]:
    """What is posted for a job."""
    view = layout(card, campaign, job=number)
    return {"view": view, "files": shown_files(card), "nonce": str(number)}


async def alone_with(client: discord.Client, person: int) -> int:
    """The channel of the direct messages with somebody; 0 where they take none. Raises NotDone."""
    try:
        return (await client.create_dm(discord.Object(person))).id
    except PASSING as error:
        raise NotDone(f"The GM is not told yet: {error!r}") from error
    except discord.HTTPException as error:
        log.info("no direct messages", code=error.code, status=error.status)
        return 0


async def _found(client: discord.Client, where: discord.PartialMessageable, number: int) -> int:
    """The message that a job with that number has posted; 0 where there is none, or it may not be read."""
    try:
        async for message in where.history(limit=LOOK):
            if message.author == client.user and number in _numbers(message):
                return message.id
    except PASSING:
        raise
    except discord.HTTPException as error:  # then it is rather posted twice than never
        log.info("earlier reminders not checked", channel=where.id, code=error.code)
    return 0


def _numbers(message: discord.Message) -> set[int]:
    """The numbers of the jobs that a message is of, by its buttons."""
    buttons = [part for part in parts(message) if isinstance(part, discord.Button)]
    pressed = [Pressed.read(each.custom_id or "") for each in buttons]
    return {each.job for each in pressed if each is not None}


def _number(campaign: int, about: str) -> int:
    """The number of what is posted: the same each time, and nothing else's."""
    return int.from_bytes(sha256(f"{campaign} {about}".encode()).digest()[:7])  # a nonce has 25 characters
