"""Files, portraits and messages that people give to the bot."""

import re
from collections.abc import Mapping
from string import whitespace
from typing import Any

import aiohttp
import discord
from discord import Interaction, app_commands

from bot.client.messages import texts_in
from bot.clock import Clock
from bot.language import later
from bot.language.printers import as_typed
from bot.services.sessions import Written
from bot.store.files import LARGEST
from bot.store.messages import Spoken, SpokenMessages
from bot.views.chronicle import PLACE
from bot.views.question import Fields
from rules.errors import NotAllowed, Unreadable
from rules.names import clean
from rules.text import shorten

PATIENCE = 2.0
"""Seconds that Discord has to hand over a file: it gives up on the bot's own answer after three."""
NOTHING = later("There's nothing to import. Add a file or text.")
NOTHING_THERE = later(
    "That message has no text and no text file. Long press the message with the bot's file or with "
    "CortexPal2000's answer to /info."
)
NOT_HANDED = later("Discord didn't hand over that file. Send it again in a moment.")
LONGEST_WEBHOOK_NAME = 80
"""Discord allows so many characters in the name of a webhook's message."""
_MARK = "\ufeff"
_ID = re.compile("[0-9]{1,20}")
_FENCED = re.compile(r"```(?:(?:json|te?xt|markdown|md)\b)?(?P<inside>.*)```", re.DOTALL | re.IGNORECASE)


async def hung(clock: Clock, message: discord.Message) -> str:
    """Return a message's first text file, else its own text. Raises Unreadable if it has neither."""
    file = next((each for each in message.attachments if _is_text(each)), None)
    if file is None and not message.content.strip():
        raise Unreadable(NOTHING_THERE)
    return await given_text(clock, file, message.content)


async def given_text(clock: Clock, file: discord.Attachment | None, text: str | None = None) -> str:
    """Return the text of a file, or the text itself.

    Raises Unreadable if there is neither, if it is too large, or if it is not UTF-8.
    """
    if file is None:
        if text is None or not text.strip():
            raise Unreadable(NOTHING)
        return _bare(text)
    try:
        return _bare((await read(file, LARGEST, clock)).decode())
    except UnicodeDecodeError:
        raise Unreadable(
            "{filename} isn't UTF-8 text. Save it as UTF-8, then send it again.",
            filename=shorten(file.filename),
        ) from None


def sent(interaction: Interaction, fields: Fields, key: str) -> discord.Attachment:
    """Return the file uploaded in a field of a form. Raises Unreadable if it is no longer available."""
    number = fields.typed(key)
    if not _ID.fullmatch(number):
        raise Unreadable(NOT_HANDED)
    data: Mapping[str, Any] = interaction.data or {}
    as_option: Any = {"name": key, "type": discord.AppCommandOptionType.attachment.value, "value": number}
    file = getattr(app_commands.Namespace(interaction, data.get("resolved", {}), [as_option]), key)
    if not isinstance(file, discord.Attachment):
        raise Unreadable(NOT_HANDED)
    return file


async def read(file: discord.Attachment, largest: int, clock: Clock) -> bytes:
    """Download a file. Raises Unreadable if it is empty, too large or unavailable."""
    if file.size > largest:
        raise Unreadable(
            "{filename} has {size:,} bytes; the limit is {largest:,}.",
            filename=shorten(file.filename),
            size=file.size,
            largest=largest,
        )
    if not file.size:
        raise Unreadable("{filename} is empty.", filename=shorten(file.filename))
    try:
        async with clock.timeout(PATIENCE):
            return await file.read()
    except (TimeoutError, discord.DiscordException, aiohttp.ClientError):
        raise Unreadable(NOT_HANDED) from None


def _is_text(file: discord.Attachment) -> bool:
    """Whether a file says that it is text."""
    kind = (file.content_type or "").partition(";")[0]
    is_named = file.filename.casefold().endswith((".json", ".txt"))
    return is_named or kind.startswith("text/") or kind == "application/json"


def _bare(text: str) -> str:
    """A text without what stands around it: byte order marks, and the fence of a code block."""
    text = text.strip(whitespace + _MARK)
    fenced = _FENCED.fullmatch(text)
    return fenced["inside"].strip(whitespace + _MARK) if fenced else text


def message_text(interaction: Interaction, message: discord.Message, spoken: Spoken | None) -> Written:
    """Return what a person wrote, said as a character, or said through another bot's webhook.

    Raises NotAllowed for other messages of bots.
    """
    if spoken is not None:
        return _spoken(message, spoken)
    if _is_proxied(interaction, message):
        name = clean(message.author.display_name, longest=LONGEST_WEBHOOK_NAME)
        return Written(message.id, 0, message.clean_content, signed=name)
    if message.author == interaction.client.user:
        raise NotAllowed(
            "That's the bot's own message. You can only keep what people write, or say with /say."
        )
    if message.author.bot or message.webhook_id is not None:
        raise NotAllowed("No person wrote that message, so nobody can agree to keep it.")
    # What Discord itself says of somebody is in no words of theirs.
    text = "" if message.is_system() else message.clean_content
    return Written(message.id, message.author.id, text)


async def people_words(interaction: Interaction, message: discord.Message, said: SpokenMessages) -> str:
    """Return what a person wrote, or said as a character. Raises NotAllowed for the bot's other messages."""
    is_own = message.author == interaction.client.user
    spoken = await said.find(message.id) if is_own or message.webhook_id is not None else None
    if spoken is not None:
        return _spoken(message, spoken).text
    if is_own:
        raise NotAllowed("That's the bot's own message. Choose one that a person wrote, or said with /say.")
    return message.content


def asked_about(message: discord.Message | None) -> str:
    """Return the quoted text in a message that asks about it; empty if it has none."""
    return next(iter(texts_in(message)[PLACE : PLACE + 1]), "")


def _is_proxied(interaction: Interaction, message: discord.Message) -> bool:
    """Whether a webhook said it that is not the bot's; answers to commands have their bot's id as webhook."""
    own = (None, message.application_id)
    return message.webhook_id not in own and message.application_id != interaction.application_id


def _spoken(message: discord.Message, spoken: Spoken) -> Written:
    """What was said as a character: the name stands over it, or in its first line."""
    lines = "\n".join(texts_in(message) or [as_typed(message.content)])
    name = message.author.name
    if not spoken.webhook_id:
        first, _, lines = lines.partition("\n")
        name = first.removeprefix("**").removesuffix("**")
    return Written(message.id, spoken.player_id, lines, spoken.campaign_id, name)
