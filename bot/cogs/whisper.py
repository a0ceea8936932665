"""`/whisper`: something said to one person alone."""

import discord
from discord import Interaction, app_commands

from bot.asks.question import Fields, Pressed
from bot.cogs.base import Group, on_form, on_press
from bot.play import Play
from bot.render.whisper import LONGEST, whisper_form
from bot.store.whispers import Whispers
from bot.ui.forms import open_form
from bot.ui.reach import alone, on_servers
from bot.ui.whispering import Whispering


class WhisperCommands(Group):
    """What one person says to another is in no log, and nobody else can open it."""

    def __init__(self, play: Play, kept: Whispers) -> None:
        super().__init__(play)
        self.whispering = Whispering(kept)

    @alone
    @app_commands.command(
        description="Send a message only one person can read; the channel sees only that you sent one"
    )
    @on_servers
    @app_commands.describe(
        to="The person to send the message to; nobody else can read it", text="Your message"
    )
    async def whisper(
        self, it: Interaction, to: discord.User, text: app_commands.Range[str, 1, LONGEST]
    ) -> None:
        """A message that only that person can open."""
        await self.whispering.say(it, to, text)

    @on_press("openwhisper")
    async def press_open(self, it: Interaction, press: Pressed) -> None:
        """Show it to the one it is for."""
        await self.whispering.open(it, press)

    @on_press("answerwhisper")
    async def press_answer(self, it: Interaction, press: Pressed) -> None:
        """Open a form for an answer."""
        await open_form(it, whisper_form(await self.whispering.find(it, press.number)), press)

    @on_form("answerwhisper")
    async def send_answer(self, it: Interaction, press: Pressed, fields: Fields) -> None:
        """The answer is a whisper, too."""
        await self.whispering.answer(it, press, fields["text"])

    @on_press("unwhisper")
    async def press_back(self, it: Interaction, press: Pressed) -> None:
        """Take it back."""
        await self.whispering.take_back(it, press)
