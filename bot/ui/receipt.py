"""What Discord says to an answer or an edit, without the message that was sent.

discord.py makes an object of that message, with all that is in it. The bot knows what it has sent, and needs
to know no more than its id.
"""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui
from discord.http import handle_message_parameters
from discord.utils import MISSING
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.ui.layout import NOBODY


class _Receipts(AsyncWebhookAdapter):
    """Sends answers as the library does."""

    async def create_interaction_response(self, *what: Any, **how: Any) -> Any:
        """Send an answer; what Discord says to it."""
        said = await super().create_interaction_response(*what, **how)
        if "resource" in said:  # the message; its id stands beside it
            del said["resource"]
        return said


def take_receipts() -> None:
    """Let this task, and those that it begins, read of an answer no more than is needed."""
    async_context.set(_Receipts())  # type: ignore[no-untyped-call]


async def edit(
    client: discord.Client,
    channel: int,
    message: int,
    view: ui.LayoutView,
    attachments: Sequence[discord.File] = MISSING,
) -> None:
    """Let a message show that, and call nobody. Raises what the library's own `edit` raises."""
    # It does not take over the client's default of whom to ping, so that is said.
    only: dict[str, Any] = {"view": view, "attachments": attachments, "allowed_mentions": NOBODY}
    with handle_message_parameters(**only) as params:
        await client.http.edit_message(channel, message, params=params)
