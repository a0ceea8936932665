"""The states that are kept of a campaign, read one after the other."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import codec, packing
from bot.store.schema import entry
from rules.table import Table

_STATES = select(entry.c.number, entry.c.base, entry.c.state).where(entry.c.state.is_not(None))


@dataclass(frozen=True, slots=True)
class State:
    """The state after a step: the keyframe that it is packed against, its text and its table.

    Where it is damaged, or its keyframe, there is no text and no table.
    """

    number: int
    base: int
    text: bytes = b""
    table: Table | None = None


class PackedState(NamedTuple):
    """The state after a step as it is kept: packed against its keyframe, or whole where it is one."""

    number: int
    base: int
    state: bytes


async def states(connection: AsyncConnection, of: int) -> AsyncIterator[State]:
    """The states of a campaign, a keyframe before those packed against it; others are served in between."""
    async for state in unpacked(await packed_states(connection, of)):
        yield state


async def packed_states(connection: AsyncConnection, of: int) -> Sequence[PackedState]:
    """The states of a campaign as they are kept, a keyframe before those packed against it."""
    rows = (await connection.execute(_STATES.where(entry.c.campaign_id == of))).all()
    return sorted((PackedState(*row) for row in rows), key=lambda row: (row.base, row.number))


async def unpacked(rows: Iterable[PackedState]) -> AsyncIterator[State]:
    """Read states in the order of `packed_states`, one at a time; others are served in between."""
    base, key = 0, None
    for row in rows:  # a keyframe has the number of its base
        if row.base != base:
            base, key = row.base, None
        read = State(row.number, row.base)
        if key is not None or row.number == row.base:
            with suppress(*codec.FAULTS):
                text = packing.unpack(row.state, key)
                await asyncio.sleep(0)  # at a table of 1 MB reading it takes 15 ms
                read = State(row.number, row.base, text, codec.read(text, row.number))
        if row.number == row.base and read.table is not None:
            key = read.text
        yield read
        await asyncio.sleep(0)
