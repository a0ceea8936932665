"""`/scene`: scenes begin and end (C1, T5)."""

from functools import partial
from typing import Literal

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group
from bot.cogs.options import Absent
from bot.ui.reach import alone, gms_command
from bot.ui.request import asked
from bot.ui.threads import answer_beginning
from rules.campaign import scenes
from rules.cortex import scenes as cortex_scenes


class Scenes(Group, commands.GroupCog, name="scene", description="Start and end scenes"):
    """What lives for a scene."""

    @gms_command(description="Start a scene, ending the current one")
    @app_commands.describe(
        name="Its name",
        distinctions="The scene's distinctions, separated by commas",
        thread="Play the scene in a new thread",
        day="The day in the story, such as Third day of frost; it stays until you name another",
        kind="A rest: all stress steps down when the scene starts",
    )
    async def start(
        self,
        it: Interaction,
        name: str | None = None,
        distinctions: str | None = None,
        thread: bool = False,
        day: str | None = None,
        kind: Literal["rest"] | None = None,
    ) -> None:
        """A scene begins."""
        begins = partial(scenes.start_scene, name=name, distinctions=distinctions, day=day, kind=kind)
        await answer_beginning(it, await self.play.change(asked(it), begins), opens=thread)

    @gms_command(description="End the scene, removing temporary assets and closing open rolls")
    async def end(self, it: Interaction) -> None:
        """The scene ends."""
        await self.change(it, scenes.end_scene)

    @gms_command(name="join", description="Bring a split group back together")
    @app_commands.describe(
        who="One character from each group to bring together, separated by commas. Default: all"
    )
    async def join_group(self, it: Interaction, who: Absent | None = None) -> None:
        """A split group joined."""
        await self.change(it, cortex_scenes.join, who=who)

    @alone
    @app_commands.command(name="show", description="Show the scene")
    async def show_scene(self, it: Interaction) -> None:
        """The scene, to the caller alone."""
        await self.show(it, "scene")
