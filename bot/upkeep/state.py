"""What an operator's command asks of the database before it begins."""

from bot.store.revision import known, revision
from bot.upkeep.outcome import Refused


async def require_current(url: str) -> None:
    """Refuse a database that a start would change. Raises Refused, and what revision.revision raises."""
    found = await revision(url)
    if found is None:
        raise Refused("The database has no tables yet. The first start makes them.")
    if found != known()[-1]:
        raise Refused(
            f"The database has revision {found}, this program {known()[-1]}. Start the bot once: that copies "
            "the database and brings it up to date."
        )
