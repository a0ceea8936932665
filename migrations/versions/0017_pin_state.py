"""Whether the message that shows a table is pinned, is to be pinned, or was unpinned by somebody."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; what is there counts as pinned."""
    op.add_column("pin", sa.Column("state", sa.Text, nullable=False, server_default="pinned"))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("pin", "state")
