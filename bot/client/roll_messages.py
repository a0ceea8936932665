"""The messages that show rolls, kept up to date.

A roll changes through its own buttons, but also through a doom die, a reroll, an undo or the end of its
scene; then the process that changed it edits its messages a moment later. The database stores which messages.
"""

from collections.abc import Mapping, Set
from typing import Any, cast

import discord
import structlog
from discord import Interaction

from bot.client.access import owner
from bot.client.debounce import Debouncer
from bot.client.layout import edited, with_invitation, with_shown_portrait, without_buttons, without_file
from bot.client.registry import DieEmojis
from bot.client.responder import OFTEN, PASSING, WAITING, edit
from bot.language import say
from bot.services.responses import CLOSED, closed_card, roll_card
from bot.store import codec
from bot.store.history import Entry
from bot.store.ledger import Ledger
from bot.store.messages import ShownRoll
from bot.views.card import Card
from bot.views.game import SHOWN
from bot.views.question import Pressed
from rules.campaign.rolls import rolls_on
from rules.campaign.schedule import asked_at
from rules.facts import Undone
from rules.game import played
from rules.names import Plan
from rules.table import Rolled, Table
from rules.values import replace

log = structlog.get_logger(__name__)

STALE = 1
"""The checksum of a message that does not show its roll as it is."""
Told = Rolled | Plan
"""What messages show, and follow as it changes."""


class ShownRolls:
    """The messages that show rolls, by campaign and roll."""

    def __init__(self, client: discord.Client, ledger: Ledger, faces: DieEmojis, pause: float) -> None:
        self._client = client
        self.faces = faces
        self._ledger = ledger
        self.later = Debouncer(self._refresh, pause, ledger.clock)
        # How closed rolls looked last, by campaign and number: kept until their messages show it, since to
        # find it again the whole table would have to be walked back.
        self._looks: dict[int, dict[int, Card | None]] = {}

    async def learn(self, interaction: Interaction[Any], campaign: int, card: Card, message: int) -> None:
        """Record that a message shows the roll of a card, if it has one.

        Has no effect where the bot is not on the server, because it cannot edit messages there.
        """
        roll = card.roll
        if roll is None or owner(interaction):
            return
        sign = codec.sign(roll) if card.opposed is None else _sign(roll, card.opposed)
        one = ShownRoll(message, roll.number, interaction.guild_id or 0, interaction.channel_id or 0, sign)
        try:
            await self._ledger.shown.learn(campaign, one)
        except Exception as error:  # the roll was made and told; its message alone does not follow it
            log.warning("roll message not saved", channel=one.channel, exc_info=error)
        self.later.touch(campaign)  # what happened before this message was known has not reached it yet

    async def close_message(self, interaction: Interaction[Any], press: Pressed, message: int) -> None:
        """Take the buttons of a pressed message soon, whose roll is closed, even if it was not known."""
        one = ShownRoll(message, press.number, interaction.guild_id or 0, interaction.channel_id or 0, STALE)
        await self._ledger.shown.learn(press.campaign, one)
        self.later.touch(press.campaign)

    async def of(self, campaign: int) -> Mapping[int, str]:
        """Return the links to a campaign's rolls, by roll number."""
        return {one.roll: _link(one) for one in await self._ledger.shown.of(campaign)}

    async def _refresh(self, campaign: int) -> bool:
        """Edit the messages whose roll is no longer as they show it; whether all of them could be."""
        # Looked up before the table is read: what is shown meanwhile may be newer than the table.
        known = await self._ledger.shown.of(campaign)
        entry = await self._ledger.newest(campaign) if known else None
        if entry is None:
            return True
        entry = replace(entry, table=await self._ledger.quiet_hours.told(entry.table))
        if entry.table.plan is not None:
            entry = replace(entry, table=asked_at(entry.table, self._ledger.clock.now()))
        is_done, gone, there = True, [], _there(entry.table)
        closed_channels: set[int] = set()
        for one in known:
            now = there.get(one.roll)
            if now is None:
                gone.append(one)
                continue
            opposed = SHOWN.opposed.get(type(now))
            sign = _sign(now, opposed(entry.table, now)) if opposed else codec.sign(now)
            if sign != one.sign:
                # Those after one that failed are followed, too.
                is_done &= await self._show(entry, one, roll_card(entry.table, now), sign, closed_channels)
        return await self._close(entry, gone, closed_channels) and is_done

    async def _close(self, entry: Entry, gone: list[ShownRoll], closed_channels: set[int]) -> bool:
        """Take the buttons of messages whose roll is no longer on the table; False if a retry is worthwhile.

        Whatever changes meanwhile goes first: at the end of a scene there may be many, and Discord lets few
        messages of a channel be edited at a time.
        """
        closing = [one for one in gone if one.sign]
        looks = await self._last_looks(entry, {one.roll for one in closing})
        is_done = True
        for one in closing:
            if self.later.is_asked_again(entry.campaign):  # the next round closes them
                return True
            is_done &= await self._show(entry, one, looks[one.roll], 0, closed_channels)
        kept = _oldest(entry.table)
        for one in gone:
            if is_done and one.roll < kept and (not one.sign or one.channel not in closed_channels):
                await self._ledger.shown.forget(entry.campaign, one)
        return is_done

    async def _last_looks(self, entry: Entry, numbers: Set[int]) -> Mapping[int, Card | None]:
        """How closed rolls looked last, by their numbers, as far as the table before still has them."""
        known = self._looks.pop(entry.campaign, {})
        if not numbers:
            return known
        before = None if numbers <= known.keys() else await self._ledger.past.before(entry)
        there = _there(before) if before else {}
        if any(isinstance(fact, Undone) for fact in entry.facts):
            # An undo changes no table: it goes back to one.
            before = await self._ledger.past.shown_before(entry) or before
            there = _there(before) if before else {}
        for number in numbers - known.keys():
            last = there.get(number)
            # What was for nothing any more, since it is undone, needs no words either.
            asks = entry.step.is_play
            known[number] = (
                closed_card(before, last, entry.table, entry.facts, asks=asks) if before and last else None
            )
        self._looks[entry.campaign] = {number: known[number] for number in numbers}
        return self._looks[entry.campaign]

    async def _show(
        self, entry: Entry, one: ShownRoll, card: Card | None, sign: int, closed_channels: set[int]
    ) -> bool:
        """Edit a message, of which without a card only the buttons go; False if a retry is worthwhile.

        A channel in which nothing can be edited now is added to `closed_channels`. Its messages stay noted as
        they are, so that they are edited at the next change, or when the thread is active again.
        """
        if one.channel in closed_channels:
            return True
        if not await self._ledger.shown.is_still(entry.campaign, one):
            return True
        if card is not None and not card.is_in_words:
            card = replace(card, faces=self.faces.markup)
        try:
            await self._edit(one.channel, one.message, card, entry.campaign)
        except PASSING as error:
            log.warning("roll not updated yet", channel=one.channel, reason=repr(error))
            await self._ledger.shown.put_off(entry.campaign, one)
            return False
        except discord.NotFound:
            await self._ledger.shown.forget(entry.campaign, one)
            return True
        except discord.HTTPException as error:
            log.warning("roll not updated", channel=one.channel, reason=str(error))
            if error.code in WAITING:
                closed_channels.add(one.channel)
                return True
            if error.code == OFTEN:
                return False
        await self._ledger.shown.change(entry.campaign, one, sign)
        return True

    async def _edit(self, channel: int, message: int, card: Card | None, campaign: int) -> None:
        """Edit a message. Raises what the library's `edit` raises."""
        part = self._client.get_partial_messageable(channel).get_partial_message(message)
        if card is None:
            view = without_buttons(await part.fetch(), say(CLOSED))
            if view is not None:
                await edit(self._client, channel, message, view)
            return
        if card.portrait is not None and card.portrait.digest:
            card = await _with_face(part, card)
        if card.invitation is not None:
            card = await with_invitation(card, campaign, self._ledger.clock.now())
        try:
            await edit(self._client, channel, message, **edited(card, campaign))
        except discord.HTTPException as error:
            bare = without_file(card, error)
            await edit(self._client, channel, message, **edited(bare, campaign))


