"""`usage`: how much the bot is used, for whoever hosts it."""

from bot.clock import SYSTEM
from bot.settings import BotSettings
from bot.store.usage import Usage, usage
from bot.upkeep.outcome import OrderOutcome, many
from bot.upkeep.state import require_current


async def count(chosen: BotSettings) -> OrderOutcome:
    """Count it. Raises OrderRefused, and what reaching the database raises."""
    await require_current(chosen)
    return OrderOutcome(lines(await usage(chosen.database_url, SYSTEM.now())))


def lines(found: Usage) -> tuple[str, ...]:
    """The counts in words, the weeks from the first with a step on."""
    weeks = list(found.steps.items())
    while weeks and not weeks[0][1]:
        weeks.pop(0)
    return (
        *counts(found),
        *(f"Week of {monday:%Y-%m-%d}: {many(steps, 'step')}" for monday, steps in weeks),
        "Counted from the current data, so deleted data is not included. Nothing is sent anywhere.",
    )


def counts(found: Usage) -> tuple[str, str]:
    """How many servers, tables and people there are, in words."""
    return (
        f"{many(found.servers, 'server')}, {many(found.campaigns, 'active table')}; "
        f"{found.archived} archived, {found.rolls_only} with rolls only, "
        f"{found.deleted} deleted but still restorable.",
        f"{many(found.people, 'person', 'people')}, including {many(found.gms, 'GM')}.",
    )
