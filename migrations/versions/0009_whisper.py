"""What people whisper to each other."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "whisper",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("sender_id", sa.BigInteger(), nullable=False),
        sa.Column("sender_name", sa.Text(), nullable=False),
        sa.Column("reader_id", sa.BigInteger(), nullable=False),
        sa.Column("reader_name", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_whisper"),
    )
    for column in ("sender_id", "reader_id", "at"):
        op.create_index(f"ix_whisper_{column}", "whisper", [column])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("whisper")
