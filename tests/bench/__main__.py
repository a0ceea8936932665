"""Run a bare bot and this one in turn on the loopback Discord, and print what each interaction costs.

    uv run python -m tests.bench [--count 2000] [--campaigns 1 100 10000] [--odds] [--start] [--stalls]

CPU is the bot's own process, client and database threads included; the loopback Discord runs in
another process. Not a test: nothing here can fail.
"""

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from bot.local.driver import Loopback
from bot.local.message import Channel
from bot.local.people import Person
from bot.store.history import Place
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from rules.cortex import odds
from tests.bench.fill import begun
from tests.bench.stalls import stalls

IN_FLIGHT = 50
ADD = ("/doom add dice:d6",) * 20 + ("/doom clear",)
"""A pool holds thirty dice at most, so it is emptied now and then."""
CHANNELS = 100
"""Interactions are spread over so many tables at most."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What one kind of interaction costs: CPU and latencies in milliseconds, and how many a second."""

    what: str
    cpu: float
    alone: float
    p50: float
    p99: float
    rate: float


ODDS = {
    "12 mixed dice vs 11": ((4, 4, 6, 6, 6, 8, 8, 8, 10, 10, 12, 12), (), 2),
    "12 mixed dice vs 4 dice": ((4, 4, 6, 6, 6, 8, 8, 8, 10, 10, 12, 12), (6, 8, 8, 8), 2),
    "30 mixed dice vs 11": ((4, 6, 8, 10, 12) * 6, (), 2),
    "30 mixed dice vs 30": ((4, 6, 8, 10, 12) * 6, (4, 6, 8, 10, 12) * 6, 2),
    "12 mixed dice vs 11, 5 kept": ((4, 4, 6, 6, 6, 8, 8, 8, 10, 10, 12, 12), (), 5),
    "30 mixed dice vs 11, 20 kept": ((4, 6, 8, 10, 12) * 6, (), 20),
}
"""Pools, the dice against them (none: the number 11), and how many results are kept."""


class Process:
    """A bot in a process of its own."""

    def __init__(self, arguments: Sequence[str], variables: dict[str, str]) -> None:
        self._arguments, self._variables = arguments, variables

    async def __aenter__(self) -> psutil.Process:
        self._running = await asyncio.create_subprocess_exec(
            sys.executable, *self._arguments, env={**os.environ, **self._variables}
        )
        return psutil.Process(self._running.pid)

    async def __aexit__(self, *_: object) -> None:
        self._running.terminate()
        await self._running.wait()


