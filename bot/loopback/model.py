"""The users, guilds, channels, messages and interactions of the loopback Discord."""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import Any


class Permission(IntFlag):
    """The permissions that the loopback Discord checks."""

    MANAGE_GUILD = 1 << 5
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MANAGE_WEBHOOKS = 1 << 29
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    SEND_MESSAGES_IN_THREADS = 1 << 38
    CREATE_EVENTS = 1 << 44
    USE_EXTERNAL_APPS = 1 << 50
    PIN_MESSAGES = 1 << 51


EVERYTHING = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_EVENTS
    | Permission.USE_EXTERNAL_APPS
    | Permission.PIN_MESSAGES
    | Permission.MANAGE_WEBHOOKS
)
NO_RIGHT = Permission(0)


@dataclass(eq=False, slots=True)
class User:
    """An account: a person or the bot."""

    id: int
    name: str
    display: str
    is_bot: bool = False
    manage_guild: bool = False
    avatar: str = ""
    """The address of a picture, of who speaks by a webhook."""

    @property
    def permissions(self) -> Permission:
        """The permissions that this user has in every guild."""
        return EVERYTHING | Permission.MANAGE_GUILD if self.manage_guild else EVERYTHING


@dataclass(eq=False, slots=True)
class Role:
    """A role of a guild, with its permissions and its members."""

    id: int
    name: str
    permissions: Permission = NO_RIGHT
    people: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Overwrite:
    """The permissions that a channel adds and removes for a role or a single user."""

    allow: Permission = NO_RIGHT
    deny: Permission = NO_RIGHT


@dataclass(eq=False, slots=True)
class ScheduledEvent:
    """A scheduled event of a guild, held outside its channels; times are kept as they were sent."""

    id: int
    name: str
    description: str
    begins: str
    ends: str
    location: str


@dataclass(eq=False, slots=True)
class Guild:
    """A Discord server, with the time the bot joined and its system channel, if it has one.

    The permissions in `denied` are taken from the bot everywhere in the guild. If `has_bot` is false, only
    people who installed the bot for themselves can use it there.
    """

    id: int
    name: str
    has_bot: bool = True
    joined: float = 1_704_067_200.0
    system_channel: int | None = None
    denied: Permission = NO_RIGHT
    events: dict[int, ScheduledEvent] = field(default_factory=dict)
    roles: dict[int, Role] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    """The people who have left it."""

    def roles_of(self, user: User) -> list[Role]:
        """Return the roles that a user has, without @everyone."""
        return [role for role in self.roles.values() if user.id in role.people]


@dataclass(eq=False, slots=True)
class Emoji:
    """An emoji that belongs to the bot's application: its image and the image type."""

    id: int
    name: str
    data: bytes = field(repr=False)
    kind: str


Json = dict[str, Any]

SUPPRESS_EMBEDS = 1 << 2
EPHEMERAL = 1 << 6
LOADING = 1 << 7
SUPPRESS_NOTIFICATIONS = 1 << 12
COMPONENTS_V2 = 1 << 15


@dataclass(frozen=True, slots=True)
class File:
    """A file attached to a message."""

    id: int
    name: str
    data: bytes = field(repr=False)
    url: str
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Version:
    """The state of a message before an edit."""

    content: str
    components: list[Json]
    flags: int
    until: float

    @property
    def text(self) -> str:
        """All text that could be read in this version."""
        return visible_text(self.content, self.components)


@dataclass(eq=False, slots=True)
class Channel:
    """A text channel, a thread, the direct messages with one person, or a group.

    `overwrites` is keyed by user or role id; the guild's own id stands for @everyone. `people` are the
    members of a private thread or a group.
    """

    id: int
    name: str
    kind: int
    guild: Guild | None
    parent: "Channel | None" = None
    recipient: User | None = None
    owner: User | None = None
    archived: bool = False
    locked: bool = False
    is_closed: bool = False
    """The person of direct messages accepts none."""
    app_permissions: Permission = EVERYTHING
    """What the bot may do here; a thread has the permissions of its parent."""
    old_edits: list[float] = field(default_factory=list, repr=False)
    """When messages older than an hour were edited here lately."""
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    people: set[int] = field(default_factory=set)
    messages: "OrderedDict[int, Message]" = field(default_factory=OrderedDict, repr=False)

    def pins(self) -> "list[Message]":
        """Return the pinned messages, newest pin first."""
        return sorted(
            (m for m in self.messages.values() if m.pinned), key=lambda m: m.pinned_at, reverse=True
        )


@dataclass(frozen=True, slots=True)
class Webhook:
    """A webhook, which can post to a channel under any name."""

    id: int
    token: str = field(repr=False)
    name: str
    channel: Channel


