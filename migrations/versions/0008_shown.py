"""Which messages show rolls, and what waits for somebody's press."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "shown",
        sa.Column("message_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("campaign_id", sa.BigInteger(), nullable=False),
        sa.Column("roll", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("sign", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_shown_campaign_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("message_id", name="pk_shown"),
    )
    op.create_index("ix_shown_campaign_id", "shown", ["campaign_id"])
    op.create_index("ix_shown_at", "shown", ["at"])
    op.create_table(
        "waiting",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("interaction_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("kind", "interaction_id", name="pk_waiting"),
    )
    op.create_index("ix_waiting_person_id", "waiting", ["person_id"])
    op.create_index("ix_waiting_at", "waiting", ["at"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("waiting")
    op.drop_table("shown")
