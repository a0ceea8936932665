"""Check and repair the rows of one campaign."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.clock import SYSTEM
from bot.store import codec
from bot.store.backups import CopyState
from bot.store.column_check import Row
from bot.store.engine import begin
from bot.store.history import NOBODY, Entry, LogStep
from bot.store.reader import STEP, seats, step_of
from bot.store.schema import build, campaign, entry, person
from bot.store.writer import row_of
from rules.facts import OldWords
from rules.table import Table

_FACTS, _LONG = 4096, 1000
"""So many of the last texts of facts are remembered, of at most so many characters."""
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(slots=True)
class Checkup:
    """Totals of a check: campaigns, entries, and bytes of states and facts."""

    campaigns: int = 0
    entries: int = 0
    bytes: int = 0
    largest: int = 0
    """The bytes of the largest campaign."""
    copies: CopyState = field(default_factory=CopyState)


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem found, or a repair made; `is_open` while somebody still has to act.

    `text` has placeholders. The values are stored apart because they identify campaigns, people and rows.
    """

    text: str
    is_open: bool
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """The text with its values."""
        return self.text.format_map(self.values)

    @property
    def plain(self) -> str:
        """The text without its values, so that strangers may read it: `[campaign] has no entry.`"""
        return _PLACE.sub(r"[\1]", self.text)


@dataclass(slots=True)
class Diagnosis:
    """The problems of one campaign."""

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
    is_blurred: bool = False
    """Whether a damaged value hides which steps there are, or what their states are packed against."""
    is_misnamed: bool = False
    """Whether its own row has not the name of its table, or is archived where that is not."""
    strangers: dict[int, bool] = field(default_factory=dict)
    """Who is not known as the table knows them, and whether they are GM there."""

    @property
    def is_lost(self) -> bool:
        """Whether the newest table is unreadable."""
        return self.last is None or self.last[0] < self.newest

    @property
    def is_well(self) -> bool:
        return not findings(self, is_open=True)


def check_steps(chart: Diagnosis, steps: Sequence[Row]) -> None:
    """Add the steps of a campaign that can't be read; a damaged value of a row is None."""
    chart.newest = max(step["number"] for step in steps)
    for step in steps:
        facts = step["facts"]
        if facts is not None and not (_is_told if len(facts) <= _LONG else _is_told.__wrapped__)(facts):
            chart.untold.append(step["number"])
    chart.last, chart.damaged = _walked([step for step in steps if step["state"] is not None])


def _walked(steps: Sequence[Row]) -> tuple[tuple[int, Table] | None, list[int]]:
    """Return the last readable state with its number, and the numbers of unreadable ones, rising."""
    last, base, key, damaged = None, None, None, list[int]()
    # A keyframe has the number of its base, so it comes before those packed against it.
    for step in sorted(steps, key=itemgetter("base", "number")):
        number = step["number"]
        if step["base"] != base:
            base, key = step["base"], None
        try:
            if key is None and number != base:
                raise KeyError(base)
            text = codec.unpack(step["state"], key)
            table = codec.read(text, number)
        except codec.FAULTS:
            damaged.append(number)
            continue
        if number == base:
            key = text
        if last is None or number > last[0]:
            last = number, table
    return last, sorted(damaged)


@lru_cache(_FACTS)
def _is_told(facts: str) -> bool:
    return codec.is_legible(codec.read_facts(facts))


def compare(chart: Diagnosis, name: object, is_archived: object, known: Mapping[int, bool]) -> None:
    """Add where a campaign's row, and who is known with whether they are GM, differ from its newest table."""
    if chart.is_lost or chart.last is None:
        return
    table = chart.last[1]
    chart.is_misnamed = (name, bool(is_archived)) != (table.name, table.archived)
    wanted = seats(table)
    # Others whom the table does not know have made a step once, which is reason enough for their row.
    gms = {who: False for who, is_gm in known.items() if is_gm and who not in wanted}
    chart.strangers = gms | {who: is_gm for who, is_gm in wanted.items() if known.get(who) != is_gm}


def findings(chart: Diagnosis, *, is_open: bool) -> list[Finding]:
    """Return a campaign's problems; `is_open` if they have not been repaired."""
    found: list[Finding] = []

    def note(text: str, **values: str) -> None:
        found.append(Finding(text, is_open, {"campaign": chart.name, **values}))

    if chart.is_blurred:
        note("{campaign}: its history can be checked once its damaged rows are repaired.")
        return found
    if not chart.newest:
        note("{campaign} has no entry.")
        return found
    if chart.damaged:
        note("{campaign}: {states} cannot be read.", states=_states(chart.damaged))
    if chart.is_lost:
        last = f"the last readable one is from step {chart.last[0]}" if chart.last else "no other is readable"
        note(f"{{campaign}}: its newest table, from step {chart.newest}, cannot be read; {last}.")
    if chart.untold:
        note("{campaign}: the events of {steps} cannot be read.", steps=_steps(chart.untold))
    if chart.builders:
        count = len(chart.builders)
        pools = "1 unfinished pool" if count == 1 else f"{count} unfinished pools"
        note(f"{{campaign}}: {pools} cannot be read.")
    if chart.is_misnamed:
        note("{campaign}: campaign.name or campaign.archived does not match its table.")
    if chart.strangers:
        who = first_few([*chart.strangers])
        note("{campaign}: person.is_gm does not match its table for {people}.", people=who)
    return found


