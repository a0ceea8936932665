"""`backup` and `restore`."""

from pathlib import Path

from bot.settings import BotSettings
from bot.store import backup as copies
from bot.store.copies import NoBackup
from bot.store.revision import known
from bot.upkeep.outcome import OrderOutcome, OrderRefused, size


async def backup(chosen: BotSettings, path: Path) -> OrderOutcome:
    """Copy the database. Raises OrderRefused, and what reaching the database raises."""
    try:
        made = await copies.backup(chosen.database_url, path)
    except NoBackup as error:
        raise OrderRefused(str(error)) from error
    return OrderOutcome(
        (f"Database backed up to {made}, {size(made.stat().st_size)}. The backup was verified.",)
    )


async def restore(chosen: BotSettings, path: Path) -> OrderOutcome:
    """Put a copy in the place of the database. Raises OrderRefused, and what reaching the database raises."""
    try:
        seen = await copies.restore(chosen.database_url, path)
    except NoBackup as error:
        raise OrderRefused(str(error)) from error
    is_current = seen == known()[-1]
    then = "the current one" if is_current else f"which the next start migrates to {known()[-1]}"
    return OrderOutcome((f"Database restored from {path}, revision {seen}, {then}.",))
