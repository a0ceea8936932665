"""The bare bot to compare with: one command, one line of answer."""

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


async def pong(it: discord.Interaction) -> None:
    """Answer with one line."""
    await it.response.send_message("pong")


if __name__ == "__main__":
    # As `bot.client.point_at` does it; importing that would import all that a bare bot does without.
    discord.http.Route.BASE = sys.argv[1]
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sys.argv[2])
    Bare().run(sys.argv[3], log_handler=None)
