"""`backup` and `restore`."""

from pathlib import Path

from bot.settings import Settings
from bot.store import backup as copies
from bot.store.copies import NoBackup
from bot.upkeep.outcome import Outcome, Refused, size


async def backup(chosen: Settings, path: Path) -> Outcome:
    """Copy the database. Raises Refused, and what reaching the database raises."""
    try:
        made = await copies.backup(chosen.database_url, path)
    except NoBackup as error:
        raise Refused(str(error)) from error
    return Outcome((f"The database is copied to {made}, {size(made.stat().st_size)}; the copy is sound.",))


async def restore(chosen: Settings, path: Path) -> Outcome:
    """Put a copy in the place of the database. Raises Refused, and what reaching the database raises."""
    try:
        seen = await copies.restore(chosen.database_url, path)
    except NoBackup as error:
        raise Refused(str(error)) from error
    return Outcome((f"The database is as {path} has it, revision {seen}; a start brings it up to date.",))
