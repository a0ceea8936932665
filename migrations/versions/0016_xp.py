"""XP that every game shares, which an older program would lose: tables stay as they are."""

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change nothing: what is kept is lifted as it is read, and an older program refuses what comes to it."""


def downgrade() -> None:
    """Change nothing."""
