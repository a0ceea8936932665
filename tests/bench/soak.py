"""A long evening at many tables: what it takes, what it holds in the end, what is lost and doubled.

Gifts of PP are counted where they were told to all, and looked up in the database when the bots have stopped.
"""

import asyncio
import random
import socket
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import psutil

from bot.loopback.driver import Loopback
from bot.loopback.model import Channel
from bot.store.history import Place
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from rules.cortex.model import CORTEX
from tests.bench.bots import database
from tests.bench.cluster import server
from tests.bench.fill import begun
from tests.bot.test_process import TOKEN, Program
from tests.cluster import serves

RATE = 40
"""So many commands, presses and forms a second, over all tables."""
SERVERS = 100
MEGABYTE = 1024 * 1024
SETTINGS = {"LOG_LEVEL": "WARNING", "USER_COMMANDS_PER_10S": "0", "CAMPAIGNS_PER_SERVER": "0"}
CLUSTER = {"SHARDS": "auto", "SHARDS_PER_PROCESS": "2"}


@dataclass
class Evening:
    """What is played, and what came of it. Times are seconds."""

    loopback: Loopback
    places: Sequence[Channel]
    sent: Counter[int] = field(default_factory=Counter)
    told: Counter[int] = field(default_factory=Counter)
    took: list[float] = field(default_factory=list)
    unanswered: int = 0
    lag: float = 0.0

    async def play(self, seconds: float) -> None:
        """So many seconds of play; each time counts from when an answer was due to begin."""
        chance, begun_at = random.Random(7), time.perf_counter()
        acts = []
        for n in range(int(seconds * RATE)):
            due = begun_at + n / RATE
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            acts.append(asyncio.ensure_future(self._act(chance.choice(self.places), chance.random(), due)))
        await asyncio.gather(*acts)

    async def _act(self, place: Channel, what: float, due: float) -> None:
        """A gift, doom, or a roll and one of its other choices."""
        gm = self.loopback.person("gm", manage_guild=True)
        if what < 0.5:
            self.sent[place.id] += 1
            reply = await self.loopback.person("alice").slash("/pp give who:Alice", place)
            self.told[place.id] += reply.failed is None and not reply.private
        elif what < 0.7:
            reply = await gm.slash("/doom set dice:2d6 d8", place)
        else:
            reply = await gm.slash("/roll dice:2d6 2d8 d10 vs:doom", place)
            others = [button for button in reply.buttons if button.label.startswith("Total")]
            if others and what < 0.85:
                reply = await gm.press(reply, others[0].label)
        self.took.append(time.perf_counter() - due)
        self.unanswered += reply.failed is not None

    async def look(self, ports: Sequence[int]) -> None:
        """Ask the processes again and again how late they are."""
        async with aiohttp.ClientSession() as session:
            while True:
                for port in ports:
                    with suppress(aiohttp.ClientError):
                        async with session.get(f"http://127.0.0.1:{port}/metrics") as answer:
                            late = (await answer.text()).split("\ndoomkeeper_loop_lag_seconds ")
                        if len(late) > 1:
                            self.lag = max(self.lag, float(late[1].split()[0]))
                await asyncio.sleep(1)

    async def lost_and_doubled(self, url: str) -> tuple[int, int]:
        """Gifts that were told and are not there, and those that are there without having been asked for."""
        ledger = await Ledger.open(url, shared=True)
        kept: Counter[int] = Counter()
        for place in self.places:
            assert place.guild is not None
            if place.id in self.sent:
                entry = await ledger.look(Place(place.id, place.guild.id))
                assert entry is not None
                kept[place.id] = CORTEX.has(entry.table.characters["alice"]).pp
        await ledger.close()
        return (self.told - kept).total(), (kept - self.sent).total()


async def soak(seconds: float, campaigns: int) -> None:
    """Play on SQLite with one process, and on PostgreSQL with three."""
    with database() as url:
        await _evening("SQLite, 1 process", url, [{}], 1, seconds, campaigns)
    with server() as (_, url):
        await _evening("PostgreSQL, 3 processes", url, [CLUSTER] * 3, 4, seconds, campaigns)


async def _evening(
    name: str, url: str, processes: list[dict[str, str]], shards: int, seconds: float, campaigns: int
) -> None:
    await migrate(url)
    async with Loopback(TOKEN, shards=shards, patience=4) as loopback:
        places = _places(loopback, campaigns)
        gm = loopback.person("gm", manage_guild=True)
        ledger = await Ledger.open(url)
        await begun(ledger, [Place(p.id, p.guild.id) for p in places if p.guild is not None], gm.id)
        await ledger.close()
        evening = Evening(loopback, places)
        ports = [_free() for _ in processes]
        async with _serving(loopback, url, processes, ports) as programs:
            await serves(loopback, *range(shards), patience=120)
            looking = asyncio.create_task(evening.look(ports))
            await evening.play(5)
            evening.took.clear()
            before = _memory(programs)
            await evening.play(seconds)
            after = _memory(programs)
            looking.cancel()
        lost, doubled = await evening.lost_and_doubled(url)
        cuts = [cut * 1e3 for cut in statistics.quantiles(evening.took, n=100)]
        print(
            f"{name}: {len(evening.took)} in {seconds:.0f} s over {campaigns} campaigns; "
            f"p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms, worst {max(evening.took) * 1e3:.0f} ms, "
            f"loop at most {evening.lag * 1e3:.0f} ms late; memory {before:.0f} to {after:.0f} MiB; "
            f"{evening.unanswered} unanswered, {lost} lost, {doubled} doubled",
            flush=True,
        )


def _places(loopback: Loopback, count: int) -> list[Channel]:
    """A channel for each campaign, over a hundred servers."""
    guilds = [loopback.guild(f"server {n}") for n in range(SERVERS)]
    return [loopback.channel(f"table-{n}", guild=guilds[n % SERVERS]) for n in range(count)]


@asynccontextmanager
async def _serving(
    loopback: Loopback, url: str, processes: list[dict[str, str]], ports: list[int]
) -> AsyncIterator[list[Program]]:
    """The processes, until they are done with; what they log goes to a file, and is printed at the end."""
    with tempfile.TemporaryDirectory() as folder, Path(folder, "log").open("w") as log:  # noqa: ASYNC230
        programs = []
        try:
            for more, port in zip(processes, ports, strict=True):
                settings = {**SETTINGS, **more, "DATABASE_URL": url, "HEALTH_PORT": str(port)}
                programs.append(Program(Path(folder), loopback, **settings))
                programs[-1].output = log.fileno()
                await programs[-1].start()
            yield programs
        finally:
            for program in programs:
                if program.process.returncode is None:
                    program.process.terminate()
                await program.process.wait()
            print(Path(log.name).read_text()[-3000:], end="")  # noqa: ASYNC240


def _memory(programs: list[Program]) -> float:
    """MiB that the processes hold together."""
    return sum(psutil.Process(each.process.pid).memory_info().rss for each in programs) / MEGABYTE


def _free() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
