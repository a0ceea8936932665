"""`maintain`: making the database small and quick again."""

from bot.settings import Settings
from bot.store import maintenance
from bot.store.owner import Occupied
from bot.upkeep.outcome import Outcome, Refused, size
from bot.upkeep.state import require_current


async def maintain(chosen: Settings) -> Outcome:
    """Do it. Raises Refused, and what reaching the database raises."""
    await require_current(chosen.database_url)
    try:
        done = await maintenance.maintain(chosen.database_url)
    except Occupied as error:
        raise Refused(str(error)) from error
    return Outcome(
        (
            f"The database is in order: {done.expired} rows had had their time; it had {size(done.before)} "
            f"and has {size(done.after)}.",
        )
    )
