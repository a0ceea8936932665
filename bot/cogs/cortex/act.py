"""`/act`: acts and their doom (M2)."""

from typing import Literal

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group
from bot.ui.reach import gms_command
from rules.campaign import scenes


class Acts(Group, commands.GroupCog, name="act", description="Start and end acts"):
    """What lives for an act."""

    @gms_command(description="Start an act, ending the current one")
    @app_commands.describe(
        dice="Doom dice to start the act with. Default: the campaign's setting, usually 2d6"
    )
    async def start(self, it: Interaction, dice: str | None = None) -> None:
        """An act begins."""
        await self.change(it, scenes.start_act, dice=dice)

    @gms_command(description="End the act; its doom dice are lost, unless a setting keeps them")
    @app_commands.describe(arc="Also end an arc: reset the kept doom dice, or step each one down")
    async def end(self, it: Interaction, arc: Literal["reset", "weaken"] | None = None) -> None:
        """The act ends, and with it perhaps an arc."""
        await self.change(it, scenes.end_act, arc=arc)
