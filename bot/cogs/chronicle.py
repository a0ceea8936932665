"""`/chronicle`: a whole campaign as a file to keep, to print or to give to somebody."""

from typing import Literal

from discord import Interaction, app_commands

from bot.cogs.base import Group
from bot.play import Play
from bot.store.portraits import Portraits
from bot.ui.message import reply
from bot.ui.reach import alone, sharing
from bot.ui.request import asked
from bot.use.chronicle import chronicle
from rules.values import replace

Form = Literal["Page", "Markdown"]


class Chronicles(Group):
    """All of a campaign's sessions."""

    def __init__(self, play: Play, portraits: Portraits) -> None:
        super().__init__(play)
        self.portraits = portraits

    @sharing("share")
    @alone
    @app_commands.command(description="Get the story of the whole campaign as a file, session by session")
    @app_commands.describe(
        form="A web page or Markdown. Default: a web page",
        share="Show the story to everyone in the channel",
    )
    @app_commands.rename(form="as")
    async def chronicle(self, it: Interaction, form: Form = "Page", share: bool = False) -> None:
        """All that players may see, to the caller alone or to all."""
        card = await chronicle(self.play, self.portraits, asked(it), is_page=form == "Page")
        await reply(it, replace(card, private=not share))