async def measure(
    what: str,
    lines: Sequence[str],
    places: Sequence[Channel],
    person: Person,
    bot: psutil.Process,
    count: int,
) -> Measured:
    """One by one first, then with many in flight."""

    def line(n: int) -> str:
        return lines[n // len(places) % len(lines)]

    for place in places:
        await person.slash(lines[0], place)
    spent = _spent(bot)
    for n in range(count // 4):
        await person.slash(line(n), places[n % len(places)])
    alone = (_spent(bot) - spent) / (count // 4)
    latencies: list[float] = []
    left = iter(range(count))

    async def hand() -> None:
        for n in left:
            begun = time.perf_counter()
            reply = await person.slash(line(n), places[n % len(places)])
            latencies.append(time.perf_counter() - begun)
            assert reply.failed is None, reply.failed

    spent, begun = _spent(bot), time.perf_counter()
    await asyncio.gather(*(hand() for _ in range(IN_FLIGHT)))
    seconds, cpu = time.perf_counter() - begun, (_spent(bot) - spent) / count
    cuts = statistics.quantiles(latencies, n=100)
    return Measured(what, cpu * 1e3, alone * 1e3, cuts[49] * 1e3, cuts[98] * 1e3, count / seconds)


async def bare(count: int) -> Measured:
    """The bare bot's one line."""
    async with Loopback() as discord_:
        arguments = ("-m", "tests.bench.bare", discord_.api_url, discord_.gateway_url, discord_.token)
        async with Process(arguments, {}) as bot:
            await discord_.ready()
            places = [discord_.table]
            return await measure("bare bot", ("/pong",), places, discord_.person("gm"), bot, count)


async def ours(count: int, campaigns: int) -> list[Measured]:
    """This bot, with so many campaigns in its database."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{Path(folder) / 'bench.db'}"
        async with Loopback() as discord_:
            gm = discord_.person("gm")
            places = [discord_.channel(f"table-{n}") for n in range(min(campaigns, CHANNELS))]
            await _fill(url, places, gm, discord_.world.home.id, campaigns)
            variables = {
                "DISCORD_TOKEN": discord_.token,
                "DISCORD_API_URL": discord_.api_url,
                "DISCORD_GATEWAY_URL": discord_.gateway_url,
                "DATABASE_URL": url,
                "LOG_LEVEL": "WARNING",
            }
            async with Process(("-m", "bot"), variables) as bot:
                await discord_.ready()
                lines = {
                    "/doom show": ("/doom show",),
                    "/doom add": ADD,
                    "/pp set": ("/pp set who:Alice number:3",),
                    "/roll": ("/roll dice:2d6 d8 d10 vs:11",),
                }
                return [
                    await measure(f"{what}, {campaigns} campaigns", typed, places, gm, bot, count)
                    for what, typed in lines.items()
                ]


async def count_starts(tries: int = 5) -> None:
    """Print how long it is from the start of a process to its first answer, with and without bytecode."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {"PYTHONPYCACHEPREFIX": f"{folder}/kept", "PYTHONDONTWRITEBYTECODE": ""}
        never = {"PYTHONPYCACHEPREFIX": f"{folder}/none", "PYTHONDONTWRITEBYTECODE": "1"}
        url = {"DATABASE_URL": f"sqlite+aiosqlite:///{Path(folder) / 'bench.db'}", "LOG_LEVEL": "WARNING"}
        for what, line, variables in (
            ("bare bot, with bytecode", "/pong", kept),
            ("with bytecode", "/about", {**url, **kept}),
            ("without bytecode", "/about", {**url, **never}),
        ):
            await _start(line, variables)  # writes the bytecode, and registers the commands
            spent = [await _start(line, variables) for _ in range(tries)]
            seconds, cpu = (statistics.median(each) for each in zip(*spent, strict=True))
            print(f"start to first answer, {what:<24} {seconds:>6.2f} s, CPU {cpu:.2f} s")


async def _start(line: str, variables: dict[str, str]) -> tuple[float, float]:
    """Seconds from the start of a bot's process to its first answer, and seconds of CPU."""
    async with Loopback() as discord_:
        urls = (discord_.api_url, discord_.gateway_url)
        bare = ("-m", "tests.bench.bare", *urls, discord_.token)
        ours = dict(zip(("DISCORD_API_URL", "DISCORD_GATEWAY_URL"), urls, strict=True))
        ours |= {"DISCORD_TOKEN": discord_.token, **variables}
        begun = time.perf_counter()
        async with Process(bare if line == "/pong" else ("-m", "bot"), ours) as bot:
            await discord_.ready()
            reply = await discord_.person("gm").slash(line)
            assert reply.failed is None, reply.failed
            return time.perf_counter() - begun, _spent(bot)


async def _fill(url: str, places: Sequence[Channel], gm: Person, guild: int, campaigns: int) -> None:
    """A database with so many campaigns, some of them at the places that are played."""
    await migrate(url)
    ledger = await Ledger.open(url)
    wanted = [place.id for place in places]
    wanted += range(1, campaigns - len(wanted) + 1)
    await begun(ledger, [Place(channel, guild) for channel in wanted], gm.id)
    await ledger.close()


def _spent(bot: psutil.Process) -> float:
    times = bot.cpu_times()
    return float(times.user + times.system)


def _print(row: Measured, base: Measured) -> None:
    many = f"{row.cpu:>6.2f} ({row.cpu / base.cpu:>4.1f}x)"
    one = f"{row.alone:>6.2f} ({row.alone / base.alone:>4.1f}x)"
    print(f"{row.what:<32} {many} {one} {row.p50:>7.1f} {row.p99:>7.1f} {row.rate:>7.0f}")


def count_odds() -> None:
    """Print how long exact odds take, opposition included: the median of some tries."""
    for what, (sizes, opposing, keep) in ODDS.items():
        spent = []
        for _ in range(20 if keep < 20 else 3):
            begun = time.perf_counter()
            odds.odds(sizes, keep, odds.totals(opposing, 2) if opposing else {11: 1})
            spent.append(time.perf_counter() - begun)
        print(f"odds of {what:<30} {statistics.median(spent) * 1e3:>8.2f} ms")


async def main() -> None:
    """Measure the odds, then both bots in turn."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--count", type=int, default=2000, help="interactions of each kind")
    parser.add_argument("--campaigns", type=int, nargs="*", default=[1, 100, 10_000])
    parser.add_argument("--odds", action="store_true", help="only how long exact odds take")
    parser.add_argument("--start", action="store_true", help="only how long a start takes")
    parser.add_argument("--stalls", action="store_true", help="only how long dear commands hold the loop")
    asked = parser.parse_args()
    if asked.stalls:
        await stalls()
        return
    if asked.start:
        await count_starts()
        return
    count_odds()
    if asked.odds:
        return
    print(
        f"{'':<32} {'CPU ms, 50 at once':>14} {'CPU ms, alone':>14} {'p50 ms':>7} {'p99 ms':>7} {'per s':>7}"
    )
    base = await bare(asked.count)
    _print(base, base)
    for campaigns in asked.campaigns:
        for row in await ours(asked.count, campaigns):
            _print(row, base)
    await count_starts()


if __name__ == "__main__":
    asyncio.run(main())
