"""`/hero`: hero dice, given and used (Z1, Z2)."""

from discord import Interaction, app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.cogs.base import Group
from bot.cogs.cortex.dice_options import HeroDie
from bot.cogs.options import Several
from bot.ui.reach import alone, gms_command
from rules.cortex import hero, spending

_AS = [Choice(name="total", value="total"), Choice(name="effect", value="effect")]


class HeroDice(Group, commands.GroupCog, name="hero", description="Hero dice"):
    """Hero dice come by heroic successes or from the GM, and go for a PP."""

    @gms_command(description="Give someone a hero die")
    @app_commands.describe(who="A character, several separated by commas, or all", die="The die, such as d8")
    async def give(self, it: Interaction, who: Several, die: str) -> None:
        """Somebody has one more hero die."""
        await self.change(it, hero.give, who=who, die=die)

    @alone
    @app_commands.command(name="show", description="Show everyone's hero dice")
    async def show_hero(self, it: Interaction) -> None:
        """All hero dice, to the caller alone."""
        await self.show(it, "hero")

    @app_commands.command(description="Use a hero die on your last roll, for 1 PP")
    @app_commands.rename(as_="as")
    @app_commands.choices(as_=_AS)
    @app_commands.describe(
        die="Which hero die. Default: your largest",
        as_="Roll the die and add it to the total, or use it as the effect die",
    )
    async def use(self, it: Interaction, die: HeroDie | None = None, as_: str = "total") -> None:
        """A hero die joins a roll."""
        await self.change(
            it, spending.use_last_hero, throw=self.play.throw, die=die, as_effect=as_ == "effect"
        )
