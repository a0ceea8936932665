"""`sync`: registering the commands by hand."""

from collections.abc import Iterator
from contextlib import contextmanager

import aiohttp
import discord
from discord import app_commands

from bot.serve import BAD_TOKEN
from bot.settings import BotSettings
from bot.store.ledger import Ledger
from bot.ui.registered import Differences
from bot.upkeep.outcome import NotYet, OrderOutcome, OrderRefused
from bot.upkeep.quiet import logged_in
from bot.upkeep.state import require_current

TOO_MANY = 30034
"""Discord's code for as many new commands as an application may have in a day."""
UNKNOWN_TOKEN = 401
"""Discord's status for a token that it does not know."""
NO_SERVER = (10004, 50001)
"""Discord's codes for a server that is not there, or that the bot is not on."""


async def sync(chosen: BotSettings, guild: int | None, *, is_dry: bool) -> OrderOutcome:
    """Register the commands everywhere, or on one server; or say what that would change, if it `is_dry`.

    Raises OrderRefused, NotYet, and what reaching the database raises.
    """
    if is_dry:
        async with logged_in(chosen, guild=guild) as bot:
            with reaching("register commands", guild):
                differences = await bot.registered.differences()
        return OrderOutcome((f"Registering would change: {difference_words(differences)}.",))
    await require_current(chosen)
    # Shared: a bot may run meanwhile, and only notes are written.
    ledger = await Ledger.open(chosen.database_url, shared=True, prunes=False)
    try:
        async with logged_in(chosen, ledger, guild) as bot:
            with reaching("register commands", guild):
                differences = await bot.registered.differences()
                await bot.registered.register()
    finally:
        await ledger.close()
    return OrderOutcome((f"Commands registered: {difference_words(differences)}.",))


def difference_words(differences: Differences) -> str:
    """What registering changes, in words."""
    parts = [
        f"{len(names)} {what} ({', '.join(names)})"
        for names, what in (
            (differences.added, "added"),
            (differences.changed, "changed"),
            (differences.removed, "removed"),
        )
        if names
    ]
    return ", ".join([*parts, f"{differences.same} unchanged"]) if parts else "nothing"


@contextmanager
def reaching(doing: str, guild: int | None = None) -> Iterator[None]:
    """What Discord refuses, and that it is away, is said in one sentence. Raises OrderRefused and NotYet."""
    try:
        yield
    except app_commands.CommandSyncFailure as error:
        raise OrderRefused(f"Discord rejected the commands: {' '.join(str(error).split())}") from error
    except discord.HTTPException as error:
        if error.code in NO_SERVER:
            raise OrderRefused(
                f"The bot is not on the server with id {guild}. Check the id, or invite the bot first."
            ) from error
        if error.status >= 500 or error.code == TOO_MANY:
            raise NotYet(f"Discord can't {doing} right now: {_reason(error)}. Try again later.") from error
        if error.status == UNKNOWN_TOKEN:
            raise OrderRefused(BAD_TOKEN) from error
        raise OrderRefused(f"Discord rejected the request: {_reason(error)}.") from error
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        raise NotYet(f"Discord cannot be reached: {type(error).__name__}.") from error


def _reason(error: discord.HTTPException) -> str:
    return " ".join(error.text.split()).rstrip(".") or f"status {error.status}"
