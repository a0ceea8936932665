"""Forgetting a person in every row: states, steps, summaries; nothing of it can be brought back.

The states of a campaign are packed against each other, so they are all unpacked, changed and packed anew, in
one transaction. It ends with an entry of its own, a keyframe: a step that another command or process has
prepared on the old newest entry, and packed against an old keyframe, has the same number and is refused. The
table stays at the position where it was, so that entry is no step that could be undone.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import codec
from bot.store.history import Author, Entry, Step
from bot.store.reader import step_of
from bot.store.recorder import row_of
from bot.store.schema import METADATA, build, campaign, entry
from rules.cortex import forget
from rules.cortex.seats import SOMEBODY
from rules.cortex.table import Table

NOBODY = Author(0, SOMEBODY)
"""Who made the steps of a person who is forgotten."""
SUMMARY = f"{SOMEBODY} is forgotten, as they asked"
_OWN = [table for table in METADATA.sorted_tables if "player_id" in table.c]
"""The tables with rows that are one person's alone."""
_STATES = select(entry.c.number, entry.c.base, entry.c.state).where(entry.c.state.is_not(None))
_STEPS = select(*(column for column in entry.c if column.key not in ("state", "moves")))
_OF_ROW = (entry.c.campaign_id == bindparam("of"), entry.c.number == bindparam("at_number"))


@dataclass(frozen=True, slots=True)
class _Kept:
    """The states of a campaign, by step: what each is packed against, its text and its table.

    Those that are damaged are known by their numbers alone.
    """

    bases: Mapping[int, int]
    texts: Mapping[int, bytes]
    tables: Mapping[int, Table]
    damaged: Sequence[int]


async def campaigns_of(engine: AsyncEngine, person: int) -> list[int]:
    """The campaigns that know a person, one look at a time, so that nobody else waits."""
    async with engine.connect() as connection:
        acted = select(entry.c.campaign_id).where(entry.c.actor_id == person).distinct()
        own = [select(table.c.campaign_id).where(table.c.player_id == person) for table in _OWN]
        found = {of for wanted in (acted, *own) for of in (await connection.execute(wanted)).scalars()}
        known = (
            (await connection.execute(select(campaign.c.id).order_by(campaign.c.created_at))).scalars().all()
        )
        for one in known:
            if one not in found and _is_in((await _texts(connection, one))[1].values(), person):
                found.add(one)
    return [one for one in known if one in found]


async def steps_by(engine: AsyncEngine, of: int, person: int) -> list[Step]:
    """Every step of a campaign that a person made, oldest first."""
    theirs = (entry.c.campaign_id == of, entry.c.actor_id == person)
    async with engine.connect() as connection:
        rows = (await connection.execute(select(entry).where(*theirs).order_by(entry.c.number))).all()
    return [step_of(row) for row in rows]


async def rewrite(of: int, person: int, connection: AsyncConnection) -> None:
    """Change every row of a campaign that tells of a person, and add an entry that says so."""
    await connection.execute(select(campaign.c.id).where(campaign.c.id == of).with_for_update())
    for table in _OWN:
        theirs = (table.c.campaign_id == of, table.c.player_id == person)
        await connection.execute(delete(table).where(*theirs))
    deleter = (campaign.c.id == of, campaign.c.deleted_by == person)
    await connection.execute(update(campaign).where(*deleter).values(deleted_by=NOBODY.id))
    rows = (await connection.execute(_STEPS.where(entry.c.campaign_id == of))).all()
    kept = await _kept(connection, of)
    is_theirs = any(row.actor_id == person for row in rows)
    if not rows or not (is_theirs or _is_in(kept.texts.values(), person)):
        return
    tables = kept.tables
    names = _names(rows, tables, person)
    shared = forget.common(tables.values(), names)
    fresh = {number: forget.forgotten(table, person, names, shared) for number, table in tables.items()}
    await _write_states(connection, of, kept, tables, fresh)
    if kept.damaged:  # nobody can read whom they tell of
        gone = (entry.c.campaign_id == of, entry.c.number.in_(kept.damaged))
        await connection.execute(update(entry).where(*gone).values(state=None))
    left = forget.without_others(names, fresh.values())
    lines = {row.number: forget.line(row.summary, names, left, shared) for row in rows}
    await _write_steps(connection, of, rows, lines, person)
    await _write_builds(connection, of, names)
    newest = max(rows, key=lambda row: row.number)
    at = (newest.position, newest.parent, newest.tip)
    step = Step(newest.number + 1, NOBODY, datetime.now(UTC), SUMMARY, *at)
    last = Entry(of, step, fresh[max(fresh)] if fresh else Table())
    await connection.execute(insert(entry), row_of(last, 0, last.number, codec.pack(codec.write(last.table))))


