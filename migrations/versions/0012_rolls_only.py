"""Places where people only roll dice, which are no campaigns."""

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

ROLLS = {"RollMade", "RollChanged", "OreRolled", "OreChanged", "OreClosed", "Undone", "Redone"}
"""What those who only roll dice have done; an effect that is applied is told beside it."""


def upgrade() -> None:
    """Add the mark, and mark those that have never held anything but rolls."""
    mark: sa.Column[bool] = sa.Column("rolls_only", sa.Boolean(), server_default=sa.false(), nullable=False)
    op.add_column("campaign", mark)
    there = op.get_bind()
    marked = sa.text("UPDATE campaign SET rolls_only = :yes WHERE id = :of")
    for of in [of for of in _plain(there) if all(map(_is_roll, _facts(there, of)))]:
        there.execute(marked, {"yes": True, "of": of})


def downgrade() -> None:
    """Drop the mark."""
    op.drop_column("campaign", "rolls_only")


def _plain(there: sa.Connection) -> list[int]:
    """The campaigns that may be no more: they are in use, and nobody leads them."""
    led = "SELECT 1 FROM person WHERE person.campaign_id = campaign.id AND person.is_gm"
    kept = f"NOT archived AND deleted_at IS NULL AND NOT EXISTS ({led})"
    return list(there.execute(sa.text(f"SELECT id FROM campaign WHERE {kept}")).scalars())


def _facts(there: sa.Connection, of: int) -> Iterator[str]:
    """What was done in a campaign, step by step."""
    wanted = sa.text("SELECT facts FROM entry WHERE campaign_id = :of ORDER BY number")
    yield from there.execute(wanted, {"of": of}).scalars()


def _is_roll(facts: str) -> bool:
    """Whether a step did nothing but roll dice; not where nobody can tell."""
    try:
        done: list[dict[str, Any]] = json.loads(facts)["facts"]
        return bool(done) and all(fact["fact"] in ROLLS for fact in done)
    except (ValueError, KeyError, TypeError):
        return False
