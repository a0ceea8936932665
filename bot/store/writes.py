"""What is written of an entry, and of the campaign and channels that it changes."""

from typing import Any

from sqlalchemy import delete, insert, select, update

from bot.store import schema
from bot.store.history import Entry, Move
from bot.store.writer import Write

KEPT = 6_000
"""How many of a campaign's last entries keep their states, at least: 60 sessions of 100 steps."""
_OLDEST = schema.entry.alias("oldest")


def row_of(entry: Entry, interaction: int, base: int, state: bytes) -> dict[str, Any]:
    """The row of an entry, its state packed against the keyframe `base`."""
    step = entry.step
    return {
        "campaign_id": entry.campaign,
        "number": step.number,
        "actor_id": step.author.id,
        "actor_name": step.author.name,
        "at": step.at,
        "facts": step.written,
        "position": step.position,
        "parent": step.parent,
        "tip": step.tip,
        "undoes": step.undoes,
        "redoes": step.redoes,
        "interaction_id": interaction or None,
        "base": base,
        "state": state,
        "moves": [[move.channel, move.source, move.target] for move in step.moves] or None,
        "secret": step.secret,
    }


def founding(entry: Entry, guild: int) -> Any:
    """Note that there is a campaign."""
    return insert(schema.campaign).values(
        id=entry.campaign,
        guild_id=guild,
        name=entry.table.name,
        archived=entry.table.archived,
        created_at=entry.at,
        rolls_only=entry.rolls_only,
    )


def renaming(entry: Entry) -> Any:
    """Note what a campaign is called, and whether it is archived."""
    ours = schema.campaign.c.id == entry.campaign
    return update(schema.campaign).where(ours).values(name=entry.table.name, archived=entry.table.archived)


def deleting(entry: Entry) -> Any:
    """Note that a campaign is deleted, or that it is there again."""
    ours = schema.campaign.c.id == entry.campaign
    at, by = (entry.at, entry.author.id) if entry.deleted else (None, None)
    return update(schema.campaign).where(ours).values(deleted_at=at, deleted_by=by)


def beginning(entry: Entry) -> Any:
    """Note that a place where people only rolled has become a campaign."""
    ours = schema.campaign.c.id == entry.campaign
    return update(schema.campaign).where(ours).values(rolls_only=entry.rolls_only)


def pruning(entry: Entry) -> Any:
    """Drop the states that neither the last entries nor their packing need."""
    columns = schema.entry.c
    base = select(_OLDEST.c.base).where(
        _OLDEST.c.campaign_id == entry.campaign, _OLDEST.c.number == entry.number - KEPT + 1
    )
    unneeded = (columns.number < base.scalar_subquery(), columns.state.is_not(None))
    return update(schema.entry).where(columns.campaign_id == entry.campaign, *unneeded).values(state=None)


def binding(move: Move) -> Write:
    """Note which campaign a channel shows."""
    columns = schema.channel.c
    if move.source is None:
        return Write(insert(schema.channel).values(channel_id=move.channel, campaign_id=move.target))
    old = (columns.channel_id == move.channel, columns.campaign_id == move.source)
    if move.target is None:
        return Write(delete(schema.channel).where(*old), must_hit=True)
    return Write(update(schema.channel).where(*old).values(campaign_id=move.target), must_hit=True)
