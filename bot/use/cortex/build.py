"""The pool builder: one person's pool, kept while it is built, then rolled or shared."""

import asyncio
from collections import defaultdict
from collections.abc import Callable

from bot.asks.cortex.build import TRAITS, BuildShown, Change, build_card
from bot.asks.question import Rule
from bot.language import later
from bot.play import Play
from bot.play.asked import Asked
from bot.render.card import Card
from bot.side_lane import aside
from bot.store.ledger import Ledger
from bot.tell import Done
from rules.campaign.seats import Actor
from rules.cortex.builder import Build, look, require_version
from rules.errors import NotAllowed
from rules.game import Step
from rules.table import Table
from rules.values import replace

NO_TABLE = later("There's no table here yet, so you have no traits to build with. Example: /roll dice:2d6 d8")

NO_DICE = later(
    "You haven't rolled any dice yet. After your first roll, you can build a pool. Example: /roll dice:2d6 d8"
)


class Builder:
    """Keeps what people build, changed by one press of theirs at a time."""

    def __init__(self, play: Play, ledger: Ledger) -> None:
        self._play = play
        self._ledger = ledger
        self._one_at_a_time: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def built(self, asked: Asked) -> Build:
        """The pool as it was left."""
        return await self._of(await self._play.campaign(asked), asked)

    async def _of(self, campaign: int, asked: Asked) -> Build:
        """What somebody builds at a campaign; an empty pool where there is none."""
        return await self._ledger.builds.of(campaign, asked.actor.id) or Build()

    async def show(
        self, asked: Asked, change: Change | None = None, shown: BuildShown = TRAITS
    ) -> tuple[Card, int]:
        """The pool after a change, as its player sees it, and its campaign. Raises what the change raises."""
        campaign, table = await self._play.see(asked)
        if not campaign:
            raise NotAllowed(NO_TABLE if asked.own is None else NO_DICE)
        async with self._one_at_a_time[asked.actor.id]:
            before = await self._of(campaign, asked)
            changed = before if change is None else change(table, asked.actor, before)
            seen = await aside(asked.actor.id, look, table, asked.actor, changed)
            if seen.build != before:
                await self._ledger.builds.keep(campaign, asked.actor.id, seen.build)
        return build_card(table, seen, shown), campaign

    async def finish(self, asked: Asked, version: str, rule: Callable[[Build], Rule]) -> Done:
        """Roll or share what is built, once for each time it is offered."""
        async with self._one_at_a_time[asked.actor.id]:
            build = await self._of(asked.campaign, asked)

            def once(table: Table, actor: Actor) -> Step:
                require_version(build, version)
                return rule(build)(table, actor)

            return await self._play.change(asked, once, replace(build, version=build.version + 1))
