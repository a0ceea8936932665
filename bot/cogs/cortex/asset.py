"""`/asset`: assets (C1)."""

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.cortex.trait_group import SteppedTraits
from bot.cogs.options import WhoOrScene
from rules.cortex import traits
from rules.cortex.kinds import TraitKind


class Assets(
    SteppedTraits, commands.GroupCog, name="asset", description="Assets of characters and the scene"
):
    """Assets come, step and go."""

    kinds = (TraitKind.ASSET,)

    @app_commands.command(description="Make an asset; players pay 1 PP for a d6")
    @app_commands.describe(
        what="Its name",
        who="The owner. Default: your character",
        die="The die. Default: d6",
        pay="Pay 1 PP for the asset",
        session="Keep the asset until the session ends, for 2 PP, if the settings allow it",
    )
    async def add(
        self,
        it: Interaction,
        what: str,
        who: WhoOrScene | None = None,
        die: str | None = None,
        pay: bool | None = None,
        session: bool = False,
    ) -> None:
        """An asset comes."""
        await self.change(it, traits.add_asset, what=what, who=who, die=die, pay=pay, session=session)
