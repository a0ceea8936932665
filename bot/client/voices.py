"""Speak as a character through webhooks, and whisper.

A channel has one webhook of the bot, which is found again after a restart. Discord offers no nonce for
webhook messages, so a repeated one could not be recognised, and none is sent again.
"""

import asyncio
from collections import defaultdict
from contextlib import suppress
from datetime import timedelta
from typing import Any, cast

import discord
from discord import Interaction

from bot.client.access import CUT
from bot.client.layout import NOBODY, contents, with_portrait
from bot.client.messages import reply, tell_channel, tell_table, update
from bot.client.request import actor, asked
from bot.language import later
from bot.language.line import Text
from bot.services.play import Play
from bot.store.history import Whisper
from bot.store.messages import Spoken, SpokenMessages
from bot.store.personal import Whispers
from bot.views.card import Card, portrait_of
from bot.views.question import Pressed
from bot.views.voices import (
    LONGEST,
    back_card,
    notice_card,
    read_card,
    said_card,
    sent_card,
    signed,
    unsaid_card,
    voice_card,
    webhook_name,
)
from rules.campaign.characters import voice
from rules.campaign.seats import is_game_master, is_gm
from rules.errors import NotAllowed, TooLate
from rules.names import clean
from rules.text import Words
from rules.values import replace

NAME = "Doomkeeper"
"""What the bot's webhooks are called where nobody speaks."""
FORBIDDEN = ("clyde", "discord")
"""Discord takes no name with one of these in it."""


class Voices:
    """Posts messages under characters' names, and deletes them."""

    def __init__(self, play: Play, spoken: SpokenMessages) -> None:
        self._play = play
        self._spoken = spoken
        self._hooks: dict[int, discord.Webhook] = {}
        self._looking: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def speak(self, interaction: Interaction, text: str, who: str | None) -> None:
        """Say something as a character.

        Raises what `voice` raises; NotAllowed if the bot cannot post here.
        """
        campaign, table = await self._play.see(asked(interaction))
        actor = asked(interaction).actor
        speaker = voice(table, actor, who)
        lines = [clean(line, Words("text"), LONGEST) for line in text.splitlines() if line.strip()]
        name, portrait = signed(speaker, actor, is_gm=is_game_master(table, actor)), portrait_of(speaker)
        card = await with_portrait(
            interaction, voice_card(name, lines or [clean("", Words("text"))], portrait), campaign
        )
        hook, message = await self._by_webhook(interaction, name, card)
        if message is None:
            message = await tell_channel(interaction, card)
        await self._spoken.learn(Spoken(message, campaign, actor.id, interaction.channel_id or 0, hook))
        await reply(interaction, said_card(name, message), campaign)

    async def take_back(self, interaction: Interaction, press: Pressed) -> None:
        """Delete a spoken message, by the button in its speaker's answer. Raises TooLate if it is gone."""
        await self._play.look(asked(interaction, press.campaign))
        if not await self._deletes(interaction, press.number):
            raise TooLate(_GONE)
        await update(interaction, unsaid_card(), 0)

    async def takes_back(self, interaction: Interaction, message: int) -> bool:
        """Delete a spoken message, by its context menu; return False if the message is none."""
        if not await self._deletes(interaction, message):
            return False
        await reply(interaction, unsaid_card())
        return True

    async def _deletes(self, interaction: Interaction, message: int) -> bool:
        """Delete a message, for who said it and the GM; whether somebody said it here as a character."""
        one = await self._spoken.find(message)
        if one is None:
            return False
        campaign, table = await self._play.see(asked(interaction))
        if one.campaign_id != campaign:
            return False
        if one.player_id != interaction.user.id and not is_gm(table, asked(interaction).actor):
            raise NotAllowed("Only the speaker and the {gm.one} can take that message back.")
        try:
            await self._delete(interaction, one)
        except (discord.HTTPException, *CUT) as error:
            raise NotAllowed(_NOT_DELETED) from error
        await self._spoken.forget(message)
        return True

    async def _delete(self, interaction: Interaction, one: Spoken) -> None:
        """Delete a message; it may be gone already."""
        with suppress(discord.NotFound):
            if not one.webhook_id:
                place = interaction.client.get_partial_messageable(
                    one.channel_id, guild_id=interaction.guild_id
                )
                await place.get_partial_message(one.message_id).delete()
                return
            hook = await self._hook(interaction)
            if hook is None or hook.id != one.webhook_id:
                raise NotAllowed(_NOT_DELETED)
            await hook.delete_message(one.message_id, **_thread(interaction))

    async def _by_webhook(self, interaction: Interaction, name: str, card: Card) -> tuple[int, int | None]:
        """Say a card by the channel's webhook: its id and the message's; None where that cannot be."""
        username = webhook_name(name)
        if any(word in username.casefold() for word in FORBIDDEN):
            return 0, None
        only: dict[str, Any] = {"allowed_mentions": NOBODY, "wait": True, "username": username}
        for _ in range(2):  # the webhook may have been deleted
            hook = await self._hook(interaction)
            if hook is None:
                break
            try:
                sent = await hook.send(**_words(card), **only, **_thread(interaction))
            except discord.NotFound:
                self._hooks.pop(_home(interaction), None)
            except discord.HTTPException:
                break
            except CUT as error:
                raise NotAllowed(
                    "The bot couldn't reach Discord. If your words don't appear in the channel, try again."
                ) from error
            else:
                return hook.id, cast("discord.WebhookMessage", sent).id
        return 0, None

    async def _hook(self, interaction: Interaction) -> discord.Webhook | None:
        """The bot's webhook of a channel, made where there is none; None where it may have none."""
        home = _home(interaction)
        channel: Any = interaction.client.get_channel(home)
        if not interaction.app_permissions.manage_webhooks or not hasattr(channel, "create_webhook"):
            return None
        # Two who speak at the same moment would make two webhooks, and a channel has few.
        async with self._looking[home]:
            if home not in self._hooks:
                try:
                    there = [
                        each for each in await channel.webhooks() if _is_ours(each, interaction.client.user)
                    ]
                    self._hooks[home] = there[0] if there else await channel.create_webhook(name=NAME)
                except (discord.HTTPException, *CUT):
                    return None
            return self._hooks[home]


