"""`/say`, `/whisper` and quotes of messages."""

import discord
from discord import Interaction, app_commands

from bot.client.access import alone, on_servers
from bot.client.forms import open_form
from bot.client.messages import reply, update
from bot.client.request import asked
from bot.client.uploads import asked_about, message_text
from bot.client.voices import WhisperDelivery, voices_of
from bot.cogs.base import Group, on_form, on_press
from bot.cogs.options import Speaker
from bot.services.play import Play
from bot.services.sessions import Quoting
from bot.store.messages import SpokenMessages
from bot.store.personal import Whispers
from bot.views.chronicle import KEEP, TAKE_OUT
from bot.views.question import Fields, Pressed
from bot.views.voices import LONGEST, whisper_form


class Speech(Group):
    """Commands to speak as a character."""

    @alone
    @app_commands.command(description="Speak as your character, or as a GMC if you're the GM")
    @on_servers
    @app_commands.rename(who="as")
    @app_commands.describe(text="What they say", who="The speaker. Default: your character")
    async def say(
        self, interaction: Interaction, text: app_commands.Range[str, 1, LONGEST], who: Speaker | None = None
    ) -> None:
        """Say something as a character."""
        await voices_of(interaction).speak(interaction, text, who)

    @on_press("unsay")
    async def press_unsay(self, interaction: Interaction, press: Pressed) -> None:
        """Delete a spoken message."""
        await voices_of(interaction).take_back(interaction, press)


class WhisperCommands(Group):
    """Commands for whispers, which are in no log and which nobody else can open."""

    def __init__(self, play: Play, kept: Whispers) -> None:
        super().__init__(play)
        self.whispering = WhisperDelivery(kept)

    @alone
    @app_commands.command(
        description="Send a message only one person can read; the channel sees only that you sent one"
    )
    @on_servers
    @app_commands.describe(
        to="The person to send the message to; nobody else can read it", text="Your message"
    )
    async def whisper(
        self, interaction: Interaction, to: discord.User, text: app_commands.Range[str, 1, LONGEST]
    ) -> None:
        """Send a message that only one person can open."""
        await self.whispering.say(interaction, to, text)

    @on_press("openwhisper")
    async def press_open(self, interaction: Interaction, press: Pressed) -> None:
        """Show a whisper to its sender or recipient."""
        await self.whispering.open(interaction, press)

    @on_press("answerwhisper")
    async def press_answer(self, interaction: Interaction, press: Pressed) -> None:
        """Open a form to answer a whisper."""
        await open_form(
            interaction, whisper_form(await self.whispering.find(interaction, press.number)), press
        )

    @on_form("answerwhisper", longest={"text": LONGEST})
    async def send_answer(self, interaction: Interaction, press: Pressed, fields: Fields) -> None:
        """Send the answer as another whisper."""
        await self.whispering.answer(interaction, press, fields["text"])

    @on_press("unwhisper")
    async def press_back(self, interaction: Interaction, press: Pressed) -> None:
        """Delete one's own whisper."""
        await self.whispering.take_back(interaction, press)


class Quotations(Group):
    """Commands to keep messages as quotes."""

    def __init__(self, play: Play, quoting: Quoting, spoken: SpokenMessages) -> None:
        super().__init__(play)
        self.quoting = quoting
        self.spoken = spoken
        self.menu = app_commands.ContextMenu(name="Keep for the chronicle", callback=self.keep)

    async def keep(self, interaction: Interaction, message: discord.Message) -> None:
        """Keep a message as a quote, or ask its author first."""
        found = message_text(interaction, message, await self.spoken.find(message.id))
        await reply(interaction, *await self.quoting.keep(asked(interaction), found))

    @on_press(KEEP, r"[0-9]{1,19}\.[0-9a-f]{16}")
    async def press_keep(self, interaction: Interaction, press: Pressed) -> None:
        """Keep a message with its author's consent."""
        kept = await self.quoting.agree(
            asked(interaction, press.campaign), press, asked_about(interaction.message)
        )
        await update(interaction, *kept)

    @on_press(TAKE_OUT)
    async def press_take_out(self, interaction: Interaction, press: Pressed) -> None:
        """Delete a quote."""
        await update(
            interaction, *await self.quoting.take_out(asked(interaction, press.campaign), press.number)
        )
