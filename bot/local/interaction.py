"""One use of a command, button, menu or form, from the press to the bot's last word."""

import asyncio
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from bot.local.message import Channel, Json, Message
from bot.local.places import User


class Kind(IntEnum):
    """What the person did."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    FORM = 5


class AnswerType(IntEnum):
    """The first answers a bot can give."""

    MESSAGE = 4
    DEFER_MESSAGE = 5
    DEFER_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    FORM = 9


@dataclass(frozen=True, slots=True)
class Answer:
    """The bot's first answer as it arrived."""

    type: AnswerType
    data: Json
    message: Message | None = None


@dataclass(eq=False, slots=True)
class Interaction:
    """One interaction: its token, its first answer (None once it is too late), the messages that came."""

    id: int
    token: str = field(repr=False)
    kind: Kind
    user: User
    channel: Channel
    opened: float
    first: "asyncio.Future[Answer | None]" = field(repr=False)
    spoke: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    repeated: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    payload: Json = field(default_factory=dict, repr=False)
    source: Message | None = None
    original: Message | None = None
    answer: Answer | None = None
    messages: list[Message] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    follow_ups: int = 0

    def give_up(self) -> None:
        """Let its time be over: nobody waits any longer for an answer, or for the word after "thinking…"."""
        if not self.first.done():
            self.first.set_result(None)
        self.spoke.set()

    def metadata(self) -> Json:
        """The `interaction_metadata` of the messages that came of it."""
        data: Json = {
            "id": str(self.id),
            "type": int(self.kind),
            "user": user_json(self.user),
            "authorizing_integration_owners": self.payload.get("authorizing_integration_owners", {}),
        }
        if self.kind is Kind.COMPONENT and self.source is not None:
            data["interacted_message_id"] = str(self.source.id)
        if self.kind is Kind.FORM:
            data["triggering_interaction_metadata"] = {**data, "type": int(Kind.COMMAND)}
        return data


def user_json(user: User) -> dict[str, Any]:
    """A user as Discord writes one."""
    return {
        "id": str(user.id),
        "username": user.name,
        "global_name": None if user.is_bot else user.display,
        "discriminator": "0000" if user.is_bot else "0",
        "avatar": None,
        "avatar_decoration_data": None,
        "collectibles": None,
        "primary_guild": None,
        "clan": None,
        "bot": user.is_bot,
        "public_flags": 0,
    }