def _names(rows: Sequence[Row[Any]], tables: Mapping[int, Table], person: int) -> frozenset[str]:
    """All the names that a campaign knows a person by, those of characters named after them among these."""
    found = {row.actor_name for row in rows if row.actor_id == person}
    for table in tables.values():
        found |= forget.names_on(table, person)
    names = forget.known_as(person, found)
    after = {
        table.characters[who].name
        for table in tables.values()
        for who in forget.named_after(table, person, names)
    }
    return names | after


async def _write_builds(connection: AsyncConnection, of: int, names: frozenset[str]) -> None:
    """Take their names off what others build."""
    rows = (await connection.execute(select(build).where(build.c.campaign_id == of))).all()
    for row in rows:
        before = codec.read_build(row.state)
        after = forget.forgotten_build(before, names)
        if after != before:
            theirs = (build.c.campaign_id == of, build.c.player_id == row.player_id)
            await connection.execute(update(build).where(*theirs).values(state=codec.write_build(after)))


async def _texts(connection: AsyncConnection, of: int) -> tuple[dict[int, int], dict[int, bytes]]:
    """What each state of a campaign is packed against, and the texts of those that are not damaged."""
    rows = (await connection.execute(_STATES.where(entry.c.campaign_id == of))).all()
    texts: dict[int, bytes] = {}
    for row in sorted(rows, key=lambda row: (row.base, row.number)):  # a keyframe first
        with suppress(*codec.FAULTS):
            texts[row.number] = codec.unpack(row.state, None if row.base == row.number else texts[row.base])
    return {row.number: row.base for row in rows}, texts


async def _kept(connection: AsyncConnection, of: int) -> _Kept:
    bases, texts = await _texts(connection, of)
    tables: dict[int, Table] = {}
    for number, text in texts.items():
        with suppress(*codec.FAULTS):
            tables[number] = codec.read(text, number)
    whole = {number for number in tables if bases[number] in tables}
    return _Kept(
        {number: bases[number] for number in whole},
        {number: texts[number] for number in whole},
        {number: tables[number] for number in whole},
        [number for number in bases if number not in whole],
    )


async def _write_states(
    connection: AsyncConnection,
    of: int,
    kept: _Kept,
    before: Mapping[int, Table],
    after: Mapping[int, Table],
) -> None:
    """Pack the states that have changed, and those that are packed against one that has."""
    changed = {number for number, table in after.items() if table != before[number]}
    texts = {n: codec.write(after[n]) if n in changed else text for n, text in kept.texts.items()}
    rows = [
        {
            "of": of,
            "at_number": number,
            "state": codec.pack(texts[number], None if base == number else texts[base]),
        }
        for number, base in kept.bases.items()
        if number in changed or base in changed
    ]
    if rows:
        await connection.execute(update(entry).where(*_OF_ROW), rows)


async def _write_steps(
    connection: AsyncConnection,
    of: int,
    rows: Sequence[Row[Any]],
    lines: Mapping[int, str],
    person: int,
) -> None:
    """Take their id and names off the steps."""
    changes = []
    for row in rows:
        is_theirs = row.actor_id == person
        line = lines[row.number]
        if is_theirs or line != row.summary:
            author = NOBODY if is_theirs else Author(row.actor_id, row.actor_name)
            changes.append(
                {
                    "of": of,
                    "at_number": row.number,
                    "actor_id": author.id,
                    "actor_name": author.name,
                    "summary": line,
                }
            )
    if changes:
        await connection.execute(update(entry).where(*_OF_ROW), changes)


def _is_in(texts: Iterable[bytes], person: int) -> bool:
    said = re.compile(rb"(?<![0-9])%d(?![0-9])" % person)
    return any(said.search(text) for text in texts)
