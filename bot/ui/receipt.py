"""What Discord says to an answer, without the message that was sent.

discord.py makes an object of that message, with all that is in it. The bot knows what it has sent, and needs
to know no more than its id.
"""

from typing import Any

from discord.webhook.async_ import AsyncWebhookAdapter, async_context


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
