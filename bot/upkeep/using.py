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
        "Counted from what is kept: what was deleted counts no more. Nothing of it is sent anywhere.",
    )


def counts(found: Usage) -> tuple[str, str]:
    """How many servers, tables and people there are, in words."""
    return (
        f"{many(found.servers, 'server')}, {many(found.campaigns, 'table')} in play; "
        f"{found.archived} put away, {found.rolls_only} of rolls alone, "
        f"{found.deleted} deleted and kept for a while.",
        f"{many(found.people, 'person', 'people')}, {found.gms} of them GM somewhere.",
    )
