"""Delete a person's data from all rows, and look up what campaigns store about people.

The states of a campaign are packed against each other, so all are unpacked, changed and packed again. This is
prepared while others play, then written in one transaction if nothing has happened meanwhile. It ends with an
entry of its own, which is a keyframe: a step that another command or process has prepared on the old newest
entry, packed against an old keyframe, has the same number and is refused. The table stays at its position, so
that this entry cannot be undone.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Row, Select, bindparam, delete, func, insert, select, union, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import codec
from bot.store.engine import when_there
from bot.store.history import NOBODY, Author, Entry, LogStep
from bot.store.places import CampaignLine, line_of
from bot.store.reader import STEP, PackedState, State, packed_states, step_of, unpacked
from bot.store.recorder import Recorder
from bot.store.schema import METADATA, build, campaign, entry
from bot.store.schema import person as seat
from bot.store.writer import row_of
from rules.campaign import privacy
from rules.facts import Forgotten, Noted
from rules.game import building
from rules.names import SOMEBODY, Erasure
from rules.table import Table
from rules.values import replace

_Thing = TypeVar("_Thing")
FORGOTTEN = Forgotten(SOMEBODY)
"""What the entry tells that says so."""
_OWN = [table for table in METADATA.sorted_tables if "player_id" in table.c]
"""The tables with rows that are one person's alone."""
_STEPS = select(*(entry.c[name] for name in ("number", "actor_id", "actor_name", "facts")))
_WHERE = select(*(entry.c[name] for name in ("number", "position", "parent", "tip")))
SLICE = 200
"""So many rows are read or changed in one go, so that others are served in between."""
_OF_ROW = (entry.c.campaign_id == bindparam("of"), entry.c.number == bindparam("at_number"))


@dataclass(frozen=True, slots=True)
class PreparedForgetting:
    """The rows of a campaign without a person, prepared when its newest entry was `number`.

    `entries` are the states and steps to change, `names` the names to remove from builds, `last` the new last
    entry; it is None if there is nothing to change.
    """

    of: int
    person: int
    number: int
    entries: tuple[Sequence[Mapping[str, Any]], ...] = ()
    damaged: Sequence[int] = ()
    names: frozenset[str] = frozenset()
    last: Mapping[str, Any] | None = None


async def campaigns_of(engine: AsyncEngine, person: int) -> list[CampaignLine]:
    """Return the campaigns that know a person, oldest first."""
    own = union(*(select(table.c.campaign_id).where(table.c.player_id == person) for table in _OWN))
    wanted = select(campaign).where(campaign.c.id.in_(own)).order_by(campaign.c.created_at)

    async def look(connection: AsyncConnection) -> list[CampaignLine]:
        return [line_of(row) for row in await connection.execute(wanted)]

    return await when_there(engine, look)


async def led_alone_by(engine: AsyncEngine, gm: int) -> list[int]:
    """Return the campaigns whose only GM that person is."""
    other = seat.alias("other")
    others = select(other.c.player_id).where(
        other.c.campaign_id == seat.c.campaign_id, other.c.player_id != gm, other.c.is_gm
    )
    wanted = select(seat.c.campaign_id).where(seat.c.player_id == gm, seat.c.is_gm, ~others.exists())

    async def look(connection: AsyncConnection) -> list[int]:
        return list((await connection.execute(wanted)).scalars())

    return await when_there(engine, look)


async def steps_by(engine: AsyncEngine, of: int, person: int) -> list[LogStep]:
    """Return every step of a campaign that a person made, oldest first."""
    wanted = STEP.where(entry.c.campaign_id == of, entry.c.actor_id == person)

    async def look(connection: AsyncConnection) -> list[LogStep]:
        return [step_of(row) for row in await _sliced(connection, wanted)]

    return await when_there(engine, look)


