"""Which messages people said as characters."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "spoken",
        sa.Column("message_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("campaign_id", sa.BigInteger(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("webhook_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_spoken_campaign_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("message_id", name="pk_spoken"),
    )
    for column in ("campaign_id", "player_id", "at"):
        op.create_index(f"ix_spoken_{column}", "spoken", [column])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("spoken")
