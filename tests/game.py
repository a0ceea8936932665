"""A whole game for tests: the bot over real sockets, a database on disk, people at their keyboards."""

import asyncio
import os
import pickle
import random
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, closing
from contextvars import Context
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.client.pinned import PAUSE
from bot.clock import Clock
from bot.doomkeeper import Doomkeeper, point_at
from bot.language.printers import spelled
from bot.loopback.driver import Loopback
from bot.loopback.model import Json
from bot.loopback.people import Person
from bot.loopback.reply import BotReply
from bot.metrics_hooks import NO_METRICS
from bot.services.jobs import FOR_EVER
from bot.services.play import Play
from bot.store import codec
from bot.store.history import Place
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from bot.views.facts import summary
from bot.views.privacy import UNNAMED
from tests.clock import START, HeldClock, Requests, hurried
from tests.patience import PATIENCE


class LoadedDice:
    """Dice that show the faces put into them, roll by roll, and then chance: the same chance in every run.

    `DOOMKEEPER_SEED=7 uv run pytest` plays with other luck.
    """

    def __init__(self) -> None:
        self.faces: list[Sequence[int]] = []
        self.chance = random.Random(int(os.environ.get("DOOMKEEPER_SEED", "1")))

    def show(self, *faces: Sequence[int]) -> None:
        """The next rolls come up like this."""
        self.faces += faces

    def __call__(self, sizes: Sequence[int]) -> Sequence[int]:
        if not self.faces:
            return [self.chance.randint(1, size) for size in sizes]
        faces = self.faces.pop(0)
        assert len(faces) == len(sizes), f"the dice were loaded for {len(faces)}, and {len(sizes)} are rolled"
        return faces


