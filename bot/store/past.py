"""What has happened at campaigns: their steps, and what tells of them."""

from collections.abc import Collection
from datetime import datetime, timedelta

from bot.store import schema, tags
from bot.store.history import Entry, LogStep
from bot.store.reader import Reader
from bot.store.shown import ShownMessages
from bot.store.undoable import History
from rules.facts import Fact
from rules.table import Table

CAUGHT_UP = timedelta(minutes=2)
"""After this time every message shows a change, or cannot be edited."""


class Past:
    """The steps of all campaigns, and where these were played."""

    def __init__(self, reader: Reader, shown: ShownMessages) -> None:
        self._reader = reader
        self._shown = shown

    async def log(
        self,
        campaign: int,
        *,
        count: int = 10,
        author: int | None = None,
        before: int | None = None,
        secrets: bool = True,
    ) -> list[LogStep]:
        """The newest steps of a campaign, newest first; of one author, before a number if given.

        Without `secrets`, of those that players may not see nothing is told but that they are there.
        """
        numbers = await self._reader.page(campaign, count, author, before)
        if not numbers:
            return []
        history = History(await self._reader.steps(campaign, numbers[-1]))
        steps = [step for step in history if step.number in set(numbers)]
        return [step if secrets or not step.secret else step.veiled for step in steps]

    async def played(self, campaign: int, *, secrets: bool = True, since: int = 1) -> list[LogStep]:
        """The steps of play of a campaign since a step, oldest first, without what is undone.

        Without `secrets`, those that players may see.
        """
        history = History(await self._reader.steps(campaign, since))
        found = [s for s in history if s.number >= since and s.is_play and not s.undone]
        return [step for step in reversed(found) if secrets or not step.secret]

    async def facts(
        self, campaign: int, kinds: tuple[type[Fact], ...], since: int = 1
    ) -> list[tuple[LogStep, Fact]]:
        """What happened of some kinds since a step, oldest first, each with its step; not what is undone.

        They are read in one go, also those of a whole campaign.
        """
        history = History(await self._reader.steps(campaign, since))
        found = [step for step in history if step.number >= since and step.is_play and not step.undone]
        wanted = [step for step in reversed(found) if tags.may_hold(step.written, *kinds)]
        return [(step, fact) for step in wanted for fact in step.facts if isinstance(fact, kinds)]

    async def made_by(self, interaction: int) -> Entry | None:
        """The entry that an interaction made, if it made any."""
        return await self._reader.made_by(interaction)

    async def before(self, entry: Entry) -> Table | None:
        """The table that an entry changed; None if it is kept no longer."""
        return await self._reader.table(entry.campaign, entry.step.parent)

    async def shown_before(self, entry: Entry) -> Table | None:
        """The table as it was seen before an entry, also of an undo; None if it is kept no longer."""
        return await self._reader.table(entry.campaign, entry.number - 1)

    async def changed_last(self) -> list[tuple[int, int]]:
        """The campaigns, with their servers, whose messages may not show their last change: it was so shortly
        before the last one of all that whoever made it may have died."""
        await self._shown.write()
        found = [each for each in await self._reader.changed_last() if each[2] != schema.UNKNOWN]
        return [(of, server) for of, server, at in found if at >= found[0][2] - CAUGHT_UP]

    async def led_last(self, campaign: int, gms: Collection[int]) -> tuple[int, datetime] | None:
        """The last step of one of its GMs at a campaign, or by which there was one, and when it was made."""
        return await self._reader.led_last(campaign, gms)

    async def moments(self, campaign: int, numbers: Collection[int]) -> dict[int, datetime]:
        """When steps of a campaign were made, by their numbers."""
        return await self._reader.moments(campaign, numbers)

    async def server_of(self, campaign: int) -> int:
        """The server on which a campaign is played; 0 for direct messages."""
        return await self._reader.server_of(campaign)

    async def channels(self, campaign: int) -> set[int]:
        """The channels in which a campaign is played."""
        return await self._reader.channels(campaign)
