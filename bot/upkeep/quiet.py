"""A bot that Discord knows, and that does nothing: it asks over REST alone, and is not seen by anybody."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot import logs
from bot.client.bot import Doomkeeper, point_at
from bot.play import Play
from bot.serve import OutOfReach, Refused, log_in
from bot.settings import BotSettings
from bot.store.engine import connect
from bot.store.ledger import Ledger
from bot.upkeep.outcome import NotYet, OrderRefused

NO_TOKEN = (
    "DISCORD_TOKEN is not set. Copy the token from your application's Bot page at "
    "https://discord.com/developers/applications."
)


class Quiet(Doomkeeper):
    """A bot with all its commands, of which it registers none."""

    async def setup_hook(self) -> None:
        """Load the commands, and nothing else."""
        await self.load_all()


@asynccontextmanager
async def logged_in(
    chosen: BotSettings, ledger: Ledger | None = None, guild: int | None = None
) -> AsyncIterator[Quiet]:
    """The bot, with commands for one server if that is given. Raises OrderRefused and NotYet."""
    if chosen.discord_token is None:
        raise OrderRefused(NO_TOKEN)
    logs.set_up("WARNING", chosen.log_format)
    point_at(chosen.discord_api_url, chosen.discord_gateway_url)
    async with _some(ledger) as kept:
        bot = Quiet(Play(kept), kept, dev_guild=guild or chosen.dev_guild_id)
        try:
            await log_in(bot, chosen.discord_token.get_secret_value())
            yield bot
        except OutOfReach as error:
            raise NotYet(str(error)) from error
        except Refused as error:
            raise OrderRefused(str(error)) from error
        finally:
            await bot.close()


@asynccontextmanager
async def _some(ledger: Ledger | None) -> AsyncIterator[Ledger]:
    """That ledger, or an empty one in which nothing is looked up."""
    if ledger is not None:
        yield ledger
        return
    with tempfile.TemporaryDirectory() as folder:
        passing = Ledger(connect(f"sqlite:///{Path(folder) / 'passing.db'}"))
        try:
            yield passing
        finally:
            await passing.close()
