"""${message}."""

import sqlalchemy as sa
from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    """Say what this changes."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Say what this changes back."""
    ${downgrades if downgrades else "pass"}
