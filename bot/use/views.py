"""What some views of a table show that is not on the table."""

from collections.abc import Mapping
from datetime import datetime

from bot.asks.settings import OVERVIEW, PAGES, view_with
from bot.language.line import Text
from bot.render.absent import absent_lines
from bot.render.log import place_lines
from bot.render.settings import LOG
from bot.render.waiting import waiting
from bot.store.ledger import Ledger
from bot.use.absent import absence_of
from bot.use.post import since_of
from rules.table import Table


class Views:
    """Since when things wait, whether the GM is away, and where the log is told."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def since(self, view: str, campaign: int, table: Table) -> Mapping[str, datetime] | None:
        """Since when each thing waits, where a view shows that: as it was noted, or since its roll."""
        if view != "waiting":
            return None
        known = await since_of(self._ledger, campaign)
        rolls = {each.sign: each.roll for each in waiting(table) if each.roll and each.sign not in known}
        made = await self._ledger.past.moments(campaign, set(rolls.values())) if rolls else {}
        return {**{sign: made[roll] for sign, roll in rolls.items() if roll in made}, **known}

    async def more(self, view: str, campaign: int, table: Table) -> list[Text]:
        """The lines below a view."""
        if view == OVERVIEW or (view.startswith(PAGES) and view == view_with(LOG)):
            log = await self._ledger.step_logs.of(campaign)
            return place_lines(log.place if log else 0)
        gone = await absence_of(self._ledger, campaign, table.gms) if view == "waiting" else None
        return absent_lines(table, gone.since, has_left=gone.has_left) if gone else []
