"""Looking through a whole database, one campaign after the other, and mending what can be mended."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Select, delete, func, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import codec
from bot.store.engine import TOOL, begin, connect, file_of, is_sqlite
from bot.store.history import Author, Entry, LogStep
from bot.store.owner import Owner
from bot.store.reader import STEP, step_of
from bot.store.recorder import row_of
from bot.store.revision import unreachable
from bot.store.schema import METADATA, build, campaign, channel, entry, pin
from bot.store.states import states
from rules.facts import Line
from rules.seats import SOMEBODY
from rules.table import Table

SLICE = 200
"""So many rows are read in one go."""
NOBODY = Author(0, SOMEBODY)
_UNREADABLE = "What happened in this step cannot be read any more."


@dataclass(slots=True)
class Health:
    """What was looked through: how many campaigns and entries, and the bytes of their states and facts."""

    campaigns: int = 0
    entries: int = 0
    bytes: int = 0
    largest: int = 0
    """The bytes of the largest campaign."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not well, or that was done about it; `is_open` while somebody has to do something."""

    sentence: str
    is_open: bool


@dataclass(slots=True)
class _Chart:
    """What is wrong with one campaign."""

    of: int
    name: str
    newest: int = 0
    last: tuple[int, Table] | None = None
    """The last state that can be read: its step, and the table."""
    damaged: list[int] = field(default_factory=list)
    untold: list[int] = field(default_factory=list)
    """The steps whose facts cannot be read."""
    builders: list[int] = field(default_factory=list)
    """Whose pool that is being built cannot be read."""

    @property
    def is_lost(self) -> bool:
        """Whether the newest table cannot be read."""
        return self.last is None or self.last[0] < self.newest

    @property
    def is_well(self) -> bool:
        return not (self.is_lost or self.damaged or self.untold or self.builders)


async def examine(url: str, health: Health, *, repairs: bool) -> AsyncIterator[Finding]:
    """What is not well in a database, as it is found; it is mended if it `repairs`, and `health` is filled.

    Raises engine.Unreachable, and to repair a SQLite file owner.Occupied.
    """
    engine = connect(url, TOOL)
    owner = Owner(file_of(engine)) if repairs and is_sqlite(engine) else None
    try:
        async for finding in _findings(engine, health, repairs=repairs):
            yield finding
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        if owner is not None:
            owner.release()
        await engine.dispose()


async def _findings(engine: AsyncEngine, health: Health, *, repairs: bool) -> AsyncIterator[Finding]:
    if is_sqlite(engine):
        async with engine.connect() as connection:
            found = (await connection.exec_driver_sql("PRAGMA quick_check(5)")).scalars().all()
        if found != ["ok"]:
            said = "; ".join(map(str, found)).replace("\n", " ")
            yield Finding(f"The database file is damaged: {said}. Put a copy back: `restore`.", is_open=True)
    async for of, server in _campaigns(engine):
        chart = await _chart(engine, _Chart(of, f"Campaign {of} of server {server}"), health)
        for sentence in _sentences(chart):
            yield Finding(sentence, is_open=not repairs)
        if repairs and not chart.is_well:
            yield await _mended(engine, chart)
    for what, wanted, gone in _strays():
        async with engine.connect() as connection:
            found = (await connection.execute(wanted)).scalars().all()
            if found and repairs:
                await connection.execute(gone)
                yield Finding(f"{what}: {_listed(found)}. They are deleted.", is_open=False)
            elif found:
                yield Finding(f"{what}: {_listed(found)}.", is_open=True)


async def _campaigns(engine: AsyncEngine) -> AsyncIterator[tuple[int, int]]:
    last = -(2**63) + 1
    while True:
        wanted = select(campaign.c.id, campaign.c.guild_id).where(campaign.c.id > last)
        async with engine.connect() as connection:
            rows = (await connection.execute(wanted.order_by(campaign.c.id).limit(SLICE))).all()
        for row in rows:
            yield row.id, row.guild_id
        if len(rows) < SLICE:
            return
        last = rows[-1].id


async def _chart(engine: AsyncEngine, chart: _Chart, health: Health) -> _Chart:
    """Read all that is kept of a campaign, as the bot would."""
    ours = entry.c.campaign_id == chart.of
    weight = func.coalesce(func.sum(func.length(entry.c.state)), 0) + func.coalesce(
        func.sum(func.length(entry.c.facts)), 0
    )
    async with engine.connect() as connection:
        count, last = func.count().label("entries"), func.max(entry.c.number).label("last")
        sums = select(count, weight.label("bytes"), last).select_from(entry).where(ours)
        found = (await connection.execute(sums)).one()
        chart.newest = found.last or 0
        async for state in states(connection, chart.of):
            if state.table is None:
                chart.damaged.append(state.number)
            elif chart.last is None or state.number > chart.last[0]:
                chart.last = state.number, state.table
        chart.untold = [number async for number in _untold(connection, chart.of)]
        pools = await connection.execute(select(build).where(build.c.campaign_id == chart.of))
        chart.builders = [row.player_id for row in pools if codec.read_build(row.state) is None]
    chart.damaged.sort()
    health.campaigns += 1
    health.entries += found.entries
    health.bytes += int(found.bytes)
    health.largest = max(health.largest, int(found.bytes))
    return chart


