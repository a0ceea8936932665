"""`/resource`: used once a scene (C2)."""

from discord import Interaction, app_commands
from discord.ext import commands

from bot.cogs.base import Group
from bot.cogs.cortex.options import Resource
from bot.cogs.options import Several, Who
from bot.ui.reach import gms_command
from rules.cortex import traits


class Resources(Group, commands.GroupCog, name="resource", description="Resources, each used once a scene"):
    """Resources are used, and come back."""

    @app_commands.command(description="Use a resource; it's spent until the scene ends")
    @app_commands.describe(what="Which resource", who="Which character. Default: yours")
    async def use(self, it: Interaction, what: Resource, who: Who | None = None) -> None:
        """A resource is spent."""
        await self.change(it, traits.use, what=what, who=who)

    @gms_command(description="Refresh spent resources")
    @app_commands.describe(who="Which character. Default: everyone")
    async def refresh(self, it: Interaction, who: Several | None = None) -> None:
        """Resources can be used again."""
        await self.change(it, traits.refresh, who=who)
