"""What somebody wrote, read from a message that was pressed long, or from the one that asks them."""

import discord
from discord import Interaction

from bot.language.printers import as_typed
from bot.render.quotes import PLACE
from bot.store.spoken import Spoken, SpokenMessages
from bot.ui.message import texts_in
from bot.use.quoting import Written
from rules.errors import NotAllowed


def written(it: Interaction, message: discord.Message, spoken: Spoken | None) -> Written:
    """What somebody wrote, or said as a character. Raises NotAllowed for what a bot says otherwise."""
    if spoken is not None:
        return _spoken(message, spoken)
    if message.author == it.client.user:
        raise NotAllowed(
            "That's the bot's own message. You can only keep what people write, or say with /say."
        )
    if message.author.bot or message.webhook_id is not None:
        raise NotAllowed("No person wrote that message, so nobody can agree to keep it.")
    # What Discord itself says of somebody is in no words of theirs.
    text = "" if message.is_system() else message.clean_content
    return Written(message.id, message.author.id, text)


async def people_words(it: Interaction, message: discord.Message, said: SpokenMessages) -> str:
    """What somebody wrote, or said as a character. Raises NotAllowed for what the bot says otherwise."""
    is_own = message.author == it.client.user
    spoken = await said.find(message.id) if is_own or message.webhook_id is not None else None
    if spoken is not None:
        return _spoken(message, spoken).text
    if is_own:
        raise NotAllowed(
            "That's the bot's own message; the bot only reads what people write, or say with /say. To "
            "roll your last pool: /roll dice:last"
        )
    return message.content


def asked_about(message: discord.Message | None) -> str:
    """The text that the message which asks about it shows; nothing where it does not."""
    return next(iter(texts_in(message)[PLACE : PLACE + 1]), "")


def _spoken(message: discord.Message, spoken: Spoken) -> Written:
    """What was said as a character: the name stands over it, or in its first line."""
    lines = "\n".join(texts_in(message) or [as_typed(message.content)])
    name = message.author.name
    if not spoken.webhook_id:
        first, _, lines = lines.partition("\n")
        name = first.removeprefix("**").removesuffix("**")
    return Written(message.id, spoken.player_id, lines, spoken.campaign_id, name)
