"""`/dist`: distinctions of characters and of the scene (D1)."""

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.cortex.trait_group import HeldTraits
from bot.cogs.options import WhoOrScene
from rules.cortex import traits
from rules.cortex.kinds import TraitKind


class Distinctions(
    HeldTraits, commands.GroupCog, name="dist", description="Distinctions of characters and the scene"
):
    """Distinctions come and go."""

    kinds = (TraitKind.DISTINCTION,)

    @app_commands.command(description="Add a distinction")
    @app_commands.describe(
        what="Its name", who="The owner. Default: your character", die="The die. Default: d8"
    )
    async def add(
        self, it: Interaction, what: str, who: WhoOrScene | None = None, die: str | None = None
    ) -> None:
        """A distinction comes."""
        await self.change(it, traits.add, kind=TraitKind.DISTINCTION, what=what, who=who, die=die)
