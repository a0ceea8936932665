"""`doctor`: looking through the whole database, and mending it."""

from contextlib import suppress

from bot.clock import SYSTEM
from bot.settings import BotSettings
from bot.store.charts import Checkup, Finding
from bot.store.copies import CopyState
from bot.store.doctor import examine
from bot.store.owner import Occupied
from bot.store.revision import Unstamped
from bot.upkeep.outcome import OrderOutcome, OrderRefused, many, size
from bot.upkeep.state import require_current

FOUND = 1
"""The exit code where something is not well and not mended."""


async def doctor(chosen: BotSettings, *, repairs: bool) -> OrderOutcome:
    """Read all of it, and mend it if it `repairs`. Raises OrderRefused, and what reaching it raises."""
    with suppress(Unstamped):  # that is one of the things it finds
        await require_current(chosen)
    health = Checkup()
    try:
        found = [one async for one in examine(chosen.database_url, health, repairs=repairs)]
    except Occupied as error:
        raise OrderRefused(str(error)) from error
    if health.copies.is_failing(chosen.backup_every, SYSTEM.now()):
        found.append(_not_copied(health.copies))
    code = FOUND if any(one.is_open for one in found) else 0
    return OrderOutcome((*(one.sentence for one in found), whole(health, found)), code)


def _not_copied(copies: CopyState) -> Finding:
    """Return the finding that the automatic backup fails."""
    last = (
        f"The last backup is from {copies.made:%Y-%m-%d %H:%M} UTC" if copies.made else "There are none yet"
    )
    return Finding(f"The automatic backup is failing; the bot's log says why. {last}.", is_open=True)


def whole(health: Checkup, found: list[Finding]) -> str:
    """How it went, and how large everything is."""
    said = "Problems found" if any(one.is_open for one in found) else "All OK"
    sizes = f"the largest has {size(health.largest)}" if health.campaigns else "no campaigns yet"
    counted = f"{many(health.campaigns, 'campaign')}, {many(health.entries, 'entry', 'entries')}"
    return f"{said}: {counted}, {size(health.bytes)}; {sizes}."
