"""What stands in the rows of campaigns and their steps, read."""

from typing import Any

from sqlalchemy import Row

from bot.store import codec, packing
from bot.store.cache import Newest, size_of
from bot.store.history import Author, Entry, LogStep, Move
from bot.store.schema import UNKNOWN
from rules.campaign.privacy import people
from rules.facts import Illegible
from rules.table import Table


def channels_of(moves: Any) -> frozenset[int]:
    """The channels of moves as they are kept; none of what is damaged."""
    return frozenset(move.channel for move in moves_of(moves) or () if move.channel)


def seats(table: Table) -> dict[int, bool]:
    """Whom a table knows, and whether they are GM."""
    return {who: who in table.gms for who in people(table)}


def step_of(row: Row[Any]) -> LogStep:
    """The step in a row; what cannot be read of it is told by the step."""
    moves = moves_of(row.moves)
    unread = () if moves is not None else (Illegible("moves"),)
    return LogStep(
        number=row.number,
        author=Author(row.actor_id, row.actor_name),
        at=row.at,
        # SQLite gives what was put there, whatever the column says.
        written=row.facts if isinstance(row.facts, str) else str(row.facts),
        position=row.position,
        parent=row.parent,
        tip=row.tip,
        undoes=row.undoes,
        redoes=row.redoes,
        moves=moves or (),
        secret=row.secret,
        interaction=row.interaction_id or 0,
        unread=unread if row.at != UNKNOWN else (*unread, Illegible("at")),
    )


def moves_of(found: Any) -> tuple[Move, ...] | None:
    """The moves in a row; None where they cannot be read."""
    if found is None:
        return ()
    try:
        moves = tuple(Move(*move) for move in found)
    except TypeError:
        return None
    ids = [number for move in moves for number in (move.channel, move.source or 0, move.target or 0)]
    return moves if all(isinstance(number, int) for number in ids) else None


def newest_in(row: Row[Any]) -> Newest | None:
    """The entry in a row, with its keyframe; None where its state is kept no longer, or is damaged."""
    if row.state is None:
        return None
    try:
        key = packing.unpack(row.state if row.base == row.number else row.key)
        text = key if row.base == row.number else packing.unpack(row.state, key)
        table = codec.read(text, row.number)
    except codec.FAULTS:
        return None
    is_deleted = row.deleted_at is not None
    read = Entry(row.campaign_id, step_of(row), table, deleted=is_deleted, rolls_only=row.rolls_only)
    return Newest(read, row.base, key, row.guild_id, seats(table), size_of(table, text, key))
