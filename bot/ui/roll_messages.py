"""Where rolls are shown in Discord: the table links there, and the messages follow what becomes of a roll.

A roll changes by its own buttons, and also by a doom die, a reroll, an undo or the end of its scene; then
its messages are edited a moment later. Places are remembered in memory: after a restart they are learnt
again as people press, and the buttons work all the same.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import discord
import structlog
from discord import Interaction

from bot.language import say
from bot.render.card import Card
from bot.store.ledger import Ledger
from bot.tell import roll_card
from bot.ui.debounce import Later
from bot.ui.faces import Faces
from bot.ui.layout import NOBODY, fitting_layout
from bot.ui.line import PASSING
from rules.cortex.roll import OPEN_ROLLS
from rules.ore.roll import OPEN_ROLLS as OPEN_ORE
from rules.ore.sets import OreRoll
from rules.table import Roll, Table

log = structlog.get_logger(__name__)

MOST = 500
"""So many campaigns are remembered."""
MESSAGES = 3
"""So many messages of one roll are remembered."""


@dataclass(slots=True)
class Showing:
    """The messages that show a roll, with the roll as each shows it, the newest last, and the roll itself."""

    guild: int | None
    channel: int
    last: Roll | OreRoll
    messages: dict[int, Roll | OreRoll | None] = field(default_factory=dict)


class ShownRolls:
    """The messages that show rolls, by campaign and roll."""

    def __init__(self, client: discord.Client, ledger: Ledger, faces: Faces, pause: float) -> None:
        self._client = client
        self._faces = faces
        self._ledger = ledger
        self._known: OrderedDict[int, dict[int, Showing]] = OrderedDict()
        self.later = Later(self._refresh, pause)

    def learn(self, it: Interaction[Any], campaign: int, roll: Roll | OreRoll, message: int) -> None:
        """A message shows that roll as it is now."""
        rolls = self._known.setdefault(campaign, {})
        self._known.move_to_end(campaign)
        place = rolls.setdefault(roll.number, Showing(it.guild_id, it.channel_id or 0, roll))
        place.messages[message] = place.last = roll
        if len(place.messages) > MESSAGES:
            del place.messages[next(iter(place.messages))]
        if len(self._known) > MOST:
            self._known.popitem(last=False)
        self.later.touch(campaign)  # what happened before this message was known has not reached it yet

    def of(self, campaign: int) -> Mapping[int, str]:
        """The links of a campaign's rolls, by roll."""
        rolls = self._known.get(campaign, {})
        return {number: _link(place) for number, place in rolls.items() if place.messages}

    async def _refresh(self, campaign: int) -> bool:
        """Edit the messages whose roll is no longer as they show it; whether all of them could be."""
        rolls = self._known.get(campaign, {})
        # Noted before the table is read: what is shown meanwhile may be newer than the table.
        known = [(number, place, dict(place.messages)) for number, place in rolls.items()]
        entry = await self._ledger.newest(campaign)
        if entry is None:
            return True
        is_done = True
        for number, place, messages in known:
            if _is_too_old(entry.table, number):
                rolls.pop(number, None)
            else:
                is_done &= await self._follow(entry.table, campaign, number, place, messages)
        return is_done

    async def _follow(
        self,
        table: Table,
        campaign: int,
        number: int,
        place: Showing,
        messages: Mapping[int, Roll | OreRoll | None],
    ) -> bool:
        """Edit those messages of one roll, where they show it as it was."""
        is_done = True
        now = table.rolls.get(number) or table.ore.get(number)
        for message, shown in messages.items():
            if now is shown or now == shown or place.messages.get(message, now) is not shown:
                continue
            card = roll_card(table, now) if now else _closed(table, place.last)
            card = card if card.is_in_words else replace(card, draw=self._faces.markup)
            try:
                is_there = await self._edit(place.channel, message, card, campaign)
            except PASSING as error:
                log.warning("roll not updated yet", channel=place.channel, reason=repr(error))
                is_done = False
                continue
            if not is_there:
                place.messages.pop(message, None)
            elif place.messages.get(message) is shown:
                place.messages[message] = now
                place.last = now or place.last
        return is_done

    async def _edit(self, channel: int, message: int, card: Card, campaign: int) -> bool:
        """Edit a message; whether it is still there to be edited. Raises what passes by itself."""
        try:
            part = self._client.get_partial_messageable(channel).get_partial_message(message)
            await part.edit(view=fitting_layout(card, campaign), allowed_mentions=NOBODY)
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("roll not updated", channel=channel, code=error.code, status=error.status)
            return False
        except discord.HTTPException as error:
            if isinstance(error, PASSING):
                raise
            log.warning("roll not updated", channel=channel, reason=str(error))
        return True


def shown_of(it: Interaction[Any]) -> ShownRolls:
    """The places that the client remembers."""
    return cast("ShownRolls", it.client.shown)


def _link(place: Showing) -> str:
    newest = next(reversed(place.messages))
    return f"https://discord.com/channels/{place.guild or '@me'}/{place.channel}/{newest}"


def _closed(table: Table, roll: Roll | OreRoll) -> Card:
    """A roll that is no longer on the table, without buttons."""
    return Card((*roll_card(table, roll).lines, say("This roll is closed.")))


def _is_too_old(table: Table, number: int) -> bool:
    """Whether a table that is full of rolls has closed this one for its age."""
    if number in table.rolls or number in table.ore:
        return False
    kept = ((table.rolls, OPEN_ROLLS), (table.ore, OPEN_ORE))
    return any(len(open_) >= most and number < next(iter(open_)) for open_, most in kept)
