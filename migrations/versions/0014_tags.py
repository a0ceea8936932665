"""Facts with tags of their own, which a program from before could not read: the tables stay as they are."""

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change nothing: what is kept is read as it is, and an older program refuses what comes to it."""


def downgrade() -> None:
    """Change nothing."""
