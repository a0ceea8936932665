"""The state of the loopback Discord, and the permission checks on it."""

import hashlib
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote

from bot.clock import SYSTEM, Clock
from bot.loopback.model import (
    NO_RIGHT,
    Channel,
    Emoji,
    File,
    Guild,
    Interaction,
    Json,
    Message,
    Overwrite,
    Permission,
    User,
    Webhook,
)

EPOCH = 1_420_070_400_000
KEPT_UPLOADS = 100
TEXT, DM, GROUP, THREAD, PRIVATE_THREAD = 0, 1, 3, 11, 12
THREADS = (THREAD, PRIVATE_THREAD)


@dataclass(frozen=True, slots=True)
class Happening:
    """A change to a message (created, edited, deleted, pinned, unpinned) and the interaction behind it."""

    kind: Literal["created", "edited", "deleted", "pinned"]
    message: Message
    interaction: Interaction | None = None


# As if they were of March 2017: new ids are by the clock, and never come there.
LASTING = 1 << 58


@dataclass(slots=True)
class World:
    """The state of the loopback Discord; the oldest interactions and messages are dropped.

    In a lasting world, people and places get the same ids on every start, so that what a bot stored
    about them on disk still applies.
    """

    keep_interactions: int = 5_000
    keep_messages: int = 1_000
    is_lasting: bool = False
    clock: Clock = SYSTEM
    users: dict[int, User] = field(default_factory=dict)
    installed: set[int] = field(default_factory=set)
    guilds: dict[int, Guild] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    interactions: OrderedDict[int, Interaction] = field(default_factory=OrderedDict)
    tokens: dict[str, Interaction] = field(default_factory=dict)
    files: dict[int, File] = field(default_factory=dict)
    uploads: deque[File] = field(default_factory=deque)
    commands: dict[int | None, dict[tuple[int, str], Json]] = field(default_factory=dict)
    command_puts: int = 0
    application_flags: int = 0
    owner: User | None = None
    """Who owns the application; None for the bot itself."""
    profile: Json = field(default_factory=dict)
    emojis: dict[int, Emoji] = field(default_factory=dict)
    webhooks: dict[int, Webhook] = field(default_factory=dict)
    listeners: list[Callable[[Happening], None]] = field(default_factory=list)
    watchers: list[Callable[[], None]] = field(default_factory=list)
    files_url: str = ""
    last_id: int = 0
    bot: User = field(init=False)
    home: Guild = field(init=False)

    def __post_init__(self) -> None:
        self.bot = self.add_user("bot", is_bot=True)
        self.home = self.add_guild("Local table")
        self.add_channel("table", self.home)

    def snowflake(self) -> int:
        """Return a new id that holds the current time in its upper bits, as Discord's ids do."""
        now = (int(self.clock.now().timestamp() * 1000) - EPOCH) << 22
        self.last_id = now if now > self.last_id else self.last_id + 1
        return self.last_id

    def id_of(self, *names: str) -> int:
        """Return an id for a user or place: a new one, or in a lasting world the same one each time."""
        if not self.is_lasting:
            return self.snowflake()
        digest = hashlib.sha256("/".join(names).encode()).digest()
        return LASTING + int.from_bytes(digest[:6], "big")

    def add_user(
        self, name: str, display: str | None = None, *, is_bot: bool = False, manage_guild: bool = False
    ) -> User:
        """Add a user; every user shares all guilds with the bot."""
        user = User(self.id_of("user", name), name, display or name, is_bot, manage_guild)
        self.users[user.id] = user
        self.changed()
        return user

    def add_guild(self, name: str, *, has_bot: bool = True) -> Guild:
        """Add a guild, with or without the bot."""
        guild = Guild(self.id_of("guild", name), name, has_bot)
        self.guilds[guild.id] = guild
        return guild

    def add_channel(self, name: str, guild: Guild) -> Channel:
        """Add a text channel."""
        return self._keep(Channel(self.id_of("channel", str(guild.id), name), name, TEXT, guild))

    def add_file(self, place: Channel, name: str, data: bytes, description: str | None = None) -> File:
        """Store a new file, which can be downloaded from its URL."""
        number = self.snowflake()
        url = f"{self.files_url}/{place.id}/{number}/{quote(name)}"
        file = self.files[number] = File(number, name, data, url, description)
        return file

    def upload(self, place: Channel, name: str, data: bytes) -> File:
        """Store a file attached to a command; the oldest uploads beyond the limit are dropped."""
        self.uploads.append(self.add_file(place, name, data))
        if len(self.uploads) > KEPT_UPLOADS:
            self.files.pop(self.uploads.popleft().id, None)
        return self.uploads[-1]

    def add_thread(self, name: str, parent: Channel, people: set[int] | None = None) -> Channel:
        """Add a thread to a channel; it is private if `people` is given."""
        number = self.id_of("thread", str(parent.id), name)
        kind = THREAD if people is None else PRIVATE_THREAD
        return self._keep(Channel(number, name, kind, parent.guild, parent=parent, people=people or set()))

    def open_thread(self, name: str, parent: Channel, owner: User) -> Channel:
        """Add a public thread that a user owns; several threads may share a name."""
        return self._keep(Channel(self.snowflake(), name, THREAD, parent.guild, parent=parent, owner=owner))

    def dm_with(self, user: User) -> Channel:
        """Return the direct message channel of the bot and a user."""
        for channel in self.channels.values():
            if channel.recipient is user:
                return channel
        return self._keep(Channel(self.id_of("dm", user.name), user.name, DM, None, recipient=user))

    def add_group(self, name: str, people: set[int]) -> Channel:
        """Add a group in which people talk without the bot."""
        return self._keep(Channel(self.id_of("group", name), name, GROUP, None, people=people))

    def _keep(self, channel: Channel) -> Channel:
        self.channels[channel.id] = channel
        self.changed()
        return channel

    def has_bot(self, place: Channel) -> bool:
        """Return whether the bot itself is in a place, not only people who installed it for themselves."""
        return place.guild.has_bot if place.guild else place.kind != GROUP

    def in_guild(self, guild: Guild) -> Iterator[Channel]:
        """Yield the channels and threads of a guild, oldest first."""
        return (channel for channel in self.channels.values() if channel.guild is guild)

    def drop_channel(self, channel: Channel) -> None:
        """Delete a channel, its messages and its threads."""
        for other in [c for c in self.channels.values() if c.parent is channel]:
            self.drop_channel(other)
        self.channels.pop(channel.id, None)
        for message in channel.messages.values():
            self._forget(message)
        self.changed()

    def open_interaction(self, interaction: Interaction) -> None:
        """Store an interaction so that its responses find it; drop the oldest beyond the limit."""
        self.interactions[interaction.id] = interaction
        self.tokens[interaction.token] = interaction
        while len(self.interactions) > self.keep_interactions:
            _, oldest = self.interactions.popitem(last=False)
            del self.tokens[oldest.token]

    def new_token(self) -> str:
        """Return an unguessable interaction token."""
        return secrets.token_urlsafe(48)

    def post(self, message: Message, interaction: Interaction | None = None) -> None:
        """Add a message to its channel; beyond the limit, the oldest unpinned one is dropped."""
        messages = message.channel.messages
        messages[message.id] = message
        if len(messages) > self.keep_messages:
            oldest = next((m for m in messages.values() if not m.pinned), None)
            if oldest is not None:
                self._forget(messages.pop(oldest.id))
        self.tell(Happening("created", message, interaction))

    def delete(self, message: Message) -> None:
        """Delete a message and its pin."""
        message.channel.messages.pop(message.id, None)
        self._forget(message)
        self.tell(Happening("deleted", message))

    def _forget(self, message: Message) -> None:
        message.deleted = True
        message.pinned = False
        for file in message.files:
            self.files.pop(file.id, None)

    def tell(self, happening: Happening) -> None:
        """Notify all listeners of a change to a message."""
        for listener in self.listeners:
            listener(happening)

    def pin(self, message: Message, *, pinned: bool) -> None:
        """Pin or unpin a message."""
        message.pinned = pinned
        if pinned:
            message.pinned_at = self.clock.now().timestamp()
        self.tell(Happening("pinned", message))

    def changed(self) -> None:
        """Notify all watchers that people, places, commands or the bot's presence changed."""
        for watcher in self.watchers:
            watcher()

    def commands_in(self, channel: Channel) -> list[Json]:
        """Return the commands available in a channel: the guild's first, then the global ones."""
        own = self.commands.get(channel.guild.id, {}) if channel.guild else {}
        return list({**self.commands.get(None, {}), **own}.values())


