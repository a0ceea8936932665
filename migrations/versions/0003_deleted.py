"""When a campaign was deleted, and by whom: for a time it can be brought back."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column("campaign", sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("campaign", sa.Column("deleted_by", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Drop the columns; what was deleted is gone with them."""
    op.execute("DELETE FROM campaign WHERE deleted_at IS NOT NULL")
    op.drop_column("campaign", "deleted_by")
    op.drop_column("campaign", "deleted_at")
