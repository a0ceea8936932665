"""What an operator's command asks of the database before it begins."""

import asyncio
from pathlib import Path

from bot.settings import BotSettings
from bot.store.engine import address, is_file
from bot.store.revision import known, revision
from bot.upkeep.outcome import OrderRefused


def copied(chosen: BotSettings) -> str:
    """Whether a start copies the database before it changes its tables."""
    if chosen.backup_dir or is_file(address(chosen.database_url)):
        return "A backup is made first."
    return "No backup is made first: set BACKUP_DIR, or make one yourself."


async def require_current(chosen: BotSettings) -> None:
    """Refuse a database that a start would change. Raises OrderRefused, and what revision.revision raises."""
    found = await revision(chosen.database_url)
    where = address(chosen.database_url)
    if found is None and is_file(where) and not await asyncio.to_thread(Path(str(where.database)).exists):
        raise OrderRefused(
            f"The database file {where.database} does not exist. The bot's first start creates it."
        )
    if found is None:
        raise OrderRefused("The database has no tables yet. The bot's first start creates them.")
    if found != known()[-1]:
        raise OrderRefused(
            f"The database has revision {found}, but this version needs {known()[-1]}. Start the bot once to "
            f"migrate it. {copied(chosen)}"
        )