def voices_of(interaction: Interaction[Any]) -> Voices:
    """Return the client's voices."""
    return cast("Voices", interaction.client.voices)


def _is_ours(hook: discord.Webhook, bot: discord.ClientUser | None) -> bool:
    """Whether the bot made a webhook, and can use it."""
    return hook.token is not None and hook.user == bot


def _words(card: Card) -> dict[str, Any]:
    """What a webhook is given to say, without the name: a portrait is its face, or goes along as a file."""
    face, words = card.portrait, replace(card, lines=card.lines[1:])
    if face is not None and face.data:
        return contents(words, 0)
    plain = contents(replace(words, portrait=None, tone=None), 0)
    return plain | {"avatar_url": face.address if face else None}


def _home(interaction: Interaction) -> int:
    """The channel whose webhook speaks: a thread's is its parent's."""
    return (
        interaction.channel.parent_id
        if isinstance(interaction.channel, discord.Thread)
        else interaction.channel_id or 0
    )


def _thread(interaction: Interaction) -> dict[str, Any]:
    is_thread = isinstance(interaction.channel, discord.Thread)
    return {"thread": discord.Object(interaction.channel_id or 0)} if is_thread else {}


_GONE = later("That message has already been taken back, or belongs to another table.")
_NOT_DELETED = later("The bot can't delete that message any more. A member with Manage Messages can.")


MOST, UNANSWERED = 5, timedelta(hours=1)
"""So many whispers one person gets of another in that time without having answered."""


class WhisperDelivery:
    """Sends, shows and deletes whispers."""

    def __init__(self, whispers: Whispers) -> None:
        self._whispers = whispers

    async def say(self, interaction: Interaction, to: discord.User | discord.Member, text: str) -> None:
        """Whisper to one person. Raises NotAllowed if they cannot be told in this channel."""
        if to.id == interaction.user.id:
            raise NotAllowed("That's you. Whisper to someone else.")
        if to.bot:
            raise NotAllowed(
                "{name} is a bot and can't open whispers. Choose a person.", name=to.display_name
            )
        await self._say(interaction, to.id, actor(to).name, text)

    async def answer(self, interaction: Interaction, press: Pressed, text: str) -> None:
        """Answer a whisper with a whisper."""
        one = await self.find(interaction, press.number)
        await self._say(interaction, one.sender_id, one.sender_name, text)

    async def open(self, interaction: Interaction, press: Pressed) -> None:
        """Show a whisper to its sender or recipient. Raises what `find` raises."""
        await reply(interaction, read_card(await self.find(interaction, press.number), interaction.user.id))

    async def take_back(self, interaction: Interaction, press: Pressed) -> None:
        """Delete one's own whisper, so that nobody can open it. Raises TooLate if it is gone."""
        one = await self.find(interaction, press.number)
        if one.sender_id != interaction.user.id or not await self._whispers.drop(one.id):
            raise TooLate(_WHISPER_GONE)
        await update(interaction, back_card(one), 0)

    async def find(self, interaction: Interaction, number: int) -> Whisper:
        """Return a whisper. Raises TooLate if it is gone; NotAllowed for all but its sender and recipient."""
        one = await self._whispers.find(number)
        if one is None:
            raise TooLate(_WHISPER_GONE)
        if interaction.user.id not in (one.reader_id, one.sender_id):
            raise NotAllowed(
                "Only {reader} can open that whisper. To whisper to someone yourself: /whisper",
                reader=one.reader_name,
            )
        return one

    async def _say(self, interaction: Interaction, reader: int, name: str, text: str) -> None:
        """Keep the words, and tell the reader of them; where they cannot be told, nothing is kept."""
        lines = [clean(line, Words("whisper"), LONGEST) for line in text.splitlines() if line.strip()]
        body = "\n".join(lines) or clean("", Words("whisper"))
        one = Whisper(
            interaction.id,
            interaction.user.id,
            actor(interaction.user).name,
            reader,
            name,
            body,
            interaction.created_at,
        )
        elsewhere: Text = ""
        if await self._whispers.find(one.id) is None:  # else it has come before
            await self._require_patience(one)
            await self._whispers.keep(one)
            try:
                elsewhere = await tell_table(interaction, notice_card(one))
            except NotAllowed:
                await self._whispers.drop(one.id)
                raise
        await reply(interaction, sent_card(one, elsewhere))

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


_WHISPER_GONE = later("That whisper has been taken back or has expired. Ask the sender to send it again.")
