"""The servers and channels of the loopback Discord: made when first named, changed, and gone."""

from collections.abc import Collection

from bot.local import payloads
from bot.local.errors import Refused
from bot.local.gateway import GUILD_MESSAGES, GUILDS, Gateway
from bot.local.message import Channel, Message
from bot.local.people import Person
from bot.local.places import EVERYTHING, Guild, Overwrite, Permission, Role, User
from bot.local.server import Server
from bot.local.world import GROUP, THREADS, World


class Scenery:
    """Where things happen on a Discord, and what people and the bot may do there."""

    world: World
    server: Server
    gateway: Gateway

    @property
    def table(self) -> Channel:
        """The channel in which things happen unless another is named."""
        return self.channel("table")

    def channel(self, name: str, *, guild: Guild | None = None) -> Channel:
        """A text channel by name (in the first guild unless said); created when first named."""
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
        """A thread by name under a channel; created when first named, private where its people are."""
        above = parent or self.table
        if above.guild is None:
            raise Refused("Direct messages have no threads.")
        for place in self.world.in_guild(above.guild):
            if place.name == name and place.parent is above:
                return place
        inside = None if people is None else {self.world.bot.id, *(person.id for person in people)}
        place = self.world.add_thread(name, above, inside)
        self.server.tell("THREAD_CREATE", payloads.channel(place) | {"newly_created": True}, above.guild)
        return place

    def dm(self, person: Person) -> Channel:
        """The direct messages between a person and the bot."""
        return self.world.dm_with(person.user)

    def guild(self, name: str) -> Guild:
        """A guild by name, in which the bot has been for long; created when first named."""
        for guild in self.world.guilds.values():
            if guild.name == name:
                return guild
        guild = self.world.add_guild(name)
        self.server.tell("GUILD_CREATE", payloads.guild(guild, self.world), guild)
        return guild

    def install(self, person: Person) -> None:
        """Somebody has the bot for themselves, wherever they are."""
        self.world.installed.add(person.id)

    def elsewhere(self, name: str = "general") -> Channel:
        """A channel of a guild that the bot is not in; created when first named."""
        known = (guild for guild in self.world.guilds.values() if not guild.has_bot)
        guild = next(known, None) or self.world.add_guild("Elsewhere", has_bot=False)
        return self.channel(name, guild=guild)

    def group(self, name: str, *people: Person) -> Channel:
        """A group in which people talk without the bot; created when first named."""
        for place in self.world.channels.values():
            if place.kind == GROUP and place.name == name:
                place.people |= {person.id for person in people}
                return place
        return self.world.add_group(name, {person.id for person in people})

    async def join(
        self, name: str, *channels: str, silent: Collection[str] = (), system: str | None = None
    ) -> Guild:
        """The bot is brought to a guild with these channels; in `silent` ones it may not write.

        A guild that it joins is told without a word about outages, unlike those that come back from one.
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
        """A guild is away for a moment, and comes back."""
        gone = {"id": str(guild.id), "unavailable": True}
        await self.gateway.tell("GUILD_DELETE", gone, guild.id, GUILDS)
        await self.gateway.tell("GUILD_CREATE", payloads.guild(guild, self.world), guild.id, GUILDS)

    def forbid(self, place: Channel, *permissions: Permission) -> None:
        """Take permissions from the bot in a channel."""
        for permission in permissions:
            place.app_permissions &= ~permission

    def allow(self, place: Channel, whose: Person | Role | Guild, overwrite: Overwrite) -> None:
        """Let a channel allow and deny something to a person, a role, or everybody in its guild.

        What the bot may do in it is `app_permissions`, whatever others may.
        """
        who = whose.user if isinstance(whose, Person) else whose
        place.overwrites[who.id] = overwrite
        place.overwrites[self.world.bot.id] = Overwrite(
            place.app_permissions, EVERYTHING & ~place.app_permissions
        )
        self.server.tell("CHANNEL_UPDATE", payloads.channel(place), place.guild)

    def hide(self, place: Channel, *people: Person) -> None:
        """Hide a channel from people; from everybody in its guild where nobody is named."""
        assert place.guild is not None
        for each in people or (place.guild,):
            self.allow(place, each, Overwrite(deny=Permission.VIEW_CHANNEL))

    def show(self, place: Channel, *people: Person | Role) -> None:
        """Show a channel to people and to roles, whatever it denies to everybody."""
        for each in people:
            self.allow(place, each, Overwrite(allow=Permission.VIEW_CHANNEL))

    def role(self, name: str, *people: Person) -> Role:
        """A role of the first guild by name, which these people have; created when first named."""
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
        """Someone deletes a message."""
        self.world.delete(message)
        place = message.channel
        data = {"id": str(message.id), "channel_id": str(place.id)}
        if place.guild is not None:
            data["guild_id"] = str(place.guild.id)
        await self.gateway.tell(
            "MESSAGE_DELETE",
            data,
            place.guild.id if place.guild else None,
            GUILD_MESSAGES if place.guild else 0,
        )

    async def delete_channel(self, place: Channel) -> None:
        """Someone deletes a channel or a thread."""
        self.world.drop_channel(place)
        event = "THREAD_DELETE" if place.kind in THREADS else "CHANNEL_DELETE"
        await self.gateway.tell(
            event, payloads.channel(place), place.guild.id if place.guild else None, GUILDS
        )

    async def leave_guild(self, guild: Guild) -> None:
        """The bot is thrown out of a guild."""
        for place in list(self.world.in_guild(guild)):
            self.world.drop_channel(place)
        self.world.guilds.pop(guild.id, None)
        self.world.commands.pop(guild.id, None)
        await self.gateway.tell("GUILD_DELETE", {"id": str(guild.id)}, guild.id, GUILDS)

    def find_user(self, text: str) -> User | None:
        """Someone by name, display name, `@name` or mention."""
        wanted = text.strip().removeprefix("<@").removesuffix(">").removeprefix("@").lower()
        for user in self.world.users.values():
            if wanted in (user.name.lower(), user.display.lower(), str(user.id)):
                return user
        return None

    def find_channel(self, text: str) -> Channel | None:
        """A channel by name, `#name` or mention."""
        wanted = text.strip().removeprefix("<#").removesuffix(">").removeprefix("#").lower()
        for place in self.world.channels.values():
            if place.guild is not None and wanted in (place.name.lower(), str(place.id)):
                return place
        return None