async def names_of(engine: AsyncEngine, of: Collection[int], person: int) -> dict[int, dict[str, int]]:
    """Return the names that a person used, by campaign: each name with its number of steps, in order."""
    theirs = (entry.c.campaign_id.in_(of), entry.c.actor_id == person)
    wanted = select(entry.c.campaign_id, entry.c.actor_name, func.count().label("steps")).where(*theirs)
    wanted = wanted.group_by(entry.c.campaign_id, entry.c.actor_name).order_by(func.min(entry.c.number))

    async def look(connection: AsyncConnection) -> dict[int, dict[str, int]]:
        found: dict[int, dict[str, int]] = {each: {} for each in of}
        for row in await connection.execute(wanted):
            found[row.campaign_id][row.actor_name] = row.steps
        return found

    return await when_there(engine, look)


async def prepare_forgetting(engine: AsyncEngine, of: int, person: int, at: datetime) -> PreparedForgetting:
    """Prepare the rows of a campaign without a person."""

    async def look(connection: AsyncConnection) -> PreparedForgetting:
        return await _prepared(of, person, at, connection)

    return await when_there(engine, look)


async def rewrite_forgotten(of: int, person: int, at: datetime, connection: AsyncConnection) -> None:
    """Remove a person from every row of a campaign, and add an entry that says so."""
    await connection.execute(select(campaign.c.id).where(campaign.c.id == of).with_for_update())
    await write_forgotten(await _prepared(of, person, at, connection), connection)


async def write_forgotten(made: PreparedForgetting, connection: AsyncConnection) -> bool:
    """Write the prepared rows if nothing has happened in the campaign meanwhile; return whether it did so."""
    of, person = made.of, made.person
    # On PostgreSQL this holds up whoever adds an entry, whose foreign key needs that row.
    await connection.execute(select(campaign.c.id).where(campaign.c.id == of).with_for_update())
    newest = select(func.max(entry.c.number)).where(entry.c.campaign_id == of)
    if ((await connection.execute(newest)).scalar() or 0) != made.number:
        return False
    for table in _OWN:
        theirs = (table.c.campaign_id == of, table.c.player_id == person)
        await connection.execute(delete(table).where(*theirs))
    deleter = (campaign.c.id == of, campaign.c.deleted_by == person)
    await connection.execute(update(campaign).where(*deleter).values(deleted_by=NOBODY.id))
    if made.last is None:
        return True
    for rows in made.entries:
        async for start in _each(range(0, len(rows), SLICE)):
            some = [dict(row) for row in rows[start : start + SLICE]]
            await connection.execute(update(entry).where(*_OF_ROW), some)
    if made.damaged:  # nobody can read whom they tell of
        gone = (entry.c.campaign_id == of, entry.c.number.in_(made.damaged))
        await connection.execute(update(entry).where(*gone).values(state=None))
    await _write_builds(connection, of, made.names)
    await connection.execute(insert(entry), dict(made.last))
    return True


async def _prepared(of: int, person: int, now: datetime, connection: AsyncConnection) -> PreparedForgetting:
    last_step = _WHERE.where(entry.c.campaign_id == of).order_by(entry.c.number.desc()).limit(1)
    newest = (await connection.execute(last_step)).first()
    if newest is None:
        return PreparedForgetting(of, person, 0)
    rows = await _sliced(connection, _STEPS.where(entry.c.campaign_id == of))
    kept = await packed_states(connection, of)
    is_told = any(row.actor_id == person for row in rows)
    is_told = is_told or _is_in((row.facts.encode() for row in rows), person)  # of who is quoted by others
    found, damaged = {row.actor_name for row in rows if row.actor_id == person}, list[int]()
    async for state in unpacked(kept):
        if state.table is None:
            damaged.append(state.number)
        else:
            is_told = is_told or _is_in((state.text,), person)
            found |= privacy.names_on(state.table, person)
    if not is_told:
        return PreparedForgetting(of, person, newest.number)
    names = await _names(kept, privacy.known_as(person, found), person)
    shared = frozenset[str]()
    async for _, table in _tables(kept):
        shared |= privacy.common(table, names)
    own = frozenset(row.number for row in rows if row.actor_id == person)
    states, last_table, left = await _without(of, kept, person, names, shared, _noted(rows, person))
    who = Erasure(person, names, left, shared, own)
    steps = [each async for row in _each(rows) if (each := _step(of, row, who))]
    said = codec.write_facts((FORGOTTEN,))
    at = (newest.position, newest.parent, newest.tip)
    step = LogStep(newest.number + 1, NOBODY, now, said, *at)
    last = Entry(of, step, last_table)
    text = codec.write(last.table)
    await asyncio.sleep(0)
    row = row_of(last, 0, last.number, codec.pack(text))
    return PreparedForgetting(of, person, newest.number, (states, steps), damaged, names, row)


