"""`/xp`."""

from discord import Interaction, app_commands
from discord.ext import commands

from bot.client.access import alone, gms_command
from bot.client.forms import open_form
from bot.client.request import asked
from bot.cogs.base import Group
from bot.cogs.options import Several, ShortNote, Who
from bot.views.question import Pressed
from bot.views.xp import SPEND, spend_form
from rules.campaign.xp import give_xp, spend_xp


class Experience(Group, commands.GroupCog, name="xp", description="Experience points"):
    """Commands for XP."""

    @gms_command(description="Give XP to one character, several or all")
    @app_commands.describe(who="Recipients", number="How many points. Default: 1", why="The reason")
    async def give(
        self, interaction: Interaction, who: Several, number: int = 1, why: ShortNote = ""
    ) -> None:
        """Give XP to characters."""
        await self.change(interaction, lambda table, actor: give_xp(table, actor, who, number, why))

    @app_commands.command(description="Spend your character's XP")
    @app_commands.describe(
        number="How many points. Default: 1", why="What it's for", who="Which character. Default: yours"
    )
    async def spend(
        self, interaction: Interaction, number: int = 1, why: ShortNote = "", who: Who | None = None
    ) -> None:
        """Spend a character's XP; without a reason, ask for one."""
        if not why.strip():
            campaign, table = await self.play.see(asked(interaction))
            form = spend_form(table, asked(interaction).actor, number, who)
            await open_form(interaction, form, Pressed(SPEND, campaign, 0, ""))
            return
        await self.change(interaction, lambda table, actor: spend_xp(table, actor, number, why, who))

    @alone
    @app_commands.command(name="show", description="Show everyone's XP")
    async def show_xp(self, interaction: Interaction) -> None:
        """Show all XP privately."""
        await self.show(interaction, "xp")
