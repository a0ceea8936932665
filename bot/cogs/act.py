"""`/act`: acts and their doom (M2)."""

from functools import partial

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group
from bot.ui.message import answer
from bot.ui.request import asked
from rules.cortex import scene


class Acts(Group, commands.GroupCog, name="act", description="Acts begin and end"):
    """What lives for an act."""

    @app_commands.command(description="Start an act; one that runs ends first (GM)")
    @app_commands.describe(dice="The doom dice it starts with; 2d6 if left out")
    async def start(self, it: Interaction, dice: str | None = None) -> None:
        """An act begins."""
        done = await self.play.change(asked(it), partial(scene.start_act, dice=dice))
        await answer(it, done)

    @app_commands.command(description="End the act; what is left of doom is lost (GM)")
    async def end(self, it: Interaction) -> None:
        """The act ends."""
        done = await self.play.change(asked(it), scene.end_act)
        await answer(it, done)
