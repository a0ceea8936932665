"""People, what they may do, their servers, and the emojis of the bot."""

from dataclasses import dataclass, field
from enum import IntFlag


class Permission(IntFlag):
    """The permissions that the loopback Discord looks at."""

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
    """Someone with an account: a person, or the bot."""

    id: int
    name: str
    display: str
    is_bot: bool = False
    manage_guild: bool = False
    avatar: str = ""
    """The address of a picture, of who speaks by a webhook."""

    @property
    def permissions(self) -> Permission:
        """What this person may do in every guild."""
        return EVERYTHING | Permission.MANAGE_GUILD if self.manage_guild else EVERYTHING


@dataclass(eq=False, slots=True)
class Role:
    """A role of a guild, what it lets people do, and who has it."""

    id: int
    name: str
    permissions: Permission = NO_RIGHT
    people: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Overwrite:
    """What a channel allows and denies to a role or to one person, beside what they may do elsewhere."""

    allow: Permission = NO_RIGHT
    deny: Permission = NO_RIGHT


@dataclass(eq=False, slots=True)
class Event:
    """Something in a guild's calendar, outside of its channels; times are as they were sent."""

    id: int
    name: str
    description: str
    begins: str
    ends: str
    location: str


@dataclass(eq=False, slots=True)
class Guild:
    """A Discord server: when the bot came to it, and the channel for its own news, if it has one.

    The bot has none of the rights that are `denied` anywhere in it. Where it `has_bot` not, only who has the
    bot for themselves can use it there.
    """

    id: int
    name: str
    has_bot: bool = True
    joined: float = 1_704_067_200.0
    system_channel: int | None = None
    denied: Permission = NO_RIGHT
    events: dict[int, Event] = field(default_factory=dict)
    roles: dict[int, Role] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    """The people who have left it."""

    def roles_of(self, user: User) -> list[Role]:
        """The roles that somebody has, besides the one of everybody."""
        return [role for role in self.roles.values() if user.id in role.people]


@dataclass(eq=False, slots=True)
class Emoji:
    """An emoji of the bot's own: its picture, and what kind of picture that is."""

    id: int
    name: str
    data: bytes = field(repr=False)
    kind: str