@dataclass(eq=False, slots=True)
class Message:
    """A message; only its `viewer` sees it if it has one (ephemeral messages)."""

    id: int
    channel: Channel
    author: User
    viewer: User | None = None
    interaction: int | None = None
    interaction_metadata: Json | None = None
    content: str = ""
    components: list[Json] = field(default_factory=list)
    embeds: list[Json] = field(default_factory=list)
    flags: int = 0
    files: list[File] = field(default_factory=list)
    allowed_mentions: Json | None = None
    pings: frozenset[int | str] = frozenset()
    nonce: str | None = None
    created: float = 0.0
    """When it was written, in seconds since 1970."""
    edited: float | None = None
    versions: list[Version] = field(default_factory=list)
    webhook: int | None = None
    """The webhook that posted it, of which the author has the id, and a name of its own."""
    application: int | None = None
    """The application that owns the webhook."""
    pinned_at: float = 0.0
    pinned: bool = False
    deleted: bool = False

    @property
    def text(self) -> str:
        """All text that can be read in the message."""
        return visible_text(self.content, self.components)

    @property
    def is_private(self) -> bool:
        """Whether only one person sees the message."""
        return self.viewer is not None

    @property
    def is_loading(self) -> bool:
        """Whether the bot has deferred its answer ("thinking…") and not sent it yet."""
        return bool(self.flags & LOADING)

    def snapshot(self, at: float) -> Version:
        """Return the current state of the message, to keep before an edit made at `at`."""
        return Version(self.content, self.components, self.flags, at)


def walk(components: Iterable[Json]) -> Iterator[Json]:
    """Yield every component, nested ones included, in reading order."""
    for component in components:
        yield component
        yield from walk(component.get("components") or ())
        for key in ("component", "accessory"):
            inner = component.get(key)
            if inner:
                yield from walk((inner,))


def visible_text(content: str, components: Iterable[Json]) -> str:
    """Return the content and all text displays, one below the other."""
    parts = [content] if content else []
    parts += [c["content"] for c in walk(components) if c["type"] == 10]
    return "\n".join(parts)


class InteractionKind(IntEnum):
    """What the person did: typed a command, pressed a component, and so on."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    FORM = 5


class AnswerType(IntEnum):
    """The types of a first response that a bot can send."""

    MESSAGE = 4
    DEFER_MESSAGE = 5
    DEFER_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    FORM = 9


@dataclass(frozen=True, slots=True)
class FirstResponse:
    """The bot's first response, as received."""

    type: AnswerType
    data: Json
    message: Message | None = None


@dataclass(eq=False, slots=True)
class Interaction:
    """An interaction: its token, its first response (None if it came too late) and its messages."""

    id: int
    token: str = field(repr=False)
    kind: InteractionKind
    user: User
    channel: Channel
    opened: float
    first: "asyncio.Future[FirstResponse | None]" = field(repr=False)
    spoke: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    repeated: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    payload: Json = field(default_factory=dict, repr=False)
    source: Message | None = None
    original: Message | None = None
    answer: FirstResponse | None = None
    messages: list[Message] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    follow_ups: int = 0

    def give_up(self) -> None:
        """Expire the interaction, so that nobody waits for a response or a deferred message any longer."""
        if not self.first.done():
            self.first.set_result(None)
        self.spoke.set()

    def metadata(self) -> Json:
        """Return the `interaction_metadata` of the messages that this interaction produced."""
        data: Json = {
            "id": str(self.id),
            "type": int(self.kind),
            "user": user_json(self.user),
            "authorizing_integration_owners": self.payload.get("authorizing_integration_owners", {}),
        }
        if self.kind is InteractionKind.COMPONENT and self.source is not None:
            data["interacted_message_id"] = str(self.source.id)
        if self.kind is InteractionKind.FORM:
            data["triggering_interaction_metadata"] = {**data, "type": int(InteractionKind.COMMAND)}
        return data


def user_json(user: User) -> dict[str, Any]:
    """Return a user as a Discord JSON object."""
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


CODE = re.compile(r"```(?:[^`]|`{1,2}(?!`))*+```|``(?:[^`]|`(?!`))*+``|`[^`]*`")
USER = re.compile(r"<@!?(\d+)>")
ROLE = re.compile(r"<@&(\d+)>")


def pinged(text: str, allowed: Json | None) -> frozenset[int | str]:
    """Return the ids of the notified users and roles, and "everyone" or "here".

    >>> sorted(pinged("<@1> and <@2>", {"users": ["2"]}))
    [2]
    >>> pinged("`<@1>`", None)
    frozenset()
    """
    if "@" not in text:
        return frozenset()
    text = CODE.sub(" ", text)
    users = {int(found) for found in USER.findall(text)}
    roles = {int(found) for found in ROLE.findall(text)}
    all_of_them = {word for word in ("everyone", "here") if f"@{word}" in text}
    if allowed is None:
        return frozenset(users | roles | all_of_them)
    parse = allowed.get("parse") or ()
    if "users" not in parse:
        users &= {int(one) for one in allowed.get("users") or ()}
    if "roles" not in parse:
        roles &= {int(one) for one in allowed.get("roles") or ()}
    return frozenset(users | roles | (all_of_them if "everyone" in parse else set()))


def mentioned_users(text: str) -> list[int]:
    """Return the ids of the users that a text mentions, without duplicates."""
    return [int(found) for found in dict.fromkeys(USER.findall(text))]