async def mended(engine: AsyncEngine, chart: Diagnosis) -> Finding:
    """Repair a campaign; return what was done, or that it is in use."""
    async with engine.connect() as connection:
        await connection.exec_driver_sql(begin(engine))
        try:
            done = await _mend(connection, chart)
        except IntegrityError:  # the number of the step that it adds has been taken meanwhile
            await connection.exec_driver_sql("ROLLBACK")
            text = "{campaign} is in use right now and was not repaired. Try again."
            return Finding(text, is_open=True, values={"campaign": chart.name})
        except BaseException:
            await connection.exec_driver_sql("ROLLBACK")
            raise
        await connection.exec_driver_sql("COMMIT")
    return Finding(f"{{campaign}} repaired: {done}", is_open=False, values={"campaign": chart.name})


async def _mend(connection: AsyncConnection, chart: Diagnosis) -> str:
    if not chart.newest:
        await connection.execute(delete(campaign).where(campaign.c.id == chart.of))
        return "deleted, because nothing is left of it."
    ours, done = entry.c.campaign_id == chart.of, []
    if chart.damaged:
        gone = update(entry).where(ours, entry.c.number.in_(chart.damaged)).values(state=None)
        await connection.execute(gone)
        done.append(f"unreadable state of {_steps(chart.damaged)} deleted")
    if chart.untold:
        for number in chart.untold:
            step = (ours, entry.c.number == number)
            text = (await connection.execute(select(entry.c.facts).where(*step))).scalar_one()
            await connection.execute(update(entry).where(*step).values(facts=codec.with_aside(text)))
        done.append(f"unreadable events of {_steps(chart.untold)} set aside and noted in the log")
    if chart.builders:
        theirs = (build.c.campaign_id == chart.of, build.c.player_id.in_(chart.builders))
        await connection.execute(delete(build).where(*theirs))
        done.append("unfinished pools deleted")
    if chart.is_lost:
        done.append(await _fall_back(connection, chart))
    elif chart.last is not None:
        await _agree(connection, chart, chart.last[1])
        done += ["name taken from its table"] if chart.is_misnamed else []
        done += ["GMs taken from its table"] if chart.strangers else []
    return f"{', '.join(done)}."


async def _agree(connection: AsyncConnection, chart: Diagnosis, table: Table) -> None:
    """Let what is kept beside a table say what it says."""
    named = update(campaign).where(campaign.c.id == chart.of)
    await connection.execute(named.values(name=table.name, archived=table.archived))
    for who, is_gm in chart.strangers.items():
        await connection.execute(
            delete(person).where(person.c.campaign_id == chart.of, person.c.player_id == who)
        )
        row = {"campaign_id": chart.of, "player_id": who, "is_gm": is_gm}
        await connection.execute(insert(person).values(row))


async def _fall_back(connection: AsyncConnection, chart: Diagnosis) -> str:
    """Add an entry with the last table that can be read, at the place in the history where that was."""
    number, table = chart.last or (0, Table())
    at = (0, 0, 0)
    if number:
        wanted = STEP.where(entry.c.campaign_id == chart.of, entry.c.number == number)
        step = step_of((await connection.execute(wanted)).one())
        at = (step.position, step.parent, step.tip)
    whence = f"as it was after step {number}" if number else "blank"
    said = codec.write_facts((OldWords(f"The newest state could not be read: the table is {whence}"),))
    fresh = Entry(chart.of, LogStep(chart.newest + 1, NOBODY, SYSTEM.now(), said, *at), table)
    row = row_of(fresh, 0, fresh.number, codec.pack(codec.write(table)))
    await connection.execute(insert(entry), row)
    named = update(campaign).where(campaign.c.id == chart.of)
    await connection.execute(named.values(name=table.name, archived=table.archived))
    return f"the table is {whence}"


def _states(numbers: Sequence[int]) -> str:
    return f"the state{'s' if len(numbers) > 1 else ''} of {_steps(numbers)}"


def _steps(numbers: Sequence[int]) -> str:
    return f"step {numbers[0]}" if len(numbers) == 1 else f"steps {first_few(numbers)}"


def first_few(things: Sequence[Any], most: int = 10) -> str:
    """Return the first things as text, and how many more there are.

    >>> first_few([1, 2, 3], most=2)
    '1, 2 and 1 more'
    """
    some = ", ".join(map(str, things[:most]))
    return some if len(things) <= most else f"{some} and {len(things) - most} more"
