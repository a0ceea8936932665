"""`/scene`: scenes begin and end (C1, T5)."""

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group
from rules.cortex import scene


class Scenes(Group, commands.GroupCog, name="scene", description="Scenes begin and end"):
    """What lives for a scene."""

    @app_commands.command(description="Start a scene; one that runs ends first (GM)")
    @app_commands.describe(name="Its name", distinctions="Its distinctions, parted by commas")
    async def start(self, it: Interaction, name: str | None = None, distinctions: str | None = None) -> None:
        """A scene begins."""
        await self.change(it, scene.start_scene, name=name, distinctions=distinctions)

    @app_commands.command(description="End the scene: temporary assets go, open rolls close (GM)")
    async def end(self, it: Interaction) -> None:
        """The scene ends."""
        await self.change(it, scene.end_scene)

    @app_commands.command(name="show", description="Look at the scene")
    async def show_scene(self, it: Interaction) -> None:
        """The scene, to the caller alone."""
        await self.show(it, "scene")