def permissions(user: User, place: Channel) -> Permission:
    """Return a user's permissions in a channel; a thread uses those of its parent."""
    guild = place.guild
    if guild is None:
        return user.permissions
    above, roles = place.parent or place, guild.roles_of(user)
    may = user.permissions
    for role in roles:
        may |= role.permissions
    may = _with(may, [above.overwrites.get(guild.id)])
    may = _with(may, [above.overwrites.get(role.id) for role in roles])
    may = _with(may, [above.overwrites.get(user.id)])
    is_apart = place.kind == PRIVATE_THREAD and user.id not in place.people
    return may & ~Permission.VIEW_CHANNEL if is_apart and not may & Permission.MANAGE_THREADS else may


def sees(user: User, place: Channel) -> bool:
    """Return whether a user can see a channel or thread."""
    if place.kind == DM:
        return place.recipient is user
    if place.kind == GROUP:
        return user.id in place.people
    return bool(permissions(user, place) & Permission.VIEW_CHANNEL)


def _with(may: Permission, overwrites: list[Overwrite | None]) -> Permission:
    """Apply overwrites of the same rank: what any of them allows wins over what others deny."""
    allow = deny = NO_RIGHT
    for each in overwrites:
        if each is not None:
            allow, deny = allow | each.allow, deny | each.deny
    return (may & ~deny) | allow


def may(user: User, needed: int) -> bool:
    """Return whether a user has all the given permissions (0: only administrators)."""
    if user.permissions & Permission.MANAGE_GUILD:
        return True
    return needed != 0 and (user.permissions & needed) == needed
