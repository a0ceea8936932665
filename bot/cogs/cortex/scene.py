"""`/scene`, `/act` and `/turn`."""

from functools import partial
from typing import Literal

from discord import Interaction, app_commands
from discord.ext import commands

from bot.client.access import alone, gms_command, of_game
from bot.client.request import asked
from bot.client.threads import answer_beginning
from bot.cogs.base import Group
from bot.cogs.cortex.options import DiceText, NextInOrder
from bot.cogs.options import Absent, Day, SceneName, TextList, Who
from rules.campaign import scenes
from rules.cortex import scenes as cortex_scenes
from rules.cortex import turn


class Scenes(Group, commands.GroupCog, name="scene", description="Start and end scenes"):
    """Commands for scenes."""

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
        interaction: Interaction,
        name: SceneName | None = None,
        distinctions: TextList | None = None,
        thread: bool = False,
        day: Day | None = None,
        kind: Literal["rest"] | None = None,
    ) -> None:
        """Start a scene."""
        begins = partial(scenes.start_scene, name=name, day=day, has_thread=thread)
        begins = partial(begins, distinctions=distinctions, kind=kind)
        await answer_beginning(interaction, await self.play.change(asked(interaction), begins), opens=thread)

    @gms_command(description="End the scene, removing temporary assets and closing open rolls")
    async def end(self, interaction: Interaction) -> None:
        """End the scene."""
        await self.change(interaction, scenes.end_scene)

    @of_game("cortex")
    @gms_command(name="join", description="Bring a split group back together")
    @app_commands.describe(
        who="One character from each group to bring together, separated by commas. Default: all"
    )
    async def join_group(self, interaction: Interaction, who: Absent | None = None) -> None:
        """Join a split group again."""
        await self.change(interaction, lambda table, actor: cortex_scenes.join(table, actor, who))

    @alone
    @app_commands.command(name="show", description="Show the scene")
    async def show_scene(self, interaction: Interaction) -> None:
        """Show the scene privately."""
        await self.show(interaction, "scene")


class Acts(Group, commands.GroupCog, name="act", description="Start and end acts"):
    """Commands for acts."""

    @gms_command(description="Start an act, ending the current one")
    @app_commands.describe(
        dice="Doom dice to start the act with. Default: the campaign's setting, usually 2d6"
    )
    async def start(self, interaction: Interaction, dice: DiceText | None = None) -> None:
        """Start an act."""
        await self.change(interaction, lambda table, actor: scenes.start_act(table, actor, dice=dice))

    @gms_command(description="End the act; its doom dice are lost, unless a setting keeps them")
    @app_commands.describe(arc="Also end an arc: reset the kept doom dice, or step each one down")
    async def end(self, interaction: Interaction, arc: Literal["reset", "weaken"] | None = None) -> None:
        """End the act, and optionally reset or weaken traits at the end of an arc."""
        await self.change(interaction, lambda table, actor: scenes.end_act(table, actor, arc=arc))


class TurnCommands(
    Group, commands.GroupCog, name="turn", description="The turn order, passed from one to the next"
):
    """Commands for the turn order of a scene; the `Next` button also works in challenges."""

    game = "cortex"

    @gms_command(description="Start a turn order, choosing who acts first")
    @app_commands.describe(
        who="The character to act first", absent="Characters not taking part, separated by commas"
    )
    async def start(
        self, interaction: Interaction, who: Who | None = None, absent: Absent | None = None
    ) -> None:
        """Start the turn order."""
        await self.change(interaction, lambda table, actor: turn.start(table, actor, who, absent))

    @app_commands.command(description="Choose who acts next, if you acted last or are the GM")
    @app_commands.describe(who="The character to act next; optional if only one is left")
    async def next(self, interaction: Interaction, who: NextInOrder | None = None) -> None:
        """Pass the turn to the next character."""
        await self.change(interaction, lambda table, actor: turn.hand_on(table, actor, who))

    @gms_command(description="Skip someone this round")
    @app_commands.describe(who="The character to skip")
    async def skip(self, interaction: Interaction, who: NextInOrder) -> None:
        """Skip a character's turn in this round."""
        await self.change(interaction, lambda table, actor: turn.skip(table, actor, who))

    @alone
    @app_commands.command(name="show", description="Show the turn order")
    async def show_turns(self, interaction: Interaction) -> None:
        """Show privately whose turn it is."""
        await self.show(interaction, "turn")

    @gms_command(description="End the turn order")
    async def end(self, interaction: Interaction) -> None:
        """End the turn order."""
        await self.change(interaction, turn.end)
