"""`/setup`: what the bot may do here and which tables the server has, for who manages it."""

from discord import Interaction, app_commands

from bot.asks.question import Pressed
from bot.cogs.base import Group, on_press
from bot.play import Play
from bot.render.card import Button, Card, Tone
from bot.render.setup import FURTHER, RIGHTS, copy_lines, setup_lines, table_words
from bot.ui.layout import paged
from bot.ui.message import reply, update
from bot.ui.reach import alone, on_servers
from bot.ui.request import asked
from bot.use.keeping import Keeper


class Setup(Group):
    """Who manages the server sees what is missing, and what there is."""

    def __init__(self, play: Play, keeper: Keeper) -> None:
        super().__init__(play)
        self.keeper = keeper

    @alone
    @app_commands.command(
        description="Check the bot's permissions in this channel, and list the server's tables"
    )
    # The only command with rights of Discord's own: whoever else may do something is the campaign's to say.
    @app_commands.default_permissions(manage_guild=True)
    @on_servers
    async def setup(self, it: Interaction) -> None:
        """Rights and tables, to the caller alone."""
        await reply(it, await self._setup(it))

    @on_press("setup")
    async def press_setup(self, it: Interaction, press: Pressed) -> None:
        """Turn a page of the tables."""
        await update(it, await self._setup(it, press.number), 0)

    async def _setup(self, it: Interaction, page: int = 0) -> Card:
        tables = [
            table_words(each.campaign.name, each.gms, each.channels, archived=each.campaign.archived)
            for each in await self.play.tables(asked(it))
        ]
        missing = [right for right in (*RIGHTS, *FURTHER) if not getattr(it.app_permissions, right)]
        failing = await self.keeper.copies() if _hosts(it) else None
        lines = [*(copy_lines(failing) if failing else ()), *setup_lines(missing, tables)]
        card = Card(tuple(lines), private=True, tone=Tone.CALM)
        return paged(card, page, Button("", "setup"))


def _hosts(it: Interaction) -> bool:
    """Return whether the application is the person's own, or their team's."""
    told = it.client.application
    if told is None:
        return False
    hosts = [*(told.team.members if told.team else ()), told.owner]
    return it.user.id in {each.id for each in hosts}
