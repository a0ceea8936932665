"""`/say`: speaking as one's character, or for the GM as a GMC."""

from discord import Interaction, app_commands

from bot.asks.question import Pressed
from bot.cogs.base import Group, on_press
from bot.cogs.options import Speaker
from bot.render.voice import LONGEST
from bot.ui.reach import alone, on_servers
from bot.ui.voices import voices_of


class Speech(Group):
    """Characters speak."""

    @alone
    @app_commands.command(description="Speak as your character, or as a GMC if you're the GM")
    @on_servers
    @app_commands.rename(who="as")
    @app_commands.describe(text="What they say", who="The speaker. Default: your character")
    async def say(
        self, it: Interaction, text: app_commands.Range[str, 1, LONGEST], who: Speaker | None = None
    ) -> None:
        """Something is said under a character's name."""
        await voices_of(it).speak(it, text, who)

    @on_press("unsay")
    async def press_unsay(self, it: Interaction, press: Pressed) -> None:
        """What was said is deleted."""
        await voices_of(it).take_back(it, press)
