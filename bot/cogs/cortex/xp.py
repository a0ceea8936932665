"""`/xp`: experience points, with reasons."""

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group
from bot.cogs.options import Several, Who
from bot.ui.reach import alone, gms_command
from rules.cortex.tools import xp


class Experience(Group, commands.GroupCog, name="xp", description="Experience points"):
    """XP are given and spent."""

    @gms_command(description="Give XP to a character, several or all")
    @app_commands.describe(who="To whom", number="How many; 1 if left out", why="A note of why")
    async def give(self, it: Interaction, who: Several, number: int = 1, why: str = "") -> None:
        """Somebody has more XP."""
        await self.change(it, xp.give, who=who, number=number, why=why)

    @app_commands.command(description="Spend XP of your character")
    @app_commands.describe(
        number="How many; 1 if left out", why="What for", who="Whose; your own if left out"
    )
    async def spend(self, it: Interaction, number: int = 1, why: str = "", who: Who | None = None) -> None:
        """Somebody has fewer XP."""
        await self.change(it, xp.spend, number=number, why=why, who=who)

    @alone
    @app_commands.command(name="show", description="Look at everybody's XP")
    async def show_xp(self, it: Interaction) -> None:
        """All XP, to the caller alone."""
        await self.show(it, "xp")
