"""`/pp` and `/hero`."""

import discord
from discord import Interaction, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.client.access import alone, gms_command, of_game
from bot.client.request import actor
from bot.cogs.base import Group
from bot.cogs.cortex.options import HeroDie, Payer, Payers
from bot.cogs.options import RatingText, Several, ShortNote, Who
from bot.services.play import Play
from rules.cortex import points, spending


class PlotPoints(Group, commands.GroupCog, name="pp", description="Plot points"):
    """Commands for plot points."""

    game = "cortex"

    def __init__(self, play: Play) -> None:
        super().__init__(play)
        menu = app_commands.ContextMenu(name="Give 1 PP", callback=self.give_one)
        self.menu = of_game(self.game)(menu)

    @alone
    @app_commands.command(name="show", description="Show everyone's plot points")
    async def show_points(self, interaction: Interaction) -> None:
        """Show everybody's plot points privately."""
        await self.show(interaction, "pp")

    @gms_command(description="Give plot points")
    @app_commands.describe(
        who="A character, several separated by commas, all or GM",
        number="How many points. Default: 1",
        why="The reason",
    )
    async def give(self, interaction: Interaction, who: Payers, number: int = 1, why: ShortNote = "") -> None:
        """Give plot points to characters."""
        await self.change(
            interaction, lambda table, actor: points.give_points(table, actor, who, number, why)
        )

    @app_commands.command(description="Spend your character's plot points")
    @app_commands.describe(
        number="How many points. Default: 1", why="The reason", who="Which character. Default: yours"
    )
    async def spend(
        self, interaction: Interaction, number: int = 1, why: ShortNote = "", who: Payer | None = None
    ) -> None:
        """Spend a character's plot points."""
        await self.change(
            interaction, lambda table, actor: points.spend_points(table, actor, number, why, who)
        )

    @gms_command(name="set", description="Set someone's plot points to a number")
    @app_commands.describe(
        who="A character, several separated by commas, all or GM", number="The new number of plot points"
    )
    async def set_points(self, interaction: Interaction, who: Payers, number: int) -> None:
        """Set the number of characters' plot points."""
        await self.change(interaction, lambda table, actor: points.set_points(table, actor, who, number))

    @app_commands.command(description="Move plot points from one character to another")
    @app_commands.describe(
        to="The character that gets the plot points",
        number="How many points. Default: 1",
        who="The character that gives the plot points",
    )
    async def move(self, interaction: Interaction, to: Who, number: int = 1, who: Who | None = None) -> None:
        """Move plot points from one character to another."""
        await self.change(interaction, lambda table, actor: points.move_points(table, actor, to, number, who))

    async def give_one(self, interaction: Interaction, user: discord.User | discord.Member) -> None:
        """Give 1 PP to the character that a member plays, by context menu (GM)."""
        player = actor(user)
        await self.change(interaction, lambda table, by: points.give_to_player(table, by, player))


_AS = [Choice(name="total", value="total"), Choice(name="effect", value="effect")]


class HeroDice(Group, commands.GroupCog, name="hero", description="Hero dice"):
    """Commands for hero dice."""

    game = "cortex"

    @gms_command(description="Give someone a hero die")
    @app_commands.describe(who="A character, several separated by commas, or all", die="The die, such as d8")
    async def give(self, interaction: Interaction, who: Several, die: RatingText) -> None:
        """Give a hero die to characters."""
        await self.change(interaction, lambda table, actor: points.give(table, actor, who, die))

    @alone
    @app_commands.command(name="show", description="Show everyone's hero dice")
    async def show_hero(self, interaction: Interaction) -> None:
        """Show all hero dice privately."""
        await self.show(interaction, "hero")

    @app_commands.command(description="Use a hero die on your last roll, for 1 PP")
    @app_commands.rename(as_="as")
    @app_commands.choices(as_=_AS)
    @app_commands.describe(
        die="Which hero die. Default: your largest",
        as_="Roll the die and add it to the total, or use it as the effect die",
    )
    async def use(self, interaction: Interaction, die: HeroDie | None = None, as_: str = "total") -> None:
        """Add a hero die to a roll."""
        await self.change(
            interaction,
            lambda table, actor: spending.use_last_hero(
                table, actor, throw=self.play.throw, die=die, as_effect=as_ == "effect"
            ),
        )
