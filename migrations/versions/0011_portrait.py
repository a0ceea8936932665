"""Portraits that people upload for characters."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "portrait",
        sa.Column("campaign_id", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_portrait_campaign_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "digest", name="pk_portrait"),
    )
    op.create_index("ix_portrait_player_id", "portrait", ["player_id"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("portrait")
