"""The pools that people build."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "build",
        sa.Column("campaign_id", sa.BigInteger(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_build_campaign_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "player_id", name="pk_build"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("build")
