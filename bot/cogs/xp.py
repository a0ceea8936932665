"""`/xp`: experience points, with reasons."""

from functools import partial

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group
from bot.cogs.options import Several, Who
from bot.ui.message import answer
from bot.ui.request import asked
from rules.cortex import xp


class Experience(Group, commands.GroupCog, name="xp", description="Experience points"):
    """XP are given and spent."""

    @app_commands.command(description="Give XP to a character, several or all (GM)")
    @app_commands.describe(who="To whom", number="How many; 1 if left out", why="A note of why")
    async def give(self, it: Interaction, who: Several, number: int = 1, why: str = "") -> None:
        """Somebody has more XP."""
        rule = partial(xp.give, who=who, number=number, why=why)
        await answer(it, await self.play.change(asked(it), rule))

    @app_commands.command(description="Spend XP of your character")
    @app_commands.describe(
        number="How many; 1 if left out", why="What for", who="Whose; your own if left out"
    )
    async def spend(self, it: Interaction, number: int = 1, why: str = "", who: Who | None = None) -> None:
        """Somebody has fewer XP."""
        rule = partial(xp.spend, number=number, why=why, who=who)
        await answer(it, await self.play.change(asked(it), rule))

    @app_commands.command(name="show", description="Look at everybody's XP")
    async def show_xp(self, it: Interaction) -> None:
        """All XP, to the caller alone."""
        await self.show(it, "xp")
