"""The bare bot to compare with: one command, one line of answer."""

import sys

import discord
from discord import app_commands

from bot.client import point_at


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
    point_at(sys.argv[1], sys.argv[2])
    Bare().run(sys.argv[3], log_handler=None)
