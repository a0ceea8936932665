"""The pinned table of each channel."""

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

import discord
import structlog

from bot.client.access import CUT
from bot.client.debounce import Debouncer
from bot.client.layout import NOBODY, layout, page_lines
from bot.client.responder import OFTEN, PASSING, edit, once_more
from bot.client.roll_messages import ShownRolls
from bot.language import say
from bot.language.line import Text
from bot.services.jobs import DAY, Kind, NotDone
from bot.services.play import Play, Request
from bot.store.history import Pin, PinState
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from bot.views.card import Card, Tone
from bot.views.help import right_name
from bot.views.question import below_table
from bot.views.table import all_button, table_lines
from rules.campaign.schedule import told_at
from rules.campaign.seats import require_gm
from rules.errors import NotAllowed
from rules.table import Dice, Table
from rules.text import Row, Words
from rules.visibility import seen_by_all

log = structlog.get_logger(__name__)

PAUSE = 2.0
"""Seconds between a change and the edit, so that many changes make one edit."""
MOST_REMEMBERED = 500
"""What so many pinned messages show is remembered, to emphasize what changes; others show it without."""
NO_CHANNEL, NO_MESSAGE = 10003, 10008
"""Discord's codes for a channel and a message that are gone."""
TOO_MANY = 30003
"""Discord's code for a channel with as many pins as it can have."""
RIGHTS = ("view_channel", "send_messages", "read_message_history", "pin_messages")
"""What is needed to pin a table."""
REMOVE = "unpin"
"""The kind of job that deletes a table that is pinned no more."""
SOON = timedelta(minutes=10)
"""The shortest time until a table that the bot may not delete is tried again."""
LONGEST_TRIED = timedelta(days=365)
"""How long a table that the bot may not delete is tried again: it may have left the server."""


