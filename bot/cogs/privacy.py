"""`/privacy`: what is kept about whoever asks."""

from discord import Interaction, app_commands
from discord.ext import commands

from bot.asks.question import Pressed
from bot.cogs.base import Group, on_press
from bot.play import Play
from bot.ui.afterwards import told_by
from bot.ui.message import reply
from bot.ui.reach import alone, everywhere
from bot.ui.request import asked
from bot.use.privacy import Privacy


@everywhere
class OwnData(Group, commands.GroupCog, name="privacy", description="What the bot stores about you"):
    """One's own data are shown, exported and deleted, to the caller alone."""

    def __init__(self, play: Play, privacy: Privacy) -> None:
        super().__init__(play)
        self.privacy = privacy

    @alone
    @app_commands.command(name="show", description="Show what the bot stores about you")
    async def show_kept(self, it: Interaction) -> None:
        """What is kept, in words."""
        await reply(it, await self.privacy.show(asked(it)))

    @alone
    @app_commands.command(description="Export what the bot stores about you as a file")
    async def export(self, it: Interaction) -> None:
        """What is kept, as a file."""
        await reply(it, await self.privacy.export(asked(it)))

    @alone
    @app_commands.command(description="Permanently delete what the bot stores about you")
    async def delete(self, it: Interaction) -> None:
        """Ask first: this cannot be undone."""
        await reply(it, await self.privacy.ask(asked(it)))

    @on_press("forgetme")
    async def press_delete(self, it: Interaction, press: Pressed) -> None:
        """It goes, and the answer says when it has gone."""
        # Answered before it begins: what comes of it edits that answer.
        await reply(it, await self.privacy.delete(asked(it), told_by(it)))
        await self.privacy.begin(asked(it))
