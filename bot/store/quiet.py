"""When people are not to be reminded, wherever they play."""

from collections.abc import Collection
from datetime import datetime

from bot.store import codec
from bot.store.notes import Notes
from rules.campaign.schedule import QuietHours, answers, is_away, with_away
from rules.table import Table
from rules.values import replace


class AllQuietHours:
    """When each person is not to be reminded."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    async def of(self, person: int) -> QuietHours:
        """When somebody is not to be reminded."""
        return _read(await self._notes.read(_rest_key(person)))

    async def of_all(self, people: Collection[int]) -> dict[int, QuietHours]:
        """When each of some people is not to be reminded."""
        kept = await self._notes.read_all([_rest_key(person) for person in people]) if people else {}
        return {person: _read(kept.get(_rest_key(person))) for person in people}

    async def keep(self, person: int, rest: QuietHours) -> None:
        """Remember when somebody is not to be reminded."""
        if rest == QuietHours():
            await self._notes.drop(_rest_key(person))
        else:
            await self._notes.keep(_rest_key(person), codec.adapter(QuietHours).dump_json(rest).decode())

    async def awake(self, person: int, campaign: int, now: datetime) -> datetime | None:
        """When somebody may be told of something at a table, from now on; None for never."""
        rest = await self.of(person)
        return None if campaign in rest.muted else rest.awake(now)

    async def told(self, table: Table) -> Table:
        """The table with who is away when its next session is, if they have said nothing else since."""
        plan = table.plan
        if plan is None or not plan.is_open:
            return table
        people = answers(table, plan)
        rests = await self.of_all(people)
        away = [player for player in people if is_away(plan, player, rests[player])]
        return replace(table, plan=with_away(table, plan, away)) if away else table


def _read(kept: str | None) -> QuietHours:
    try:
        return codec.adapter(QuietHours).validate_json(kept) if kept else QuietHours()
    except ValueError:  # damaged: as if they had not asked for any
        return QuietHours()


def _rest_key(person: int) -> str:
    return f"rest:{person}"
