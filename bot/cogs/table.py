"""`/table`: the whole table on one view, pinned if wanted, with `Join`."""

from discord import Interaction, app_commands
from discord.ext import commands

from bot.asks.question import Pressed
from bot.asks.views import VIEW, sheet_of
from bot.cogs.base import Group, on_press
from bot.play import Play
from bot.render.card import private
from bot.ui.message import reply, update
from bot.ui.pinned import PinnedTables
from bot.ui.reach import alone
from bot.ui.request import asked
from rules.campaign import characters


class Tables(Group, commands.GroupCog, name="table", description="The whole table at a glance"):
    """The table is shown, pinned, shared and joined."""

    def __init__(self, play: Play, pinned: PinnedTables) -> None:
        super().__init__(play)
        self.pinned = pinned

    @alone
    @app_commands.command(name="show", description="Show the whole table")
    async def show_table(self, it: Interaction) -> None:
        """The whole table, to the caller alone."""
        await self.show(it, "table")

    @alone
    @app_commands.command(name="waiting", description="Show what's waiting and for whom, oldest first")
    async def show_waiting(self, it: Interaction) -> None:
        """What waits, to the caller alone."""
        await self.show(it, "waiting")

    @alone
    @app_commands.command(description="Pin the table in this channel; it updates with every change")
    async def pin(self, it: Interaction) -> None:
        """The table is pinned, with `Join`."""
        await self.press_pin(it, Pressed("pin", 0, 0, ""))

    @alone
    @app_commands.command(description="Unpin the table in this channel")
    async def unpin(self, it: Interaction) -> None:
        """The pinned table goes."""
        await reply(it, private(await self.pinned.unpin(asked(it))))

    @on_press("pin")
    async def press_pin(self, it: Interaction, press: Pressed) -> None:
        """Pin the table where the button stands."""
        await reply(it, private(await self.pinned.pin(asked(it))))

    @on_press("share", VIEW)
    async def press_share(self, it: Interaction, press: Pressed) -> None:
        """Show everybody what was shown to one person."""
        await reply(it, *await self.seen(it, press.subject, press.campaign, press.number, private=False))

    @on_press("page", VIEW)
    async def press_page(self, it: Interaction, press: Pressed) -> None:
        """Turn a page, where it stands."""
        alone = it.message is not None and it.message.flags.ephemeral
        await update(it, *await self.seen(it, press.subject, press.campaign, press.number, private=alone))

    @on_press("mine")
    async def press_mine(self, it: Interaction, press: Pressed) -> None:
        """Show whoever presses their own sheet."""
        campaign, table = await self.play.see(asked(it, press.campaign))
        await reply(it, *await self.seen(it, sheet_of(characters.shown(table, asked(it).actor)), campaign))

    @on_press("view", VIEW)
    async def press_view(self, it: Interaction, press: Pressed) -> None:
        """Show the whole of what is pinned to one person."""
        await reply(it, *await self.seen(it, press.subject, press.campaign))
