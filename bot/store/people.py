"""What campaigns know of people, and how they forget somebody."""

from collections.abc import Collection
from functools import partial

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import forget
from bot.store.history import LogStep
from bot.store.recorder import Recorder
from bot.store.servers import CampaignLine

FORGETTING = 5
"""So often forgetting somebody is worked out beside those who play, before they have to wait for it."""


class People:
    """The people whom campaigns know."""

    def __init__(self, engine: AsyncEngine, recorder: Recorder) -> None:
        self._engine = engine
        self._recorder = recorder

    async def campaigns_of(self, person: int) -> list[CampaignLine]:
        """The campaigns that know a person, by a step or in a state; the oldest first."""
        return await forget.campaigns_of(self._engine, person)

    async def led_alone_by(self, gm: int) -> list[int]:
        """The campaigns whose only GM somebody is."""
        return await forget.led_alone_by(self._engine, gm)

    async def steps_by(self, campaign: int, person: int) -> list[LogStep]:
        """Every step of a campaign that a person made, oldest first."""
        return await forget.steps_by(self._engine, campaign, person)

    async def names_of(self, campaigns: Collection[int], person: int) -> dict[int, dict[str, int]]:
        """The names that a person went by in campaigns, and how many steps they made by each."""
        return await forget.names_of(self._engine, campaigns, person)

    async def forget(self, campaign: int, person: int) -> None:
        """Let a campaign know a person no more: their id and names leave all its rows, for ever.

        What happened stays, done by somebody. The rows are changed in one transaction with a new last entry,
        so whoever is about to add one on what was before meets it, and begins again. What they become is
        worked out before, while others play; where they play too fast for that, they wait.
        """
        for _ in range(FORGETTING):
            made = await forget.prepared(self._engine, campaign, person, self._recorder.clock.now())
            is_written: list[bool] = []

            async def write(connection: AsyncConnection, made: forget.Prepared = made) -> None:
                is_written[:] = [await forget.write(made, connection)]  # noqa: B023 - called at once

            await self._recorder.write(campaign=campaign, last=write)
            if is_written == [True]:
                return
        rewrite = partial(forget.rewrite, campaign, person, self._recorder.clock.now())
        await self._recorder.write(campaign=campaign, last=rewrite)
