"""`maintain`: making the database small and quick again."""

from bot.settings import BotSettings
from bot.store import maintenance
from bot.store.owner import Occupied
from bot.upkeep.outcome import OrderOutcome, OrderRefused, size
from bot.upkeep.state import require_current


async def maintain(chosen: BotSettings) -> OrderOutcome:
    """Do it. Raises OrderRefused, and what reaching the database raises."""
    await require_current(chosen)
    try:
        done = await maintenance.maintain(chosen.database_url)
    except Occupied as error:
        raise OrderRefused(str(error)) from error
    gone = "1 row had had its" if done.expired == 1 else f"{done.expired} rows had had their"
    sizes = f"it had {size(done.before)} and has {size(done.after)}"
    return OrderOutcome((f"The database is in order: {gone} time; {sizes}.",))
