"""Channels and what stands in them: what a message shows, who it pinged and how it looked before."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.local.places import EVERYTHING, Guild, Overwrite, Permission, User

Json = dict[str, Any]

SUPPRESS_EMBEDS = 1 << 2
EPHEMERAL = 1 << 6
LOADING = 1 << 7
SUPPRESS_NOTIFICATIONS = 1 << 12
COMPONENTS_V2 = 1 << 15


@dataclass(frozen=True, slots=True)
class File:
    """A file that hangs on a message."""

    id: int
    name: str
    data: bytes = field(repr=False)
    url: str
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Version:
    """How a message looked before an edit."""

    content: str
    components: list[Json]
    flags: int
    until: float

    @property
    def text(self) -> str:
        """What one could read then."""
        return visible_text(self.content, self.components)


@dataclass(eq=False, slots=True)
class Channel:
    """A text channel, a thread under one, the direct messages with one person, or a group of people.

    `overwrites` are by the id of a person or a role, the guild's own for everybody; `people` are the members
    of a private thread or of a group.
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
    app_permissions: Permission = EVERYTHING
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    people: set[int] = field(default_factory=set)
    messages: "OrderedDict[int, Message]" = field(default_factory=OrderedDict, repr=False)

    def pins(self) -> "list[Message]":
        """The pinned messages, newest pin first."""
        return sorted(
            (m for m in self.messages.values() if m.pinned), key=lambda m: m.pinned_at, reverse=True
        )


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address at which messages can be posted into a channel, under any name."""

    id: int
    token: str = field(repr=False)
    name: str
    channel: Channel


@dataclass(eq=False, slots=True)
class Message:
    """One message; a private (ephemeral) one has a `viewer`, the only person who sees it."""

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
    pinned_at: float = 0.0
    pinned: bool = False
    deleted: bool = False

    @property
    def text(self) -> str:
        """All the text one can read in the message."""
        return visible_text(self.content, self.components)

    @property
    def is_private(self) -> bool:
        """Only one person sees it."""
        return self.viewer is not None

    @property
    def is_loading(self) -> bool:
        """The bot has said it is thinking and nothing more yet."""
        return bool(self.flags & LOADING)

    def snapshot(self, at: float) -> Version:
        """How it looks, to be kept before an edit at that time."""
        return Version(self.content, self.components, self.flags, at)


def walk(components: Iterable[Json]) -> Iterator[Json]:
    """Every component with everything inside it, in reading order."""
    for component in components:
        yield component
        yield from walk(component.get("components") or ())
        for key in ("component", "accessory"):
            inner = component.get(key)
            if inner:
                yield from walk((inner,))


def visible_text(content: str, components: Iterable[Json]) -> str:
    """The content, or the text displays one under the other."""
    parts = [content] if content else []
    parts += [c["content"] for c in walk(components) if c["type"] == 10]
    return "\n".join(parts)
