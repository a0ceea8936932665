"""The entry point to the loopback Discord for tests, the benchmark and the local table.

>>> async with Loopback(token="local") as discord_:  # doctest: +SKIP
...     alice = discord_.person("alice")
...     reply = await alice.slash("/roll dice:2d6 d8")
"""

import asyncio
import os
import secrets
from collections.abc import Collection
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web

from bot.clock import SYSTEM, Clock
from bot.loopback import guild_routes, message_routes, payloads
from bot.loopback.errors import InputRefused, Violation, described
from bot.loopback.gateway import GUILD_MESSAGES, GUILDS, Gateway
from bot.loopback.model import (
    EVERYTHING,
    Channel,
    Guild,
    Interaction,
    InteractionKind,
    Json,
    Message,
    Overwrite,
    Permission,
    Role,
    User,
)
from bot.loopback.people import Person
from bot.loopback.posting import Answers
from bot.loopback.server import API, Faults, Server, guild_of
from bot.loopback.world import GROUP, THREADS, World, sees


class Scenery:
    """The places of a Discord, and what people and the bot may do in them."""

    world: World
    server: Server
    gateway: Gateway

    @property
    def table(self) -> Channel:
        """The channel that is used when no other is given."""
        return self.channel("table")

    def channel(self, name: str, *, guild: Guild | None = None) -> Channel:
        """Return a text channel by name, in the first guild by default; it is created on first use."""
        home = guild or self.world.home
        for place in self.world.in_guild(home):
            if place.name == name and place.kind not in THREADS:
                return place
        place = self.world.add_channel(name, home)
        self.server.tell("CHANNEL_CREATE", payloads.channel(place), home)
        return place

    def thread(
        self, name: str, *, parent: Channel | None = None, people: Collection[Person] | None = None
    ) -> Channel:
        """Return a thread of a channel by name; it is created on first use, as private if `people` is given.

        Raises InputRefused if the parent is a direct message channel.
        """
        above = parent or self.table
        if above.guild is None:
            raise InputRefused("Direct messages have no threads.")
        for place in self.world.in_guild(above.guild):
            if place.name == name and place.parent is above:
                return place
        inside = None if people is None else {self.world.bot.id, *(person.id for person in people)}
        place = self.world.add_thread(name, above, inside)
        self.server.tell("THREAD_CREATE", payloads.channel(place) | {"newly_created": True}, above.guild)
        return place

    def dm(self, person: Person) -> Channel:
        """Return the direct message channel of a person and the bot."""
        return self.world.dm_with(person.user)

    def guild(self, name: str) -> Guild:
        """Return a guild by name, which the bot joined long ago; it is created on first use."""
        for guild in self.world.guilds.values():
            if guild.name == name:
                return guild
        guild = self.world.add_guild(name)
        self.server.tell("GUILD_CREATE", payloads.guild(guild, self.world), guild)
        return guild

    def install(self, person: Person) -> None:
        """Install the bot for a person, who can then use it anywhere."""
        self.world.installed.add(person.id)

    def elsewhere(self, name: str = "general") -> Channel:
        """Return a channel of a guild without the bot; it is created on first use."""
        known = (guild for guild in self.world.guilds.values() if not guild.has_bot)
        guild = next(known, None) or self.world.add_guild("Elsewhere", has_bot=False)
        return self.channel(name, guild=guild)

    def group(self, name: str, *people: Person) -> Channel:
        """Return a group in which people talk without the bot; it is created on first use."""
        for place in self.world.channels.values():
            if place.kind == GROUP and place.name == name:
                place.people |= {person.id for person in people}
                return place
        return self.world.add_group(name, {person.id for person in people})

    async def join(
        self, name: str, *channels: str, silent: Collection[str] = (), system: str | None = None
    ) -> Guild:
        """Add the bot to a new guild with these channels; it may not write in the `silent` ones.

        Unlike a guild that returns from an outage, a joined guild is announced without mentioning an outage.
        """
        guild = self.world.add_guild(name)
        guild.joined = self.world.clock.now().timestamp()
        for each in channels:
            place = self.world.add_channel(each, guild)
            if each in silent:
                place.app_permissions &= ~Permission.SEND_MESSAGES
            if each == system:
                guild.system_channel = place.id
        told = payloads.guild(guild, self.world)
        del told["unavailable"]
        await self.gateway.tell("GUILD_CREATE", told, guild.id, GUILDS)
        return guild

    async def outage(self, guild: Guild) -> None:
        """Make a guild unavailable for a moment, then available again."""
        gone = {"id": str(guild.id), "unavailable": True}
        await self.gateway.tell("GUILD_DELETE", gone, guild.id, GUILDS)
        await self.gateway.tell("GUILD_CREATE", payloads.guild(guild, self.world), guild.id, GUILDS)

    def forbid(self, place: Channel | Guild, *permissions: Permission) -> None:
        """Take permissions from the bot in a channel and its threads, or in a whole guild."""
        for permission in permissions:
            if isinstance(place, Guild):
                place.denied |= permission
            else:
                (place.parent or place).app_permissions &= ~permission
        self._tell_permissions(place)

    def permit(self, place: Channel | Guild, *permissions: Permission) -> None:
        """Give the bot permissions in a channel and its threads, or those back that a guild took."""
        for permission in permissions:
            if isinstance(place, Guild):
                place.denied &= ~permission
            else:
                (place.parent or place).app_permissions |= permission
        self._tell_permissions(place)
        if isinstance(place, Channel) and Permission.VIEW_CHANNEL in permissions:
            above = place.parent or place
            threads = [c for c in self.world.channels.values() if c.parent is above and payloads.is_synced(c)]
            told = {
                "channel_ids": [str(above.id)],
                "threads": [payloads.channel(each) for each in threads],
                "members": [],
            }
            self.server.tell("THREAD_LIST_SYNC", told | guild_of(above), above.guild)

    def _tell_permissions(self, place: Channel | Guild) -> None:
        if isinstance(place, Guild):
            told = {"guild_id": str(place.id), "role": payloads.role(payloads.everyone(place))}
            self.server.tell("GUILD_ROLE_UPDATE", told, place)
        elif place.guild is not None:
            above = place.parent or place
            if self.world.bot.id in above.overwrites:
                above.overwrites[self.world.bot.id] = self._own_overwrite(above)
            self.server.tell("CHANNEL_UPDATE", payloads.channel(above), above.guild)

    def _own_overwrite(self, place: Channel) -> Overwrite:
        return Overwrite(place.app_permissions, EVERYTHING & ~place.app_permissions)

    def archive(self, thread: Channel, *, locked: bool = False) -> None:
        """Archive a thread, as Discord does after a time, or a moderator who may lock it as well."""
        self.server.change_thread(thread, archived=True, locked=locked)

    def lock(self, thread: Channel) -> None:
        """Lock a thread that stays active, as a moderator would."""
        self.server.change_thread(thread, archived=False, locked=True)

    def reopen(self, thread: Channel) -> None:
        """Make a thread active and unlocked again, as a moderator would."""
        self.server.change_thread(thread, archived=False)

    def pin(self, message: Message, *, pinned: bool = True) -> None:
        """Pin or unpin a message, as a person would."""
        self.world.pin(message, pinned=pinned)
        self.server.tell_pins(message.channel)

    def proxy(self, name: str, text: str, place: Channel | None = None, *, application: int = 0) -> Message:
        """Post what another bot says for a person by its webhook, under any name; return the message.

        PluralKit and Tupperbox do so. A webhook that somebody made by hand has no `application`.
        """
        author = User(self.world.snowflake(), name, name, is_bot=True)
        message = Message(self.world.snowflake(), place or self.table, author, content=text)
        message.created = self.world.clock.now().timestamp()
        message.webhook, message.application = author.id, application or None
        self.world.post(message)
        return message

    def close_dm(self, person: Person, *, is_closed: bool = True) -> None:
        """Let a person accept no direct messages of the bot, or accept them again."""
        self.dm(person).is_closed = is_closed

    def allow(self, place: Channel, whose: Person | Role | Guild, overwrite: Overwrite) -> None:
        """Set a channel's permission overwrite for a person, a role or everybody in the guild.

        The bot's own permissions there are reported in `app_permissions`, independently of other people's.
        """
        who = whose.user if isinstance(whose, Person) else whose
        place.overwrites[who.id] = overwrite
        place.overwrites[self.world.bot.id] = self._own_overwrite(place)
        self.server.tell("CHANNEL_UPDATE", payloads.channel(place), place.guild)

    def hide(self, place: Channel, *people: Person) -> None:
        """Hide a channel from the given people, or from everybody in the guild if none are given."""
        assert place.guild is not None
        for each in people or (place.guild,):
            self.allow(place, each, Overwrite(deny=Permission.VIEW_CHANNEL))

    def show(self, place: Channel, *people: Person | Role) -> None:
        """Show a channel to people and roles, even if it is hidden from everybody."""
        for each in people:
            self.allow(place, each, Overwrite(allow=Permission.VIEW_CHANNEL))

    def role(self, name: str, *people: Person) -> Role:
        """Return a role of the first guild by name, given to these people; it is created on first use."""
        home = self.world.home
        for role in home.roles.values():
            if role.name == name:
                break
        else:
            number = self.world.id_of("role", str(home.id), name)
            role = home.roles[number] = Role(number, name)
            told = {"guild_id": str(home.id), "role": payloads.role(role)}
            self.server.tell("GUILD_ROLE_CREATE", told, home)
        role.people = {person.id for person in people}
        return role

    async def delete_message(self, message: Message) -> None:
        """Delete a message, as a person would."""
        self.world.delete(message)
        place = message.channel
        data = {"id": str(message.id), "channel_id": str(place.id)} | guild_of(place)
        await self.gateway.tell(
            "MESSAGE_DELETE",
            data,
            place.guild.id if place.guild else None,
            GUILD_MESSAGES if place.guild else 0,
        )

    async def delete_channel(self, place: Channel) -> None:
        """Delete a channel or thread, as a person would."""
        self.world.drop_channel(place)
        event = "THREAD_DELETE" if place.kind in THREADS else "CHANNEL_DELETE"
        await self.gateway.tell(
            event, payloads.channel(place), place.guild.id if place.guild else None, GUILDS
        )

    async def leave_guild(self, guild: Guild) -> None:
        """Remove the bot from a guild."""
        for place in list(self.world.in_guild(guild)):
            self.world.drop_channel(place)
        self.world.guilds.pop(guild.id, None)
        self.world.commands.pop(guild.id, None)
        await self.gateway.tell("GUILD_DELETE", {"id": str(guild.id)}, guild.id, GUILDS)

    def find_user(self, text: str) -> User | None:
        """Return a user by name, display name, `@name` or mention, or None."""
        wanted = text.strip().removeprefix("<@").removesuffix(">").removeprefix("@").lower()
        for user in self.world.users.values():
            if wanted in (user.name.lower(), user.display.lower(), str(user.id)):
                return user
        return None

    def find_channel(self, text: str) -> Channel | None:
        """Return a channel by name, `#name` or mention, or None."""
        wanted = text.strip().removeprefix("<#").removesuffix(">").removeprefix("#").lower()
        for place in self.world.channels.values():
            if place.guild is not None and wanted in (place.name.lower(), str(place.id)):
                return place
        return None


