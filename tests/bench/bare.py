"""The bare bot to compare with: one command, one line of answer.

It has the extra `speed` where that is installed, as the bot has.
"""

import asyncio
import contextlib
import sys

import discord
import yarl
from discord import app_commands


class Bare(discord.Client):
    """A client with one command."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self.tree.command(name="pong", description="Pong")(pong)

    async def setup_hook(self) -> None:
        """Register the command."""
        await self.tree.sync()


async def pong(interaction: discord.Interaction) -> None:
    """Answer with one line."""
    await interaction.response.send_message("pong")


async def serve(api: str, gateway: str, token: str) -> None:
    """Answer until told to stop."""
    # As `bot.doomkeeper.point_at` does it; importing that would import all that a bare bot does without.
    discord.http.Route.BASE = api
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
    async with Bare() as bare:
        await bare.start(token)


if __name__ == "__main__":
    try:
        import uvloop
    except ModuleNotFoundError:
        factory = None
    else:
        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner, contextlib.suppress(KeyboardInterrupt):
        runner.run(serve(*sys.argv[1:]))
