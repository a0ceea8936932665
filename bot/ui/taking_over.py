"""`Take over`: somebody is GM in the place of one who is gone, unless that one is back."""

from functools import partial

import discord
import structlog
from discord import Interaction

from bot.asks.question import Pressed, Rule
from bot.language import say
from bot.play import Play
from bot.store.ledger import Ledger
from bot.ui.absent import AbsentGms
from bot.ui.layout import without_buttons
from bot.ui.message import answer
from bot.ui.receipt import edit
from bot.ui.request import asked
from bot.use.jobs import NotDone
from rules.campaign import seats
from rules.campaign.seats import gm_words
from rules.errors import TooLate
from rules.table import Table

log = structlog.get_logger(__name__)


class TakingOver:
    """Hands a table on to who takes it over."""

    def __init__(self, play: Play, ledger: Ledger, absent: AbsentGms) -> None:
        self._play = play
        self._ledger = ledger
        self._absent = absent

    async def take(self, it: Interaction, press: Pressed) -> None:
        """Be the GM, if those who were gone are so still; the offer is closed then, or where they are not.

        Raises NotAllowed and TooLate.
        """
        campaign, table = await self._play.see(asked(it, press.campaign))
        rule = await self._rule(it, press, campaign)
        if rule is None:
            await self._close(it)
            raise TooLate("This table no longer needs anyone to take over. {gms}", gms=gm_words(table))
        await answer(it, await self._play.change(asked(it, press.campaign), rule))
        await self._close(it)

    async def _rule(self, it: Interaction, press: Pressed, campaign: int) -> Rule | None:
        """The rule by which somebody takes over; None where those who were gone are back, or replaced."""
        entry = await self._ledger.newest(campaign)
        try:
            absence = await self._absent.absence(entry) if entry is not None else None
        except NotDone:
            raise TooLate("Discord didn't say who has left. Press again in a moment.") from None
        if entry is None or absence is None or absence.step != press.number or _is_first(entry.table, it):
            return None
        return partial(seats.take_over, gone=absence.gone, has_left=absence.has_left, seen=entry.number)

    async def _close(self, it: Interaction) -> None:
        """Take the buttons from the pressed message: what it offered is over."""
        message = it.message
        if message is None or message.flags.ephemeral:  # such a message is edited by its own press alone
            return
        try:
            view = without_buttons(message, say("This offer has ended."))
            await edit(it.client, message.channel.id, message.id, view)
        except discord.DiscordException as error:  # its buttons go on saying so
            log.info("offer not closed", message=message.id, reason=repr(error))


def _is_first(table: Table, it: Interaction) -> bool:
    """Whether it is the GM who was gone that presses: they are back."""
    return next(iter(table.gms), 0) == it.user.id