HOST = "127.0.0.1"


class Loopback(Scenery):
    """A faithful Discord on this machine, for one bot.

    `deadline` and `token_life` are Discord's 3 s and 15 min; `patience` is how long to wait for a deferred
    answer, `settle` how long to wait for something optional. `shards` is the recommended number of shards;
    shards whose numbers differ by a multiple of `concurrency` must identify `identify_pause` seconds apart
    (Discord: 5) or are disconnected. Without a `token`, a random one is used.
    """

    def __init__(
        self,
        token: str = "",
        *,
        deadline: float = 3.0,
        token_life: float = 900.0,
        patience: float = 15.0,
        settle: float = 0.5,
        heartbeat: float = 41.25,
        keep_interactions: int = 5_000,
        keep_messages: int = 1_000,
        is_lasting: bool = False,
        shards: int = 1,
        concurrency: int = 1,
        identify_pause: float = 0.0,
        clock: Clock = SYSTEM,
    ) -> None:
        self.token = token = token or secrets.token_hex(32)
        self.deadline = deadline
        self.patience = patience
        self.settle = settle
        self.world = World(keep_interactions, keep_messages, is_lasting, clock)
        turns = (shards, concurrency, identify_pause)
        self.gateway = Gateway(self.world, token, lambda: self.gateway_url, heartbeat, *turns)
        self.faults = Faults(self.gateway.drop)
        description = os.environ.get("DISCORD_OPENAPI")
        self.server = Server(
            self.world,
            self.gateway,
            Answers(self.world, deadline, token_life),
            self.faults,
            token,
            described(Path(description)) if description else None,
        )
        self.server.add(message_routes.pin_routes(self.server))  # whose addresses look like messages'
        for routes in (
            message_routes.answer_routes,
            guild_routes.command_routes,
            guild_routes.channel_routes,
            message_routes.message_routes,
            guild_routes.emoji_routes,
            guild_routes.event_routes,
            message_routes.thread_routes,
            message_routes.webhook_routes,
        ):
            self.server.add(routes(self.server))
        self.server.add(guild_routes.gateway_routes(self.server))
        self.api_url = ""
        self.gateway_url = ""
        self._people: dict[str, Person] = {}
        self._runner: web.ServerRunner | None = None

    async def __aenter__(self) -> Self:
        most = 2 * payloads.FILE_LIMIT  # aiohttp alone takes a tenth of what Discord does
        made = partial(web.BaseRequest, loop=asyncio.get_running_loop(), client_max_size=most)
        server = web.Server(self.server.serve, access_log=None, request_factory=made)
        self._runner = web.ServerRunner(server, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.api_url = f"http://{HOST}:{port}{API}"
        self.gateway_url = f"ws://{HOST}:{port}/gateway"
        self.world.files_url = f"http://{HOST}:{port}/attachments"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for line in list(self.gateway.lines):
            await line.socket.close(code=1001)
        if self._runner is not None:
            await self._runner.cleanup()

    async def ready(self, patience: float | None = None) -> None:
        """Wait until all shards of a bot are connected and it knows its guilds."""
        async with self.world.clock.timeout(self.patience if patience is None else patience):
            await self.gateway.ready.wait()

    @property
    def violations(self) -> list[Violation]:
        """The request bodies so far that did not match Discord's description."""
        return self.server.violations

    @property
    def commands(self) -> list[Json]:
        """All registered commands, global and guild ones."""
        return [command for shelf in self.world.commands.values() for command in shelf.values()]

    @property
    def command_puts(self) -> int:
        """How often the bot has registered its whole set of commands."""
        return self.world.command_puts

    def person(self, name: str, *, display: str | None = None, manage_guild: bool = False) -> Person:
        """Return a person by name, created on first use."""
        if name not in self._people:
            user = self.world.add_user(name, display, manage_guild=manage_guild)
            self._people[name] = Person(self, user)
        elif manage_guild:
            self._people[name].user.manage_guild = True
        return self._people[name]

    def people(self) -> list[Person]:
        """Return everyone created so far."""
        return list(self._people.values())

    def messages(self, place: Channel | None = None) -> list[Message]:
        """Return the public messages of a channel, oldest first."""
        return [m for m in (place or self.table).messages.values() if not m.is_private]

    def pins(self, place: Channel | None = None) -> list[Message]:
        """Return the pinned messages of a channel, newest pin first."""
        return (place or self.table).pins()

    async def send(
        self, user: User, place: Channel, kind: InteractionKind, data: Json, source: Message | None = None
    ) -> Interaction:
        """Open an interaction and send it to the bot.

        An archived thread is opened first, as Discord's apps do. Raises InputRefused if the person does not
        see the channel, or may not open the thread.
        """
        if not sees(user, place):
            raise InputRefused(f"{user.display} can't see #{place.name}.")
        self.enter(user, place)
        opened = Interaction(
            self.world.snowflake(),
            self.world.new_token(),
            kind,
            user,
            place,
            self.world.clock.monotonic(),
            asyncio.get_running_loop().create_future(),
            source=source,
        )
        opened.payload = payloads.interaction(self.world, opened, data)
        self.world.open_interaction(opened)
        await self.deliver(opened)
        return opened

    def enter(self, user: User, place: Channel) -> None:
        """Open an archived thread for somebody who types or presses something there. Raises InputRefused."""
        if place.locked and not user.manage_guild:
            raise InputRefused(f"#{place.name} is locked.")
        self.server.wake(place)

    def give_up(self) -> None:
        """Expire every interaction that the bot has not answered yet."""
        for opened in self.world.interactions.values():
            opened.give_up()

    async def deliver(self, opened: Interaction) -> None:
        """Send an interaction over the gateway; calling this again delivers it twice."""
        # What has happened before is heard of first.
        if self.server.tasks:
            await asyncio.gather(*self.server.tasks)
        guild = opened.channel.guild
        await self.gateway.tell("INTERACTION_CREATE", opened.payload, guild.id if guild else None)
