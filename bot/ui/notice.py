"""What the bot says by itself, to people by name: reminders."""

from hashlib import sha256

import discord
import structlog

from bot.render.card import Card
from bot.ui.layout import layout
from bot.ui.line import PASSING
from bot.use.jobs import NotDone

log = structlog.get_logger(__name__)


async def post(client: discord.Client, channel: int, card: Card, campaign: int, about: str) -> int:
    """Post a card, which calls whom it names; its id, or 0 where the bot cannot write there.

    What it is `about` is posted once, also where it is sent again a moment later. Raises NotDone where it is
    worth another try.
    """
    people = [discord.Object(player) for player in card.calls]
    only = discord.AllowedMentions(everyone=False, roles=False, users=people)
    where = client.get_partial_messageable(channel)
    nonce = sha256(f"{campaign} {about}".encode()).hexdigest()[:24]
    try:
        message = await where.send(view=layout(card, campaign), allowed_mentions=only, nonce=nonce)
    except PASSING as error:
        raise NotDone(f"People are not reminded yet: {error!r}") from error
    except discord.HTTPException as error:
        log.warning("people not reminded", channel=channel, code=error.code, status=error.status)
        return 0
    return message.id