async def _with_face(part: discord.PartialMessage, card: Card) -> Card:
    """A card with the portrait that its message has; without the right to look, it is shown without."""
    try:
        return with_shown_portrait(await part.fetch(), card)
    except discord.Forbidden:
        return with_shown_portrait(None, card)


def shown_of(interaction: Interaction[Any]) -> ShownRolls:
    """Return the client's record of shown rolls."""
    return cast("ShownRolls", interaction.client.shown)


def _link(one: ShownRoll) -> str:
    return f"https://discord.com/channels/{one.guild or '@me'}/{one.channel}/{one.message}"


def _sign(roll: Told, opposed: Rolled | None) -> int:
    """A checksum of what a roll's message shows, never 0."""
    return codec.sign(roll) if opposed is None else codec.sign((codec.sign(roll), codec.sign(opposed)))


def _there(table: Table) -> Mapping[int, Told]:
    """The rolls that are on the table, and the plan of a session, by number."""
    plan: Mapping[int, Told] = {} if table.plan is None else {table.plan.number: table.plan}
    return {**plan, **rolls_on(table)}


def _oldest(table: Table) -> int:
    """The number of the oldest roll where a table is full of them: those before it are closed for age."""
    full = ((game.part.rolls_of(table), game.most_rolls()) for game in played())
    return max((next(iter(rolls)) for rolls, most in full if most and len(rolls) >= most), default=0)