async def _untold(connection: AsyncConnection, of: int) -> AsyncIterator[int]:
    last = 0
    while True:
        wanted = select(entry.c.number, entry.c.facts).where(entry.c.campaign_id == of, entry.c.number > last)
        rows = (await connection.execute(wanted.order_by(entry.c.number).limit(SLICE))).all()
        for row in rows:
            if not codec.is_legible(codec.read_facts(row.facts)):
                yield row.number
        if len(rows) < SLICE:
            return
        last = rows[-1].number


def _sentences(chart: _Chart) -> list[str]:
    said = []
    if not chart.newest:
        return [f"{chart.name} has no entry."]
    if chart.damaged:
        said.append(f"{chart.name}: {_states(chart.damaged)} cannot be read.")
    if chart.is_lost:
        last = f"the last that can is that of step {chart.last[0]}" if chart.last else "and no other can"
        said.append(f"{chart.name}: its newest table, of step {chart.newest}, cannot be read; {last}.")
    if chart.untold:
        said.append(f"{chart.name}: what happened cannot be read in {_steps(chart.untold)}.")
    if chart.builders:
        count = len(chart.builders)
        pools = "1 pool that is" if count == 1 else f"{count} pools that are"
        said.append(f"{chart.name}: {pools} being built cannot be read.")
    return said


async def _mended(engine: AsyncEngine, chart: _Chart) -> Finding:
    """Mend a campaign."""
    async with engine.connect() as connection:
        await connection.exec_driver_sql(begin(engine))
        try:
            done = await _mend(connection, chart)
        except IntegrityError:
            await connection.exec_driver_sql("ROLLBACK")
            return Finding(f"{chart.name} is played just now, and not repaired. Try again.", is_open=True)
        except BaseException:
            await connection.exec_driver_sql("ROLLBACK")
            raise
        await connection.exec_driver_sql("COMMIT")
    return Finding(f"{chart.name} is repaired: {done}", is_open=False)


async def _mend(connection: AsyncConnection, chart: _Chart) -> str:
    if not chart.newest:
        await connection.execute(delete(campaign).where(campaign.c.id == chart.of))
        return "it is deleted, since nothing is left of it."
    ours, done = entry.c.campaign_id == chart.of, []
    if chart.damaged:
        gone = update(entry).where(ours, entry.c.number.in_(chart.damaged)).values(state=None)
        await connection.execute(gone)
        done.append(f"what cannot be read of {_steps(chart.damaged)} is let go")
    if chart.untold:
        said = codec.write_facts((Line(_UNREADABLE),))
        untold = update(entry).where(ours, entry.c.number.in_(chart.untold))
        await connection.execute(untold.values(facts=said))
        done.append(f"the log says so of {_steps(chart.untold)}")
    if chart.builders:
        theirs = (build.c.campaign_id == chart.of, build.c.player_id.in_(chart.builders))
        await connection.execute(delete(build).where(*theirs))
        done.append("what was being built is let go")
    if chart.is_lost:
        done.append(await _fall_back(connection, chart))
    return f"{', '.join(done)}."


async def _fall_back(connection: AsyncConnection, chart: _Chart) -> str:
    """Add an entry with the last table that can be read, at the place in the history where that was."""
    number, table = chart.last or (0, Table())
    at = (0, 0, 0)
    if number:
        wanted = STEP.where(entry.c.campaign_id == chart.of, entry.c.number == number)
        step = step_of((await connection.execute(wanted)).one())
        at = (step.position, step.parent, step.tip)
    whence = f"as it was after step {number}" if number else "blank"
    said = codec.write_facts((Line(f"The newest state could not be read: the table is {whence}"),))
    fresh = Entry(chart.of, LogStep(chart.newest + 1, NOBODY, datetime.now(UTC), said, *at), table)
    row = row_of(fresh, 0, fresh.number, codec.pack(codec.write(table)))
    await connection.execute(insert(entry), row)
    named = update(campaign).where(campaign.c.id == chart.of)
    await connection.execute(named.values(name=table.name, archived=table.archived))
    return f"the table is {whence}"


def _strays() -> Sequence[tuple[str, Select[Any], Any]]:
    """Rows that belong to nothing: what they are, how they are found, how they are deleted."""
    known = select(campaign.c.id)
    shown = select(channel.c.channel_id).where(channel.c.campaign_id.in_(known))
    lost = pin.c.channel_id.not_in(shown) & pin.c.parent_id.not_in(shown)
    pins = "Pinned tables without a campaign, in channels"
    found = [(pins, select(pin.c.channel_id).where(lost), delete(pin).where(lost))]
    for table in METADATA.sorted_tables:
        if "campaign_id" in table.c:
            of = table.c.campaign_id
            stray = of.is_not(None) & of.not_in(known)
            what = f"Rows of the table {table.name} without a campaign, of campaigns"
            found.append((what, select(of).where(stray).distinct(), delete(table).where(stray)))
    return found


def _states(numbers: Sequence[int]) -> str:
    return f"the state{'s' if len(numbers) > 1 else ''} of {_steps(numbers)}"


def _steps(numbers: Sequence[int]) -> str:
    return f"step {numbers[0]}" if len(numbers) == 1 else f"steps {_listed(numbers)}"


def _listed(things: Sequence[Any], most: int = 10) -> str:
    """The first few things, and how many more there are."""
    some = ", ".join(map(str, things[:most]))
    return some if len(things) <= most else f"{some} and {len(things) - most} more"
