"""Whom each campaign knows."""

import json
import re
import zlib
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

BLOCK, WINDOW = 8 * 1024, 24 * 1024
IDS = re.compile(rb'"(?:player|owner)":([0-9]+)|"([0-9]{15,20})":')
"""The ids of people in a state: of who plays, owns or has rolled, and as the keys of seats and last pools."""


def upgrade() -> None:
    """Make the table, and fill it from the entries."""
    person = op.create_table(
        "person",
        sa.Column("campaign_id", sa.BigInteger(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("is_gm", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_person_campaign_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "player_id", name="pk_person"),
    )
    op.create_index("ix_person_player_id", "person", ["player_id"])
    connection = op.get_bind()
    for campaign in connection.execute(sa.text("SELECT id FROM campaign")).scalars().all():
        rows = [
            {"campaign_id": campaign, "player_id": who, "is_gm": is_gm}
            for who, is_gm in known(connection, campaign).items()
        ]
        if rows:
            connection.execute(sa.insert(person), rows)


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("person")


def known(connection: sa.Connection, campaign: int) -> dict[int, bool]:
    """Whom a campaign knows, and whether they are its GM now."""
    actors = sa.text("SELECT DISTINCT actor_id FROM entry WHERE campaign_id = :of")
    found = set(connection.execute(actors, {"of": campaign}).scalars())
    gms: set[int] = set()
    for text in states(connection, campaign):
        found |= {int(one or other) for one, other in IDS.findall(text)}
        gms = {int(who) for who in json.loads(text)["table"].get("gms", {})}
    return {who: who in gms for who in found | gms if 0 < who < 2**63}


def states(connection: sa.Connection, campaign: int) -> Iterator[bytes]:
    """The states that are kept of a campaign, the newest last, as they were packed when this was written."""
    wanted = sa.text(
        "SELECT number, base, state FROM entry WHERE campaign_id = :of AND state IS NOT NULL ORDER BY number"
    )
    keys: dict[int, bytes] = {}
    for number, base, state in connection.execute(wanted, {"of": campaign}):
        if number == base:
            keys[number] = zlib.decompress(state)
        yield keys[number] if number == base else unpacked(state, keys[base])


def unpacked(state: bytes, key: bytes) -> bytes:
    """A state that is packed block by block against its keyframe."""
    text = b""
    while state:
        start = len(text)
        around = key[max(0, start - BLOCK) : start - BLOCK + WINDOW] if start else key[:WINDOW]
        unpacker = zlib.decompressobj(zdict=around)
        text += unpacker.decompress(state)
        state = unpacker.unused_data
    return text
