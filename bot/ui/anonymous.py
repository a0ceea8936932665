"""Telling a channel something that nobody is to be known for.

Each kind is told at most once in a while in one channel, which is remembered by the channel alone, and not by
whom.
"""

from collections import defaultdict

from discord import Interaction

from bot.clock import clock_of
from bot.language import say
from bot.language.line import Text, spoken
from bot.render.card import Card
from bot.ui.aloud import tell_channel
from bot.ui.budget import Budget
from rules.errors import NotAllowed, TooLate

PAUSE = 30.0
"""Seconds in which a channel is told the same kind of thing once."""


class Anonymous:
    """Tells channels; refuses what would come too often, and says which right is missing."""

    def __init__(self) -> None:
        self._budgets: defaultdict[str, Budget] = defaultdict(lambda: Budget(1, PAUSE))

    async def tell(self, it: Interaction, kind: str, card: Card) -> None:
        """Tell the channel. Raises TooLate where it was told just now, NotAllowed where it cannot be."""
        if not self._allows(it, kind):
            raise TooLate(
                "The channel was told less than {seconds} seconds ago. Wait a moment, or tell everyone "
                "yourself.",
                seconds=round(PAUSE),
            )
        await self._send(it, kind, card)

    async def mention(self, it: Interaction, kind: str, card: Card) -> Text:
        """Tell the channel if it can be; else why it is not told."""
        if not self._allows(it, kind):
            return say(
                "The channel wasn't told, because another change was announced a moment ago. To see "
                "your change in the list: /safety show"
            )
        try:
            await self._send(it, kind, card)
        except NotAllowed as error:
            return spoken(error.words)
        return ""

    def _allows(self, it: Interaction, kind: str) -> bool:
        return self._budgets[kind].allows(it.channel_id or 0, clock_of(it.client).monotonic())

    async def _send(self, it: Interaction, kind: str, card: Card) -> None:
        try:
            await tell_channel(it, card)
        except NotAllowed:
            self._budgets[kind].give_back(it.channel_id or 0)
            raise
