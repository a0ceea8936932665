"""What is due at a time."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "job",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("campaign_id", sa.BigInteger(), nullable=True),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_job_campaign_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", name="pk_job"),
    )
    op.create_index("ix_job_due", "job", ["due"])
    op.create_index("ix_job_campaign_id", "job", ["campaign_id"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("job")
