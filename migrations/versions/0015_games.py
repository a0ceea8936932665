"""What each game has in a part of its own, which an older program would lose: tables stay as they are."""

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change nothing: what is kept is lifted as it is read, and an older program refuses what comes to it."""


def downgrade() -> None:
    """Change nothing."""