class PinnedTables:
    """Keeps the pinned tables of all campaigns up to date, outside of commands."""

    def __init__(
        self, client: discord.Client, play: Play, ledger: Ledger, shown: ShownRolls, pause: float = PAUSE
    ) -> None:
        self._client = client
        self._play = play
        self._ledger = ledger
        self._shown = shown
        self._watch = ledger.watch
        self.later = Debouncer(self._refresh, pause, ledger.clock)
        self._last: dict[int, Table] = {}
        self._pinning: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def pin(self, asked: Request) -> Text:
        """Pin the table in this channel, replacing the pinned one.

        Raises NotAllowed if that is impossible.
        """
        channel = asked.place.channel
        campaign = await self._play.campaign(asked)
        if not campaign:
            raise NotAllowed("There's no table in this channel yet. Example: /campaign new name:Skyfall")
        # Two who pin at the same moment would leave one message behind that nothing follows.
        async with self._pinning[channel]:
            old = await self._ledger.pins.at(channel)
            message = await self._first(channel, campaign, old)
            # The new one before the old one goes: what is there is always known.
            await self._ledger.pins.keep(channel, message, asked.place.parent)
            if old is not None:
                await self._remove_soon(channel, old.message)
        await self.hasten_removals(channel)
        return say("The table is pinned in this channel and updates with every change.")

    async def unpin(self, asked: Request) -> Text:
        """Remove the pinned table of this channel.

        Raises NotAllowed for non-GMs, if there is none, or if Discord doesn't let the bot remove it.
        """
        channel = asked.place.channel
        require_gm(await self._play.look(asked), asked.actor, Words("unpin the table"))
        async with self._pinning[channel]:
            old = await self._ledger.pins.at(channel)
            if old is None:
                raise NotAllowed("No table is pinned in this channel. Example: /table pin")
            try:
                await self._remove(channel, old.message)
            except discord.Forbidden as error:
                raise NotAllowed(
                    "The bot can't remove the table from this channel: it needs {right}.",
                    right=right_name(RIGHTS[0]),
                ) from error
            except (discord.DiscordException, *CUT) as error:
                raise NotAllowed("Discord didn't remove the table. Try again.") from error
            await self._ledger.pins.keep(channel, None)
        return say("The table is no longer pinned in this channel.")

    async def check_pin(self, channel: int) -> None:
        """Note whether the table of a channel is still pinned, once something was pinned or unpinned."""
        if await self._ledger.pins.at(channel) is None:
            return
        async with self._pinning[channel]:
            pin = await self._ledger.pins.at(channel)
            if pin is None:
                return
            try:
                message = await self._channel(channel).fetch_message(pin.message)
                await self._settle_pin(pin, is_pinned=message.pinned)
            except (discord.DiscordException, *CUT) as error:
                log.info("pin not checked", channel=channel, reason=repr(error))

    async def forget(self, campaign: int, channel: int = 0) -> None:
        """Stop tracking a campaign's pinned tables, or those in a channel that it has left; delete them."""
        pins = self._ledger.pins
        for pin in await (pins.find_left(channel) if channel else pins.of(campaign)):
            await self._remove_soon(pin.channel, pin.message)
            await pins.keep(pin.channel, None)

    def kinds(self) -> Mapping[str, Kind]:
        """Return the handlers of these jobs by kind."""
        return {REMOVE: self._retry_removal}

    async def hasten_removals(self, channel: int) -> None:
        """Try at once to delete the tables in a channel that the bot was not allowed to delete before."""
        for job in await self._ledger.jobs.of_kind(REMOVE):
            if job.payload["channel"] == channel:
                await self._ledger.jobs.hasten(job.key, self._ledger.clock.now())

    async def _remove_soon(self, channel: int, message: int) -> None:
        """Have a message deleted that shows a table no more, as soon as Discord lets the bot."""
        now = self._ledger.clock.now()
        payload = {"channel": channel, "message": message, "until": (now + LONGEST_TRIED).timestamp()}
        await self._ledger.jobs.put(Job(f"{REMOVE}:{message}", REMOVE, now, payload=payload))

    async def _retry_removal(self, job: Job) -> datetime | None:
        """Delete a message; return when to try again if the bot may not, at last once a day."""
        channel, until = job.payload["channel"], datetime.fromtimestamp(job.payload["until"], UTC)
        try:
            await self._remove(channel, job.payload["message"])
        except PASSING as error:
            raise NotDone(f"A pinned table is not removed yet: {error!r}") from error
        except discord.HTTPException as error:
            log.warning("pinned table not removed", channel=channel, code=error.code)
            now = self._ledger.clock.now()
            waited = now - (until - LONGEST_TRIED)
            return now + min(max(waited, SOON), DAY) if now < until else None
        return None

    async def _refresh(self, campaign: int) -> bool:
        is_done = True
        for known in await self._ledger.pins.of(campaign):
            async with self._pinning[known.channel]:
                # Read the pin again: while this waited for its turn, another message may have been pinned.
                for pin in await self._ledger.pins.of(campaign):
                    if pin.channel == known.channel:
                        is_done &= await self._try_edit(pin, campaign)
        return is_done

    async def _try_edit(self, pin: Pin, campaign: int) -> bool:
        """Bring a pinned table up to date as far as Discord lets the bot; False if a retry is worthwhile.

        What cannot be edited now, as in an archived thread, stays as it is until the next change.
        """
        is_refreshed = False
        try:
            await self._edit(pin, campaign)
            is_refreshed = True
        except PASSING as error:
            log.warning("pinned table not updated yet", channel=pin.channel, reason=repr(error))
            return False
        except discord.DiscordException as error:
            log.warning("pinned table not updated", channel=pin.channel, reason=str(error))
        finally:
            self._watch.pinned(is_refreshed=is_refreshed)
        return True

    async def _edit(self, pin: Pin, campaign: int) -> None:
        """Edit the pinned message, or replace it if it is deleted or too old to be edited."""
        card, table = await self._card(pin.message, campaign)
        try:
            edited = await edit(self._client, pin.channel, pin.message, layout(card, campaign))
        except discord.HTTPException as error:
            if error.code == NO_CHANNEL:
                await self._ledger.pins.keep(pin.channel, None)
            elif error.code in (NO_MESSAGE, OFTEN):
                await self._replace_message(pin, campaign, is_deleted=error.code == NO_MESSAGE)
            else:
                raise
        else:
            self._remember(pin.message, table)
            if not edited["pinned"] or pin.state is not PinState.PINNED:
                await self._settle_pin(pin, is_pinned=edited["pinned"])

    async def _replace_message(self, pin: Pin, campaign: int, *, is_deleted: bool) -> None:
        """Post another message for a pinned table, and pin it unless somebody had unpinned the old one."""
        place = await self._client.fetch_channel(pin.channel)
        if isinstance(place, discord.Thread) and place.archived:
            return  # a message would open the thread
        is_removed = pin.state is PinState.REMOVED
        if not is_deleted and pin.state is PinState.PINNED:
            is_removed = not (await self._channel(pin.channel).fetch_message(pin.message)).pinned
        # The nonce is the same each time, in case the process dies before it has noted the new message.
        fresh = await self._post(pin.channel, campaign, nonce=pin.message)
        new = Pin(pin.channel, fresh.id, PinState.REMOVED if is_removed else PinState.OWED)
        if not await self._ledger.pins.replace(pin, new):  # the table was deleted, or unpinned, meanwhile
            await self._remove_soon(pin.channel, fresh.id)
            return
        if not is_deleted:
            await self._remove_soon(pin.channel, pin.message)
        await self._settle_pin(new, is_pinned=False)

    async def _settle_pin(self, pin: Pin, *, is_pinned: bool) -> None:
        """Pin a message that is still to be pinned, and note whether it is pinned now."""
        state = PinState.PINNED if is_pinned else PinState.REMOVED
        if not is_pinned and pin.state is PinState.OWED:
            try:
                await once_more(self._channel(pin.channel).get_partial_message(pin.message).pin)
            except discord.HTTPException as error:
                if isinstance(error, PASSING):
                    raise
                log.warning("table not pinned", channel=pin.channel, reason=str(error))
                return
            state = PinState.PINNED
        if state is not pin.state:
            await self._ledger.pins.replace(pin, Pin(pin.channel, pin.message, state))

    async def _first(self, channel: int, campaign: int, old: Pin | None) -> int:
        """Post and pin the table where somebody asked for it. Raises NotAllowed with what is missing."""
        try:
            message = await self._post(channel, campaign, secrets.randbits(64))
            try:
                await self._pin_message(message, old)
            except (discord.HTTPException, *CUT):
                # A table that cannot be pinned is not left lying there.
                await once_more(message.delete)
                raise
            return message.id
        except PASSING as error:
            raise NotAllowed("Discord didn't accept the table. Try again. Example: /table pin") from error
        except discord.Forbidden as error:
            raise NotAllowed(
                "The bot can't post or pin in this channel: it needs {rights}.",
                rights=Row([right_name(right) for right in RIGHTS]),
            ) from error
        except discord.HTTPException as error:
            if error.code != TOO_MANY:
                raise
            raise NotAllowed(
                "This channel has as many pins as Discord allows. Unpin a message, then try again. "
                "Example: /table pin"
            ) from error

    async def _pin_message(self, message: discord.Message, old: Pin | None) -> None:
        """Pin a message, in the place of the old table if there is no other. Raises what pinning raises."""
        try:
            await once_more(message.pin)
        except discord.HTTPException as error:
            if error.code != TOO_MANY or old is None:
                raise
            with suppress(discord.NotFound):
                await once_more(self._channel(old.channel).get_partial_message(old.message).unpin)
            await once_more(message.pin)

    async def _post(self, channel: int, campaign: int, nonce: int) -> discord.Message:
        """Post the table. The nonce tells Discord which posts are the same one, sent again."""
        card, table = await self._card(0, campaign)
        view = layout(card, campaign)
        only = {"allowed_mentions": NOBODY, "silent": True, "nonce": nonce}
        message = await once_more(partial(self._channel(channel).send, view=view, **only))
        self._remember(message.id, table)
        return message

    async def _remove(self, channel: int, message: int) -> None:
        """Delete an old pinned table; it may be gone already."""
        self._last.pop(message, None)
        with suppress(discord.NotFound):
            await self._channel(channel).get_partial_message(message).delete()

    def _remember(self, message: int, table: Table) -> None:
        """Remember what a pinned message shows, the newest MOST_REMEMBERED of them."""
        self._last.pop(message, None)
        self._last[message] = table
        if len(self._last) > MOST_REMEMBERED:
            del self._last[next(iter(self._last))]

    async def _card(self, message: int, campaign: int) -> tuple[Card, Table]:
        """The card for a message, with changes since its last edit in bold, and the table; 0 if it is new."""
        entry = await self._ledger.newest(campaign)
        table = told_at(seen_by_all(entry.table), self._ledger.clock.now()) if entry else Table()
        lines = table_lines(table, self._last.get(message)) if entry else [say("This table is gone.")]
        first, *others = page_lines(lines)
        more = (say("To see the rest: /table show"),) if others else ()
        whole = (all_button(),) if others else ()
        faces = {} if table.settings.dice is Dice.WORDS else self._shown.faces.markup
        rows = ((*below_table(table), *whole),)
        return Card((*first, *more), rows, tone=Tone.CALM, faces=faces), table

    def _channel(self, channel: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel)
