"""The loopback Discord as tests, the benchmark and the local table use it.

>>> async with Loopback(token="local") as discord_:  # doctest: +SKIP
...     alice = discord_.person("alice")
...     reply = await alice.slash("/roll dice:2d6 d8")
"""

import asyncio
import os
import secrets
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web

from bot.clock import SYSTEM, Clock
from bot.local import (
    answer_routes,
    channel_routes,
    command_routes,
    emoji_routes,
    event_routes,
    message_routes,
    payloads,
    thread_routes,
    webhook_routes,
)
from bot.local.answers import Answers
from bot.local.errors import Refused
from bot.local.faults import Faults
from bot.local.gateway import Gateway
from bot.local.interaction import Interaction, Kind
from bot.local.message import Channel, Json, Message
from bot.local.people import Person
from bot.local.places import User
from bot.local.rights import sees
from bot.local.scenery import Scenery
from bot.local.schema import Violation, described
from bot.local.server import API, Server
from bot.local.world import World

HOST = "127.0.0.1"


class Loopback(Scenery):
    """An honest Discord on this machine, for one bot.

    `deadline` and `token_life` are Discord's 3 s and 15 min; `patience` is how long one waits for
    a deferred answer, `settle` how long for something that need not come. It recommends so many `shards`;
    shards whose numbers differ by a multiple of `concurrency` identify with so many seconds in between
    (`identify_pause`, Discord's is 5), or are sent away. Without a `token` it has one that nobody knows.
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
        others = (message_routes, emoji_routes, event_routes, thread_routes, webhook_routes)
        for page in (answer_routes, command_routes, channel_routes, *others):
            self.server.add(page.routes(self.server))
        self.server.add(channel_routes.gateway_routes(self.server))
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
        """Wait until a bot is connected by all its shards and knows its guilds."""
        async with self.world.clock.timeout(self.patience if patience is None else patience):
            await self.gateway.ready.wait()

    @property
    def violations(self) -> list[Violation]:
        """The bodies that did not fit Discord's description so far."""
        return self.server.violations

    @property
    def commands(self) -> list[Json]:
        """The commands registered, global ones and those of guilds."""
        return [command for shelf in self.world.commands.values() for command in shelf.values()]

    @property
    def command_puts(self) -> int:
        """How often the bot has registered all its commands."""
        return self.world.command_puts

    def person(self, name: str, *, display: str | None = None, manage_guild: bool = False) -> Person:
        """Someone by name; created when first named."""
        if name not in self._people:
            user = self.world.add_user(name, display, manage_guild=manage_guild)
            self._people[name] = Person(self, user)
        elif manage_guild:
            self._people[name].user.manage_guild = True
        return self._people[name]

    def people(self) -> list[Person]:
        """Everyone so far."""
        return list(self._people.values())

    def messages(self, place: Channel | None = None) -> list[Message]:
        """The public messages of a channel, oldest first."""
        return [m for m in (place or self.table).messages.values() if not m.is_private]

    def pins(self, place: Channel | None = None) -> list[Message]:
        """The pinned messages of a channel, newest pin first."""
        return (place or self.table).pins()

    async def send(
        self, user: User, place: Channel, kind: Kind, data: Json, source: Message | None = None
    ) -> Interaction:
        """Open an interaction and let it reach the bot.

        Raises:
            Refused: the person does not see that channel.
        """
        if not sees(user, place):
            raise Refused(f"{user.display} can't see #{place.name}.")
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

    def give_up(self) -> None:
        """Let Discord's time be over now for all that the bot has not answered."""
        for opened in self.world.interactions.values():
            opened.give_up()

    async def deliver(self, opened: Interaction) -> None:
        """Send an interaction over the gateway (a second time, if it was sent before)."""
        # What has happened before is heard of first.
        if self.server.tasks:
            await asyncio.gather(*self.server.tasks)
        guild = opened.channel.guild
        await self.gateway.tell("INTERACTION_CREATE", opened.payload, guild.id if guild else None)