class Game:
    """A loopback Discord, the bot on it, and three people: gm, alice, bob."""

    def __init__(self, discord_: Loopback, file: Path) -> None:
        self.discord = discord_
        self.clock: Clock = discord_.world.clock
        """The one that the bot and Discord go by."""
        self.bots: dict[Doomkeeper, HeldClock] = {}
        """The bots that serve this table, each with its own clock: time passes for the first one first."""
        self.requests = Requests()
        self.file = file
        self.url = f"sqlite+aiosqlite:///{file}"
        self.campaigns = 0
        """How many campaigns a server can have; 0 is no limit."""
        self.budget = 0
        """How much one person may send in 10 seconds; 0 is no limit."""
        self.shared = False
        """Whether other bots are served by the same database."""
        self.dice_emojis = False
        """Whether the bot uploads the faces of dice."""
        self.watch = NO_METRICS
        """Who counts what happens."""
        self.keeping = FOR_EVER
        """How long things are kept."""
        self.host = UNNAMED
        """Whose bot it is."""
        self.games: Any = None
        """What can be played, where that is not what the bot has itself."""
        self.dice = LoadedDice()
        self.gm = discord_.person("gm", manage_guild=True)
        self.alice = discord_.person("alice")
        self.bob = discord_.person("bob")

    async def start(self) -> None:
        """Connect the bot."""
        if not self.file.exists():
            await migrate(self.url)
        most = self.campaigns
        self.ledger = await Ledger.open(
            self.url,
            shared=self.shared,
            watch=self.watch,
            campaigns_per_guild=most,
            prunes=False,
            clock=self.clock,
        )
        _with_known_statements(self.ledger._engine)
        await self.ledger.upkeep.prune()  # which opens the connection that the ledger writes by, and keeps
        point_at(self.discord.api_url, self.discord.gateway_url)
        self.bot = Doomkeeper(
            Play(self.ledger, self.dice),
            self.ledger,
            pause=PAUSE if isinstance(self.clock, HeldClock) else BREATH,
            budget=self.budget,
            dice_emojis=self.dice_emojis,
            keeping=self.keeping,
            host=self.host,
            watch=self.watch,
            **({} if self.games is None else {"games": self.games}),
        )
        self.bot._connection.guild_ready_timeout = READY
        if self.games is None:
            _with_known_commands(self.bot)
        if isinstance(self.clock, HeldClock):
            self.bot.keeper.jobs.look = DAY  # nobody sets this clock, or puts jobs from elsewhere
            self.bots = {self.bot: self.clock}
            self.count_in(self.bot)
        else:
            self.bot.running.late = PATIENCE  # however busy the machine is, only what is asked to be late is
        self.running = asyncio.create_task(self.bot.start(self.discord.token))
        await self.discord.ready()

    def count_in(self, bot: Doomkeeper) -> None:
        """Let the test know what is in flight between a bot and Discord."""
        bot.http.http_trace = config = bot.http.http_trace or aiohttp.TraceConfig()
        self.requests.trace(config)
        self.held.in_flight |= {
            "requests to Discord": lambda: len(self.requests) > self.discord.server.held,
            "events from Discord": self._are_unread,
            START_OF_BOT: lambda: not all(one.is_ready() or one.is_closed() for one in self.bots),
        }

    @asynccontextmanager
    async def beside(
        self, bot: Doomkeeper, clock: HeldClock, context: Context | None = None
    ) -> AsyncIterator[None]:
        """Another bot at this table, which goes by a clock of its own, in a context of its own."""
        bot._connection.guild_ready_timeout = READY
        self.bots[bot] = clock
        self.count_in(bot)
        clock.in_flight = self.held.in_flight
        running = asyncio.create_task(bot.start(self.discord.token), context=context)
        await self.rest()
        try:
            yield
        finally:
            await clock.through(bot.drain())
            await running
            del self.bots[bot]

    def _are_unread(self) -> bool:
        """Whether Discord has sent something that a bot has not read yet."""
        bots = [bot for bot in self.bots if not bot.is_closed()]
        sockets = [shard._parent.ws for bot in bots for shard in bot.shards.values()]
        read = {socket.session_id: socket.sequence for socket in sockets if socket is not None}
        there = [session for session in self.discord.gateway.sessions.values() if session.line is not None]
        return bool(bots) and any(read.get(session.id) != session.sequence for session in there)

    @property
    def held(self) -> HeldClock:
        """The clock, which the test holds."""
        assert isinstance(self.clock, HeldClock)
        return self.clock

    @property
    def now(self) -> datetime:
        """The date and time at the table, in UTC."""
        return self.clock.now()

    async def rest(self) -> None:
        """Let all that is in flight arrive; no time passes."""
        await self.held.rest()

    async def at_rest(self) -> None:
        """Let all that follows the last change follow it: pinned tables, shown rolls, threads, what is due.

        What failed and is to be tried again later is not waited for.
        """
        await self.rest()
        for bot, clock in self.bots.items():
            end = clock.monotonic() + FOLLOWING
            while bot.followers.waits and (due := clock.due()) is not None:
                if clock.monotonic() + due > end:
                    break
                await clock.step()

    async def advance(self, seconds: float = 0.0, **more: float) -> None:
        """Let time pass, for one bot after the other; what is due comes to rest before time goes on.

        `more` is anything that a timedelta takes: `minutes`, `hours`, `days`.
        """
        for clock in self.bots.values():
            await clock.advance(timedelta(seconds=seconds, **more).total_seconds())

    async def stop(self) -> None:
        """Let the bot finish and close it."""
        drain = self.bot.drain()
        await (self.clock.through(drain, (START_OF_BOT,)) if isinstance(self.clock, HeldClock) else drain)
        await self.running
        await self.ledger.close()

    async def restart(self) -> None:
        """Stop the bot and start it anew, on the same database."""
        await self.stop()
        self.discord.gateway.ready.clear()
        await self.start()

    def person(self, name: str) -> Person:
        """Somebody by name; whoever is new sits down."""
        return self.discord.person(name)

    async def says(self, line: str) -> BotReply:
        """A line by somebody: `alice: /roll dice:d6`."""
        name, _, command = line.partition(": ")
        return await self.person(name).slash(command)

    async def play(self, *lines: str) -> BotReply:
        """Lines by people, none of which may be refused; who is named may be new. Return the last reply."""
        assert lines
        for line in lines:
            reply = await self.says(line)
            while new := [button for button in reply.buttons if button.label.startswith("Someone new: ")]:
                reply = await self.person(line.partition(": ")[0]).push(reply, new[0])
            assert reply.failed is None, (line, reply.failed)
            is_told_alone = " show" in line or " away:true" in line
            assert is_told_alone or not reply.private, (line, reply.text)
        return reply

    async def begin(self, line: str) -> BotReply:
        """A line that begins a campaign; the one that is played here is archived, as somebody agrees to."""
        begun = await self.says(line)
        if any(button.label == "Archive it" for button in begun.buttons):
            begun = await begun.by.press(begun, "Archive it")
        assert begun.failed is None, (line, begun.failed)
        assert not begun.private, (line, begun.text)
        return begun

    async def unanswered(self, deed: Coroutine[None, None, BotReply], when: Callable[[], object]) -> BotReply:
        """What comes of something for which Discord's time is over as soon as that is so."""
        done = asyncio.create_task(deed)
        await self.rest()
        assert when()
        self.discord.give_up()
        return await done

    async def forget(self, person: Person) -> BotReply:
        """Somebody deletes what is kept about them: the answer, once it says that this is done."""
        reply = await person.press(await person.slash("/privacy delete"), "Delete for ever")
        await self.rest()
        assert "being deleted" not in reply.text
        return reply

    async def table(self, ruleset: str = "adept") -> None:
        """A campaign with a GM, Alice and Bob, in the first scene of its first session."""
        new = await self.begin(f"gm: /campaign new name:Skyfall ruleset:{ruleset}")
        for person, name in ((self.alice, "Alice"), (self.bob, "Bob")):
            form = (await person.press(new, "Join")).form
            assert form is not None
            await person.submit(form, {"Name": name, "Sheet": ""})
        await self.play("gm: /session start", "gm: /scene start name:The docks")