async def _names(kept: Sequence[PackedState], names: frozenset[str], person: int) -> frozenset[str]:
    """All the names that a campaign knows a person by, those of characters named after them among these."""
    after = set[str]()
    async for _, table in _tables(kept):
        after |= {table.characters[who].name for who in privacy.named_after(table, person, names)}
    return names | after


async def _tables(kept: Sequence[PackedState]) -> AsyncIterator[tuple[State, Table]]:
    """The states that can be read, one at a time: a campaign's tables together may be large."""
    async for state in unpacked(kept):
        if state.table is not None:
            yield state, state.table


async def _without(
    of: int,
    kept: Sequence[PackedState],
    person: int,
    names: frozenset[str],
    shared: frozenset[str],
    noted: frozenset[str],
) -> tuple[list[dict[str, Any]], Table, frozenset[str]]:
    """The states without a person: the rows to change, the newest table, and the names no character has.

    A row is packed anew where its state has changed, or the keyframe that it is packed against.
    """
    changed, left, last = list[dict[str, Any]](), names, Table()
    key, is_key_same = b"", True
    async for state, before in _tables(kept):
        table = privacy.forgotten(before, person, names, shared, noted)
        await asyncio.sleep(0)  # at a table of 1 MB each of these takes 10 to 20 ms
        text = state.text
        if table != before:
            await asyncio.sleep(0)
            text = codec.write(table)
        await asyncio.sleep(0)
        # What the rules know of is gone. Walking every field takes much longer, so only where the id is left.
        if _is_in((text,), person):
            table = privacy.without_id(table, person)
            text = codec.write(table)
        is_key = state.number == state.base
        if is_key:
            key, is_key_same = text, text == state.text
        if text != state.text or not is_key_same:
            packed = codec.pack(text, None if is_key else key)
            changed.append({"of": of, "at_number": state.number, "state": packed})
        left = privacy.without_others(left, (table,))
        last = max(last, table, key=lambda each: each.number)
    return changed, last, left


def _noted(rows: Sequence[Row[Any]], person: int) -> frozenset[str]:
    """The texts of the open notes that a person typed: a table doesn't say who noted what."""
    facts = (fact for row in rows if row.actor_id == person for fact in codec.read_facts(row.facts))
    return frozenset(fact.text for fact in facts if isinstance(fact, Noted) and fact.is_open)


async def _write_builds(connection: AsyncConnection, of: int, names: frozenset[str]) -> None:
    """Take their names off what others build."""
    rows = (await connection.execute(select(build).where(build.c.campaign_id == of))).all()
    for row in rows:
        before = codec.read_build(row.state)
        theirs = (build.c.campaign_id == of, build.c.player_id == row.player_id)
        if before is None:  # nobody can read whom it tells of
            await connection.execute(delete(build).where(*theirs))
            continue
        game = building()
        after = before if game is None else game.forgotten_build(before, names)
        if after != before:
            await connection.execute(update(build).where(*theirs).values(state=codec.write_build(after)))


