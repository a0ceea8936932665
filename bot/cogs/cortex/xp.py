"""`/xp`: experience points, with reasons."""

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group
from bot.cogs.options import Several, Who
from bot.ui.reach import alone, gms_command
from rules.cortex import points


class Experience(Group, commands.GroupCog, name="xp", description="Experience points"):
    """XP are given and spent."""

    @gms_command(description="Give XP to one character, several or all")
    @app_commands.describe(who="Recipients", number="How many points. Default: 1", why="The reason")
    async def give(self, it: Interaction, who: Several, number: int = 1, why: str = "") -> None:
        """Somebody has more XP."""
        await self.change(it, points.give_xp, who=who, number=number, why=why)

    @app_commands.command(description="Spend your character's XP")
    @app_commands.describe(
        number="How many points. Default: 1", why="What it's for", who="Which character. Default: yours"
    )
    async def spend(self, it: Interaction, number: int = 1, why: str = "", who: Who | None = None) -> None:
        """Somebody has fewer XP."""
        await self.change(it, points.spend_xp, number=number, why=why, who=who)

    @alone
    @app_commands.command(name="show", description="Show everyone's XP")
    async def show_xp(self, it: Interaction) -> None:
        """All XP, to the caller alone."""
        await self.show(it, "xp")
