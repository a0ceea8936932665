"""What somebody gives to a command to read: a file, or a text."""

import asyncio

import aiohttp
import discord

from bot.store.files import LARGEST
from rules.dice import shorten
from rules.errors import Unreadable

PATIENCE = 2.0
"""Seconds that Discord has to hand over a file: it gives up on the bot's own answer after three."""
NOTHING = "There is nothing to read. Give a file or a text. Example: /campaign import file:skyfall.json"


async def given(file: discord.Attachment | None, text: str | None = None) -> str:
    """The text of a file, or the text itself. Raises Unreadable where there is neither, or too much."""
    if file is None:
        if text is None or not text.strip():
            raise Unreadable(NOTHING)
        return text.strip()
    if file.size > LARGEST:
        raise Unreadable(f"{shorten(file.filename)} has {file.size:,} bytes; {LARGEST:,} are the most.")
    try:
        async with asyncio.timeout(PATIENCE):
            data = await file.read()
        return data.decode("utf-8-sig").strip()
    except (TimeoutError, discord.DiscordException, aiohttp.ClientError):
        raise Unreadable("Discord did not hand over that file. Send it again in a moment.") from None
    except UnicodeDecodeError:
        raise Unreadable(f"{shorten(file.filename)} is no text file.") from None