def _step(of: int, row: Row[Any], who: Erasure) -> dict[str, Any] | None:
    """Return the row of a step without somebody, or None where it tells nothing of them."""
    is_theirs = row.actor_id == who.person
    facts = _rewritten(row.facts, replace(who, is_author=is_theirs))
    if not is_theirs and facts == row.facts:
        return None
    author = NOBODY if is_theirs else Author(row.actor_id, row.actor_name)
    return {
        "of": of,
        "at_number": row.number,
        "actor_id": author.id,
        "actor_name": author.name,
        "facts": facts,
    }


def _rewritten(text: str, who: Erasure) -> str:
    """Return facts as they are kept without somebody; the same text where they tell nothing of them."""
    before = codec.read_facts(text)
    after = privacy.without_id(privacy.forgotten_facts(before, who), who.person)
    is_same = after == before and not codec.has_aside(text)  # nobody can read of whom that tells
    return text if is_same else codec.write_facts(after)


async def _sliced(connection: AsyncConnection, wanted: Select[Any]) -> list[Row[Any]]:
    """Rows of entries of one campaign, read slice by slice, the oldest first."""
    rows: list[Row[Any]] = []
    while True:
        last = rows[-1].number if rows else 0
        some = wanted.where(entry.c.number > last).order_by(entry.c.number).limit(SLICE)
        found = (await connection.execute(some)).all()
        rows += found
        if len(found) < SLICE:
            return rows


async def _each(things: Iterable[_Thing]) -> AsyncIterator[_Thing]:
    """One after the other; others are served in between."""
    for thing in things:
        yield thing
        await asyncio.sleep(0)


def _is_in(texts: Iterable[bytes], person: int) -> bool:
    digits = b"%d" % person
    said = re.compile(rb"(?<![0-9])%b(?![0-9])" % digits)
    return any(digits in text and said.search(text) for text in texts)  # looking for bytes alone is quick


FORGETTING = 5
"""So often forgetting somebody is worked out beside those who play, before they have to wait for it."""


class People:
    """The people whom campaigns know."""

    def __init__(self, engine: AsyncEngine, recorder: Recorder) -> None:
        self._engine = engine
        self._recorder = recorder

    async def campaigns_of(self, person: int) -> list[CampaignLine]:
        """Return the campaigns that know a person, by a step or in a state, oldest first."""
        return await campaigns_of(self._engine, person)

    async def led_alone_by(self, gm: int) -> list[int]:
        """Return the campaigns whose only GM that person is."""
        return await led_alone_by(self._engine, gm)

    async def steps_by(self, campaign: int, person: int) -> list[LogStep]:
        """Return every step of a campaign that a person made, oldest first."""
        return await steps_by(self._engine, campaign, person)

    async def names_of(self, campaigns: Collection[int], person: int) -> dict[int, dict[str, int]]:
        """Return the names that a person used, by campaign: each name with its number of steps."""
        return await names_of(self._engine, campaigns, person)

    async def forget(self, campaign: int, person: int) -> None:
        """Delete a person from a campaign for good: their id and names leave all its rows.

        What happened stays, done by somebody. The rows change in one transaction with a new last entry, so
        that a concurrent command that read the old rows collides with it and retries. The new rows are
        prepared while others play; if they play too fast for that, they have to wait.
        """
        for _ in range(FORGETTING):
            made = await prepare_forgetting(self._engine, campaign, person, self._recorder.clock.now())
            is_written: list[bool] = []

            async def write(connection: AsyncConnection, made: PreparedForgetting = made) -> None:
                is_written[:] = [await write_forgotten(made, connection)]  # noqa: B023 - called at once

            await self._recorder.write(campaign=campaign, last=write)
            if is_written == [True]:
                return
        rewrite = partial(rewrite_forgotten, campaign, person, self._recorder.clock.now())
        await self._recorder.write(campaign=campaign, last=rewrite)
