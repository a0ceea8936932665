"""`/turn`: the order of turns, handed from one to the next."""

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group
from bot.cogs.cortex.options import NextInOrder
from bot.cogs.options import Absent, Who
from bot.ui.reach import alone, gms_command
from rules.cortex import turn


class TurnCommands(
    Group, commands.GroupCog, name="turn", description="The turn order, passed from one to the next"
):
    """The turn order of a scene; `Next` hands on the turn here and in challenges."""

    @gms_command(description="Start a turn order, choosing who acts first")
    @app_commands.describe(
        who="The character to act first", absent="Characters not taking part, separated by commas"
    )
    async def start(self, it: Interaction, who: Who | None = None, absent: Absent | None = None) -> None:
        """Turns are taken from now on."""
        await self.change(it, turn.start, who=who, without=absent)

    @app_commands.command(description="Choose who acts next, if you acted last or are the GM")
    @app_commands.describe(who="The character to act next; optional if only one is left")
    async def next(self, it: Interaction, who: NextInOrder | None = None) -> None:
        """The turn is handed on."""
        await self.change(it, turn.hand_on, who=who)

    @gms_command(description="Skip someone this round")
    @app_commands.describe(who="The character to skip")
    async def skip(self, it: Interaction, who: NextInOrder) -> None:
        """Somebody has no turn in this round."""
        await self.change(it, turn.skip, who=who)

    @alone
    @app_commands.command(name="show", description="Show the turn order")
    async def show_turns(self, it: Interaction) -> None:
        """Whose turn it is, to the caller alone."""
        await self.show(it, "turn")

    @gms_command(description="End the turn order")
    async def end(self, it: Interaction) -> None:
        """No more turns are taken."""
        await self.change(it, turn.end)
