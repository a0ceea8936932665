"""`maintain`: making the database small and quick again."""

from bot.settings import BotSettings
from bot.store import maintenance
from bot.store.owner import Occupied
from bot.upkeep.outcome import OrderOutcome, OrderRefused, many, size
from bot.upkeep.state import require_current


async def maintain(chosen: BotSettings) -> OrderOutcome:
    """Do it. Raises OrderRefused, and what reaching the database raises."""
    await require_current(chosen)
    try:
        done = await maintenance.maintain(chosen.database_url)
    except Occupied as error:
        raise OrderRefused(str(error)) from error
    sizes = f"size before {size(done.before)}, now {size(done.after)}"
    return OrderOutcome((f"Maintenance done: {many(done.expired, 'expired row')} deleted; {sizes}.",))
