"""Which steps are kept from players."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; what happened before was told to all."""
    op.add_column("entry", sa.Column("secret", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("entry", "secret")
