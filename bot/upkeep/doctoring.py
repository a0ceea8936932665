"""`doctor`: looking through the whole database, and mending it."""

from contextlib import suppress

from bot.settings import Settings
from bot.store.doctor import Finding, Health, examine
from bot.store.owner import Occupied
from bot.store.revision import Unstamped
from bot.upkeep.outcome import Outcome, Refused, many, size
from bot.upkeep.state import require_current

FOUND = 1
"""The exit code where something is not well and not mended."""


async def doctor(chosen: Settings, *, repairs: bool) -> Outcome:
    """Read all of it, and mend it if it `repairs`. Raises Refused, and what reaching the database raises."""
    with suppress(Unstamped):  # that is one of the things it finds
        await require_current(chosen)
    health = Health()
    try:
        found = [one async for one in examine(chosen.database_url, health, repairs=repairs)]
    except Occupied as error:
        raise Refused(str(error)) from error
    code = FOUND if any(one.is_open for one in found) else 0
    return Outcome((*(one.sentence for one in found), whole(health, found)), code)


def whole(health: Health, found: list[Finding]) -> str:
    """How it went, and how large everything is."""
    said = "Not all is well" if any(one.is_open for one in found) else "All is well"
    sizes = f"the largest has {size(health.largest)}" if health.campaigns else "nobody has played yet"
    counted = f"{many(health.campaigns, 'campaign')}, {many(health.entries, 'entry', 'entries')}"
    return f"{said}: {counted}, {size(health.bytes)}; {sizes}."
