"""`Keep for the chronicle`: a long press keeps what somebody wrote, if they say so."""

import discord
from discord import Interaction, app_commands

from bot.asks.question import Pressed
from bot.cogs.base import Group, on_press
from bot.play import Play
from bot.render.quotes import KEEP, TAKE_OUT
from bot.store.spoken import SpokenMessages
from bot.ui.message import reply, update
from bot.ui.quoted import asked_about, written
from bot.ui.request import asked
from bot.use.quoting import Quoting


class Quotations(Group):
    """What people write is kept in their own words."""

    def __init__(self, play: Play, quoting: Quoting, spoken: SpokenMessages) -> None:
        super().__init__(play)
        self.quoting = quoting
        self.spoken = spoken
        self.menu = app_commands.ContextMenu(name="Keep for the chronicle", callback=self.keep)

    async def keep(self, it: Interaction, message: discord.Message) -> None:
        """Keep what stands in a message, or ask whoever wrote it."""
        found = written(it, message, await self.spoken.find(message.id))
        await reply(it, *await self.quoting.keep(asked(it), found))

    @on_press(KEEP, r"[0-9]{1,19}\.[0-9a-f]{16}")
    async def press_keep(self, it: Interaction, press: Pressed) -> None:
        """Whoever wrote it has it kept."""
        kept = await self.quoting.agree(asked(it, press.campaign), press, asked_about(it.message))
        await update(it, *kept)

    @on_press(TAKE_OUT)
    async def press_take_out(self, it: Interaction, press: Pressed) -> None:
        """It is kept no longer."""
        await update(it, *await self.quoting.take_out(asked(it, press.campaign), press.number))
