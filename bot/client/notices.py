"""The one route for what the bot says by itself: reminders, plans, deadlines, offers, recaps, late answers.

A notice goes to the channel that it belongs to, unless that is an archived thread, else to another channel of
its table, else by direct message to the GMs and the people it concerns. A job sends it, and is done once
Discord has taken it; until then, the job is tried again. Before it is, the notice is looked for: an earlier
try may have sent it before a crash.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import sha256

import discord
import structlog

from bot.client.layout import (
    fitting,
    layout,
    marker,
    shown_files,
    with_invitation,
    with_rest,
    with_shown_portrait,
    without_file,
)
from bot.client.messages import only
from bot.client.responder import PASSING
from bot.client.roll_messages import ShownRolls
from bot.language import speak_as
from bot.services.jobs import NotDone
from bot.store import codec
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from bot.store.messages import ShownRoll
from bot.views.card import Card, Tone
from bot.views.help import unheard_lines
from rules.table import Table
from rules.values import replace

log = structlog.get_logger(__name__)

LOOK = 50
"""So many messages of a channel are looked through for one that may be there already."""

ANYWHERE = ("openwhisper",)
"""What the buttons do that are for one person, wherever they stand."""


class Untold(NotDone):
    """Raised if no channel and nobody's direct messages took a notice."""


class Notices:
    """Sends the notices of all tables."""

    def __init__(self, client: discord.Client, ledger: Ledger, shown: ShownRolls) -> None:
        self._client = client
        self._ledger = ledger
        self._shown = shown

    async def send(
        self, job: Job, table: Table, card: Card, channel: int = 0, concerned: Iterable[int] = ()
    ) -> int:
        """Send the notice of a job, once for each time at which the job is due.

        Return the channel that has it, or 0 if people got it by direct message.

        It belongs to `channel`, or to where the table's last roll is shown, and pings whom the card calls. If
        no channel takes it, the GMs, those called and those concerned get it by direct message, unless they
        rest. A private card only goes to those it concerns.

        Raises Untold if nobody took it; NotDone if Discord is out of order.
        """
        speak_as(table.settings.words)
        card = _drawn(card, self._shown.faces.markup)
        channels = [] if card.private else await self._channels(job.campaign or 0, channel)
        people = [*concerned] if card.private else [*table.gms, *card.calls, *concerned]
        awake, told = await self._awake(job, people), set[int]()
        try:
            if job.is_begun_before:
                for place in channels:
                    if message := await self._find(place, job):
                        await self._note(job, card, place, message)
                        return place
                told = {who for who in awake if await self._find(await self._direct(who), job)}
            for place in () if told else channels:
                if not await self._is_archived(place) and (message := await self._post(place, job, card)):
                    await self._note(job, card, place, message)
                    return place
            for who in awake:
                alone = await self._direct(who) if who not in told else 0
                if await self._post(alone, job, _alone(job, table, card, who)):
                    told.add(who)
        except PASSING as error:
            raise NotDone(f"A notice is not sent yet: {error!r}") from error
        if not told:
            raise Untold("No channel and nobody's direct messages took a notice.")
        return 0

    async def _channels(self, campaign: int, first: int) -> list[int]:
        """The channels of a table: first the one that a notice belongs to."""
        shown = await self._ledger.shown.of(campaign)
        known = sorted(await self._ledger.past.channels(campaign))
        first = first or next((one.channel for one in reversed(shown)), 0)
        return list(dict.fromkeys([first, *known] if first else known))

    async def _awake(self, job: Job, people: Iterable[int]) -> list[int]:
        """Those of some people who may be told of something now."""
        now, rests = self._ledger.clock.now(), self._ledger.quiet_hours
        moments = {who: await rests.awake(who, job.campaign or 0, now) for who in people}
        return [who for who, at in moments.items() if at is not None and at <= now]

    async def _direct(self, person: int) -> int:
        """The channel of direct messages with a person; 0 if Discord opens none."""
        try:
            return (await self._client.create_dm(discord.Object(person))).id
        except PASSING:
            raise
        except discord.HTTPException as error:
            log.info("no direct messages", code=error.code, status=error.status)
            return 0

    async def _post(self, channel: int, job: Job, card: Card) -> int:
        """Post a card in a channel; return the message, or 0 if the channel does not take it."""
        if not channel:
            return 0
        where, number = self._client.get_partial_messageable(channel), _number(job)
        card = await with_invitation(card, job.campaign or 0, self._ledger.clock.now())

        async def send(card: Card) -> discord.Message:
            view = layout(card, job.campaign or 0, job=number)
            # For some minutes, Discord takes the same nonce for the same message.
            files, calls = shown_files(card), only(card.calls)
            return await where.send(view=view, files=files, nonce=str(number), allowed_mentions=calls)

        try:
            try:
                message = await send(card)
            except discord.HTTPException as error:
                message = await send(without_file(card, error))
        except PASSING:
            raise
        except discord.HTTPException as error:
            log.warning("notice refused", channel=channel, code=error.code, status=error.status)
            return 0
        return message.id

    async def _is_archived(self, channel: int) -> bool:
        """Return whether a channel is an archived thread, which a message would open."""
        place = self._client.get_channel(channel)  # which knows no archived threads
        if place is None:
            with suppress(discord.Forbidden, discord.NotFound):
                place = await self._client.fetch_channel(channel)
        return isinstance(place, discord.Thread) and place.archived

    async def _find(self, channel: int, job: Job) -> int:
        """The message that a job has posted in a channel; 0 if there is none, or it may not be read."""
        if not channel:
            return 0
        where, wanted = self._client.get_partial_messageable(channel), marker(_number(job))
        try:
            async for message in where.history(limit=LOOK):
                boxes = [part for part in message.components if isinstance(part, discord.Container)]
                if message.author == self._client.user and wanted in [box.id for box in boxes]:
                    return message.id
        except PASSING:
            raise
        except discord.HTTPException as error:  # then it is rather posted twice than never
            log.info("earlier notices not checked", channel=channel, code=error.code)
        return 0

    async def _note(self, job: Job, card: Card, channel: int, message: int) -> None:
        """Let a message in a channel follow the roll or plan that it shows."""
        campaign, roll = job.campaign or 0, card.roll
        if roll is not None:
            server = await self._ledger.past.server_of(campaign)
            one = ShownRoll(message, roll.number, server, channel, codec.sign(roll))
            await self._ledger.shown.learn(campaign, one)
            self._shown.later.touch(campaign)  # it may have changed since


def _drawn(card: Card, faces: Mapping[str, str]) -> Card:
    """Return the part of a card that fits into one message, with its dice as pictures."""
    card = with_shown_portrait(None, card if card.is_in_words else replace(card, faces=faces))
    first, *others = fitting(replace(card, tone=card.tone or Tone.CALM))
    return with_rest(first) if others and card.roll else first


def _alone(job: Job, table: Table, card: Card, person: int) -> Card:
    """Return a notice for one person: nobody but a GM can press the table's buttons from elsewhere."""
    lines = () if card.private or not job.campaign else unheard_lines(table, card.calls, person)
    rows = tuple(row for row in card.rows if all(button.verb in ANYWHERE for button in row))
    return replace(card, lines=(*card.lines, *lines), rows=rows, menus=(), more=(), calls=(), roll=None)


def _number(job: Job) -> int:
    """The number of a notice: the same in each try, and no other's."""
    about = f"{job.campaign} {job.key} {job.due.timestamp()}"
    return int.from_bytes(sha256(about.encode()).digest()[:7])  # a nonce has 25 characters