Beginning = Callable[[Game], Awaitable[object]]
"""What is played first, the same each time."""
START_OF_BOT = "the start of a bot"
READY = 0.05
"""Real seconds for which a bot that starts waits for more servers; none comes that late."""
BREATH = 0.02
"""Seconds after which messages follow a change where the clock is the machine's."""
DAY = 24 * 60 * 60.0
FOLLOWING = 10.0
"""Seconds within which all that follows a change has followed it, where Discord takes it."""
KNOWN = ("bot", "home", "users", "guilds", "channels", "webhooks", "installed", "emojis", "last_id")
"""What Discord knows of people, places and messages."""


@dataclass(frozen=True)
class Left:
    """A game as it was when its bot stopped: its database, what Discord knew, and what chance brings next."""

    now: datetime
    database: bytes
    known: bytes
    commands: dict[tuple[int, str], Json]
    chance: tuple[Any, ...]

    @classmethod
    def of(cls, game: Game) -> "Left":
        """What is left of a game that is over, and in which nobody has sent a file."""
        world = game.discord.world
        assert not world.files, "its address is that of a Discord which is over"
        known = {name: getattr(world, name) for name in KNOWN}
        with closing(sqlite3.connect(game.file)) as database:
            kept = database.serialize()
        commands = dict(world.commands[None])
        return cls(game.now, kept, pickle.dumps(known), commands, game.dice.chance.getstate())

    def lay(self, game: Game) -> None:
        """Let another game, which has not begun, go on from there: the same people, places and messages."""
        discord_, world = game.discord, game.discord.world
        for name, known in pickle.loads(self.known).items():
            setattr(world, name, known)
        for user in world.users.values():
            if not user.is_bot:
                discord_._people.setdefault(user.name, Person(discord_, user)).user = user
        world.commands[None] = {name: dict(command) for name, command in self.commands.items()}
        game.file.write_bytes(self.database)
        game.dice.chance.setstate(self.chance)


_LEFT: dict[Beginning | None, Left] = {}


async def left(beginning: Beginning | None) -> Left:
    """A game that was left where that leads; nobody has played where there is none.

    It is played once for all games of this process: migrating, registering commands and getting so far takes
    longer than most tests last.
    """
    known = _LEFT.get(beginning)
    if known is None:
        begins = await left(None) if beginning else None
        with TemporaryDirectory() as folder:
            async with _going_on(Path(folder), begins) as game:
                if beginning:
                    await beginning(game)
            known = _LEFT[beginning] = Left.of(game)
    return known


_DIALECTS: dict[type[Dialect], Dialect] = {}
_STATEMENTS: dict[object, object] = {}
_DIGEST: list[str] = []


def _with_known_statements(engine: AsyncEngine) -> None:
    """Let a database know the statements that other games have compiled: a fifth of a short game's time."""
    inner = engine.sync_engine
    inner.dialect = _DIALECTS.setdefault(type(inner.dialect), inner.dialect)
    inner.update_execution_options(compiled_cache=_STATEMENTS)


def _with_known_commands(bot: Doomkeeper) -> None:
    """Let a bot know the digest of its commands, which are those of every game."""
    digest = bot.registered._digest

    def known() -> str:
        if not _DIGEST:
            _DIGEST.append(digest())
        return _DIGEST[0]

    setattr(bot.registered, "_digest", known)  # noqa: B010 - mypy knows it as a method


@asynccontextmanager
async def playing(folder: Path, beginning: Beginning | None = None, **loopback: Any) -> AsyncIterator[Game]:
    """A game in progress that goes on from a beginning; where there is none, nobody has played."""
    begins = None if loopback.get("is_lasting") else await left(beginning)
    async with _going_on(folder, begins, **loopback) as game:
        yield game


@asynccontextmanager
async def _going_on(folder: Path, begins: Left | None, **loopback: Any) -> AsyncIterator[Game]:
    """A game from there on; at its end nothing may have broken Discord's description of itself."""
    loopback.setdefault("clock", HeldClock(begins.now if begins is not None else START))
    with hurried(loopback["clock"]):
        async with Loopback("", **loopback) as discord_:
            game = Game(discord_, folder / "game.db")
            if begins is not None:
                begins.lay(game)
            await game.start()
            if begins is not None:  # the bot has its table in mind, as it has when people have just played
                await game.ledger.look(Place(game.discord.table.id, game.discord.world.home.id))
            try:
                yield game
            finally:
                await game.stop()
            assert discord_.violations == []
            assert _silent_steps(game.file) == []


def _silent_steps(file: Path) -> list[str]:
    """The facts of the steps that have no line in the log, or an empty quote in it."""
    with closing(sqlite3.connect(file)) as database:
        try:
            written = {facts for (facts,) in database.execute("SELECT facts FROM entry") if facts}
        except sqlite3.DatabaseError:  # a test has spoiled it
            return []
    return [facts for facts in written if _is_silent(facts)]


@cache
def _is_silent(facts: str) -> bool:
    line = spelled(summary(codec.read_facts(facts)))
    return not line.strip() or "“”" in line
