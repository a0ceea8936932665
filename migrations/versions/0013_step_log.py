"""Where the steps of a campaign are told as well, and by which messages."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "step_log",
        sa.Column("campaign_id", sa.BigInteger(), nullable=False),
        sa.Column("place_id", sa.BigInteger(), nullable=False),
        sa.Column("parent_id", sa.BigInteger(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_step_log_campaign_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", name="pk_step_log"),
    )
    op.create_table(
        "step_line",
        sa.Column("campaign_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("answer_place_id", sa.BigInteger(), nullable=False),
        sa.Column("answer_id", sa.BigInteger(), nullable=False),
        sa.Column("sign", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_step_line_campaign_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "number", name="pk_step_line"),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("step_line")
    op.drop_table("step_log")
