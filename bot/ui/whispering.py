"""Whispering: the words wait where only two people can open them, and the channel is told that they do."""

from datetime import timedelta

import discord
from discord import Interaction

from bot.asks.question import Pressed
from bot.language import later
from bot.render.whisper import LONGEST, back_card, notice_card, read_card, sent_card
from bot.store.whispers import Whisper, Whispers
from bot.ui.aloud import tell_channel
from bot.ui.message import reply, update
from bot.ui.request import actor
from rules.errors import NotAllowed, TooLate
from rules.names import clean
from rules.text import Words

MOST, UNANSWERED = 5, timedelta(hours=1)
"""So many whispers one person gets of another in that time without having answered."""


class Whispering:
    """Says things to one person, shows them to that person, takes them back."""

    def __init__(self, whispers: Whispers) -> None:
        self._whispers = whispers

    async def say(self, it: Interaction, to: discord.User | discord.Member, text: str) -> None:
        """Say something to one person alone. Raises NotAllowed where the channel cannot be told of it."""
        if to.id == it.user.id:
            raise NotAllowed("That's you. Whisper to someone else.")
        if to.bot:
            raise NotAllowed(
                "{name} is a bot and can't open whispers. Choose a person.", name=to.display_name
            )
        await self._say(it, to.id, actor(to).name, text)

    async def answer(self, it: Interaction, press: Pressed, text: str) -> None:
        """Answer a whisper in the same way."""
        one = await self.find(it, press.number)
        await self._say(it, one.sender_id, one.sender_name, text)

    async def open(self, it: Interaction, press: Pressed) -> None:
        """Show a whisper to who may read it."""
        await reply(it, read_card(await self.find(it, press.number), it.user.id))

    async def take_back(self, it: Interaction, press: Pressed) -> None:
        """Let nobody open a whisper of one's own any more."""
        one = await self.find(it, press.number)
        if one.sender_id != it.user.id or not await self._whispers.drop(one.id):
            raise TooLate(_GONE)
        await update(it, back_card(one), 0)

    async def find(self, it: Interaction, number: int) -> Whisper:
        """A whisper that is for whoever asks, or by them. Raises TooLate and NotAllowed."""
        one = await self._whispers.find(number)
        if one is None:
            raise TooLate(_GONE)
        if it.user.id not in (one.reader_id, one.sender_id):
            raise NotAllowed(
                "Only {reader} can open that whisper. To whisper to someone yourself: /whisper",
                reader=one.reader_name,
            )
        return one

    async def _say(self, it: Interaction, reader: int, name: str, text: str) -> None:
        """Keep the words, and tell the channel; where it cannot be told, nothing is kept."""
        lines = [clean(line, Words("whisper"), LONGEST) for line in text.splitlines() if line.strip()]
        body = "\n".join(lines) or clean("", Words("whisper"))
        one = Whisper(it.id, it.user.id, actor(it.user).name, reader, name, body, it.created_at)
        if await self._whispers.find(one.id) is None:  # else it has come before
            await self._require_patience(one)
            await self._whispers.keep(one)
            try:
                await tell_channel(it, notice_card(one))
            except NotAllowed:
                await self._whispers.drop(one.id)
                raise
        await reply(it, sent_card(one))

    async def _require_patience(self, one: Whisper) -> None:
        """Refuse to call somebody again and again who does not answer: nobody else sees it, to stop it."""
        said = await self._whispers.between(one.sender_id, one.reader_id, one.at - UNANSWERED)
        answered = max((each.id for each in said if each.sender_id == one.reader_id), default=0)
        if sum(each.id > answered for each in said) >= MOST:
            raise TooLate(
                "{reader} already has {most} unanswered whispers from you. Wait for an answer, or try "
                "again in an hour.",
                reader=one.reader_name,
                most=MOST,
            )


_GONE = later("That whisper has been taken back or has expired. Ask the sender to send it again.")
