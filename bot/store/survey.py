"""Read every row of a database once, as of one moment, and find what is damaged."""

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Column, Table, func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import codec
from bot.store.campaign_check import Checkup, Diagnosis, check_steps, compare
from bot.store.column_check import Cell, Row, checker, slices, snapshot
from bot.store.schema import METADATA, build, campaign, entry, person

Progress = Callable[[int, int], object]
"""Called with how many steps have been checked, and how many there are."""


@dataclass(slots=True)
class Survey:
    """What was found, and what the steps of campaigns are compared with."""

    cells: list[Cell] = field(default_factory=list)
    """The unreadable values, those of steps last."""
    charts: list[Diagnosis] = field(default_factory=list)
    """The campaigns that are not well."""
    campaigns: dict[int, Row] = field(default_factory=dict)
    people: dict[int, dict[int, bool]] = field(default_factory=lambda: defaultdict(dict))
    """Whom each campaign knows, with whether they are GM."""
    builders: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Whose unfinished pool cannot be read, by campaign."""
    sizes: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The steps of each campaign, and the bytes of their states and facts."""

    def count(self, health: Checkup) -> None:
        """Fill in the totals."""
        known = [self.sizes.get(of, (0, 0)) for of in self.campaigns]
        health.campaigns = len(known)
        health.entries = sum(steps for steps, _ in known)
        health.bytes = sum(size for _, size in known)
        health.largest = max((size for _, size in known), default=0)

    def keep(self, table: Table, row: Row) -> None:
        """Keep what is needed of a row, in which damaged values are None."""
        if any(row.get(key.name) is None for key in table.primary_key):
            return
        if table is campaign:
            self.campaigns[row["id"]] = row
        elif table is person:
            self.people[row["campaign_id"]][row["player_id"]] = bool(row["is_gm"])
        elif table is build and row["state"] is not None and codec.read_build(row["state"]) is None:
            self.builders[row["campaign_id"]].append(row["player_id"])

    def judge(self, of: int, steps: list[Row]) -> None:
        """Compare the steps of a campaign with its other rows; keep the chart if it is not well."""
        found = self.campaigns.get(of)
        chart = Diagnosis(of, f"Campaign {of} of server {found['guild_id'] or 0 if found else 0}")
        sizes = (len(step["state"] or b"") + len(step["facts"] or "") for step in steps)
        self.sizes[of] = len(steps), sum(sizes)
        chart.builders = self.builders.pop(of, [])
        chart.is_blurred = any(step["number"] is None or step["base"] is None for step in steps)
        if steps and not chart.is_blurred:
            check_steps(chart, steps)
        if found:
            compare(chart, found["name"], found["archived"], self.people.pop(of, {}))
            self.charts += [] if chart.is_well else [chart]


async def survey(engine: AsyncEngine, gone: Collection[object], tell: Progress) -> Survey:
    """Read all rows without the tables and columns that are gone; if any are, no campaign is judged."""
    found = Survey()
    async with snapshot(engine) as connection:
        for table in sorted(METADATA.sorted_tables, key=lambda table: table is entry):
            if table in gone:
                continue
            rows = _rows(connection, [each for each in table.columns if each not in gone], found.cells)
            if table is entry and not gone:
                await _judge_campaigns(connection, rows, found, tell)
                continue
            async for row in rows:
                if not gone:
                    found.keep(table, row)
    return found


async def _judge_campaigns(
    connection: AsyncConnection, rows: AsyncIterator[Row], found: Survey, tell: Progress
) -> None:
    total = (await connection.execute(select(func.count()).select_from(entry))).scalar_one()
    of, steps, seen = 0, list[Row](), 0
    async for row in rows:
        seen += 1
        if row["campaign_id"] is None:
            continue
        if row["campaign_id"] != of and steps:
            found.judge(of, steps)
            tell(seen, total)
            steps = []
        of = row["campaign_id"]
        steps.append(row)
    if steps:
        found.judge(of, steps)
    for of in found.campaigns.keys() - found.sizes.keys():
        found.judge(of, [])
    found.charts.sort(key=lambda chart: chart.of)


async def _rows(
    connection: AsyncConnection, columns: list[Column[Any]], cells: list[Cell]
) -> AsyncIterator[Row]:
    """The rows of a table, with None in the place of damaged values, which are added to the cells."""
    damaged = checker(columns)
    async for rows in slices(connection, columns):
        for place, row in rows:
            if wrong := damaged(place, row):
                cells += wrong
                row |= {cell.column.name: None for cell in wrong}
            yield row
