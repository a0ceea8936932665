"""A whole game for tests: the bot over real sockets, a database on disk, people at their keyboards."""

import asyncio
import os
import pickle
import random
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy.engine import Dialect
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.client.bot import Doomkeeper, point_at
from bot.local.driver import Loopback
from bot.local.message import Json
from bot.local.people import Person
from bot.local.reply import Reply
from bot.play import Play
from bot.render.host import UNNAMED
from bot.store.history import Place
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from bot.use.keeping import FOR_EVER
from bot.watch import NOBODY_LOOKS
from tests.patience import PATIENCE, patient, until


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
        self.watch = NOBODY_LOOKS
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
            self.url, shared=self.shared, watch=self.watch, campaigns_per_guild=most, prunes=False
        )
        _with_known_statements(self.ledger._engine)
        await self.ledger.upkeep.prune()  # which opens the connection that the ledger writes by, and keeps
        point_at(self.discord.api_url, self.discord.gateway_url)
        self.bot = Doomkeeper(
            Play(self.ledger, self.dice),
            self.ledger,
            pause=0.02,
            budget=self.budget,
            dice_emojis=self.dice_emojis,
            keeping=self.keeping,
            host=self.host,
            watch=self.watch,
            **({} if self.games is None else {"games": self.games}),
        )
        self.bot._connection.guild_ready_timeout = 0.05  # no server comes later
        self.bot.running.late = PATIENCE  # however busy the machine is, only what is asked to be late is
        self.running = asyncio.create_task(self.bot.start(self.discord.token))
        await self.discord.ready()

    async def stop(self) -> None:
        """Let the bot finish and close it."""
        await self.bot.drain()
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

    async def says(self, line: str) -> Reply:
        """A line by somebody: `alice: /roll dice:d6`."""
        name, _, command = line.partition(": ")
        return await self.person(name).slash(command)

    async def play(self, *lines: str) -> Reply:
        """Lines by people, none of which may be refused; the last reply."""
        assert lines
        for line in lines:
            reply = await self.says(line)
            assert reply.failed is None, (line, reply.failed)
            is_told_alone = " show" in line or " away:true" in line
            assert is_told_alone or not reply.private, (line, reply.text)
        return reply

    async def until(self, happened: Callable[[], object]) -> None:
        """Wait for something that comes by itself, such as a follow-up or an edit."""
        await until(happened)

    async def unanswered(self, deed: Coroutine[None, None, Reply], when: Callable[[], object]) -> Reply:
        """What comes of something for which Discord's time is over as soon as that is so."""
        done = asyncio.create_task(deed)
        await until(when)
        self.discord.give_up()
        return await done

    async def forget(self, person: Person) -> Reply:
        """Somebody deletes what is kept about them: the answer, once it says that this is done."""
        reply = await person.press(await person.slash("/privacy delete"), "Delete for ever")
        await self.until(lambda: "being deleted" not in reply.text)
        return reply

    async def table(self, ruleset: str = "adept") -> None:
        """A campaign with a GM, Alice and Bob, in the first scene of its first session."""
        new = await self.play(f"gm: /campaign new name:Skyfall ruleset:{ruleset}")
        for person, name in ((self.alice, "Alice"), (self.bob, "Bob")):
            form = (await person.press(new, "Join")).form
            assert form is not None
            await person.submit(form, {"Name": name})
        await self.play("gm: /session start", "gm: /scene start name:The docks")


Beginning = Callable[[Game], Awaitable[object]]
"""What is played first, the same each time."""
KNOWN = ("bot", "home", "users", "guilds", "channels", "webhooks", "installed")
"""What Discord knows of people, places and messages."""


@dataclass(frozen=True)
class Left:
    """A game as it was when its bot stopped: its database, what Discord knew, and what chance brings next."""

    at: float
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
        return cls(time.monotonic(), kept, pickle.dumps(known), commands, game.dice.chance.getstate())

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


AGE = 60.0
"""Seconds after which it is played anew: a start looks after what changed in the last two minutes."""
_LEFT: dict[Beginning | None, Left] = {}


async def left(beginning: Beginning | None) -> Left:
    """A game that was left a moment ago where that leads; nobody has played where there is none.

    It is played once for all games of this process: migrating, registering commands and getting so far takes
    longer than most tests last.
    """
    known = _LEFT.get(beginning)
    if known is None or time.monotonic() - known.at > AGE:
        begins = await left(None) if beginning else None
        with TemporaryDirectory() as folder:
            async with _going_on(Path(folder), begins) as game:
                if beginning:
                    await beginning(game)
            known = _LEFT[beginning] = Left.of(game)
    return known


_DIALECTS: dict[type[Dialect], Dialect] = {}
_STATEMENTS: dict[object, object] = {}


def _with_known_statements(engine: AsyncEngine) -> None:
    """Let a database know the statements that other games have compiled: a fifth of a short game's time."""
    inner = engine.sync_engine
    inner.dialect = _DIALECTS.setdefault(type(inner.dialect), inner.dialect)
    inner.update_execution_options(compiled_cache=_STATEMENTS)


@asynccontextmanager
async def playing(folder: Path, beginning: Beginning | None = None, **loopback: float) -> AsyncIterator[Game]:
    """A game in progress that goes on from a beginning; where there is none, nobody has played."""
    begins = None if loopback.get("is_lasting") else await left(beginning)
    async with _going_on(folder, begins, **loopback) as game:
        yield game


@asynccontextmanager
async def _going_on(folder: Path, begins: Left | None, **loopback: float) -> AsyncIterator[Game]:
    """A game from there on; at its end nothing may have broken Discord's description of itself."""
    async with patient("", **loopback) as discord_:
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
