"""`/pp`: plot points (P1 to P3), and giving one by long press."""

import discord
from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group
from bot.cogs.cortex.options import Payer, Payers
from bot.cogs.options import Who
from bot.play import Play
from bot.ui.reach import alone, gms_command
from bot.ui.request import actor
from rules.cortex import points


class PlotPoints(Group, commands.GroupCog, name="pp", description="Plot points"):
    """Plot points are given, spent, set and moved."""

    def __init__(self, play: Play) -> None:
        super().__init__(play)
        self.menu = app_commands.ContextMenu(name="Give 1 PP", callback=self.give_one)

    @alone
    @app_commands.command(name="show", description="Show everyone's plot points")
    async def show_points(self, it: Interaction) -> None:
        """Everybody's plot points, to the caller alone."""
        await self.show(it, "pp")

    @gms_command(description="Give plot points")
    @app_commands.describe(
        who="A character, several separated by commas, all or GM",
        number="How many points. Default: 1",
        why="The reason",
    )
    async def give(self, it: Interaction, who: Payers, number: int = 1, why: str = "") -> None:
        """Characters get plot points."""
        await self.change(it, points.give_points, who=who, number=number, why=why)

    @app_commands.command(description="Spend your character's plot points")
    @app_commands.describe(
        number="How many points. Default: 1", why="The reason", who="Which character. Default: yours"
    )
    async def spend(self, it: Interaction, number: int = 1, why: str = "", who: Payer | None = None) -> None:
        """A character pays plot points."""
        await self.change(it, points.spend_points, number=number, why=why, who=who)

    @gms_command(name="set", description="Set someone's plot points to a number")
    @app_commands.describe(
        who="A character, several separated by commas, all or GM", number="The new number of plot points"
    )
    async def set_points(self, it: Interaction, who: Payers, number: int) -> None:
        """Characters have that many plot points."""
        await self.change(it, points.set_points, who=who, number=number)

    @app_commands.command(description="Move plot points from one character to another")
    @app_commands.describe(
        to="The character that gets the plot points",
        number="How many points. Default: 1",
        who="The character that gives the plot points",
    )
    async def move(self, it: Interaction, to: Who, number: int = 1, who: Who | None = None) -> None:
        """Plot points go from one character to another."""
        await self.change(it, points.move_points, to=to, number=number, who=who)

    async def give_one(self, it: Interaction, user: discord.User | discord.Member) -> None:
        """Give 1 PP to the character that a member plays, by long press (GM)."""
        await self.change(it, points.give_to_player, player=actor(user))
