"""Run a bare bot and this one in turn on the loopback Discord, and print what each interaction costs.

    uv run python -m tests.bench [kinds growth odds starts stalls] [--last REV] [--times 3] [--count 600]

CPU is the bot's own process, client and database threads included; the loopback Discord runs in
another process. `--last` runs another revision of this repository beside them. Not a test: nothing here
can fail.
"""

import argparse
import asyncio
from collections import defaultdict
from collections.abc import Sequence

from bot.local.driver import Loopback
from bot.store.history import Place
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from tests.bench.bots import BARE, NOW, Bot, Running, bots, database, serving
from tests.bench.fill import begun
from tests.bench.kinds import TABLES, Pongs, Tables, said
from tests.bench.load import Act, Measured, closed, median, opened
from tests.bench.odds import count_odds
from tests.bench.stalls import stalls
from tests.bench.starts import count_starts

PARTS = ("kinds", "growth", "odds", "starts", "stalls")
AT_ONCE = (1, 5, 50)
RATE, SECONDS = 40, 15
GROWTH = (1, 100_000)
WARM = 50
"""So many interactions come before any is counted."""

Figures = dict[tuple[str, str], list[Measured]]
"""What was measured, by kind and load."""


async def measure(bot: Bot, count: int) -> tuple[Figures, float]:
    """All kinds at all loads, once; MiB of memory at the end."""
    figures: Figures = defaultdict(list)
    with database() as url:
        async with Loopback(deadline=60) as discord_, serving(bot, discord_, url) as running:
            if bot.is_bare:
                await _at_loads(figures, running, "", (Pongs(running).act, None), 4 * count)
                return figures, running.memory
            tables = Tables(running)
            await tables.begin()
            for kind, acts in tables.kinds().items():
                await _at_loads(figures, running, kind, acts, count)
            return figures, running.memory


async def _at_loads(
    figures: Figures, running: Running, kind: str, acts: tuple[Act, Act | None], count: int
) -> None:
    act, clear = acts
    for at_once in AT_ONCE:
        if clear is not None:
            await clear(0)
        await closed(running, act, WARM, 1)
        figures[kind, f"{at_once} at once"].append(await closed(running, act, count, at_once))
    if clear is not None:
        await clear(0)
    if kind in ("", "rolls, PP, doom"):
        figures[kind, f"{RATE} a second"].append(await opened(running, act, SECONDS, RATE))


async def count_kinds(last: str | None, times: int, count: int) -> None:
    """Print what each kind of interaction costs at each load, and the memory in the end."""
    found: dict[str, Figures] = defaultdict(lambda: defaultdict(list))
    memory: dict[str, float] = {}
    with bots(last) as compared:
        for _ in range(times):
            for bot in compared:
                figures, memory[bot.name] = await measure(bot, count)
                for what, measured in figures.items():
                    found[bot.name][what] += measured
    base = {load: median(measured) for (_, load), measured in found[BARE.name].items()}
    for load, one in base.items():
        print(_row(BARE.name, "/pong", load, one, one))
    for what in found[NOW.name]:
        for bot in compared[1:]:
            print(_row(bot.name, *what, median(found[bot.name][what]), base[what[1]]))
    for name, size in memory.items():
        print(f"memory of {name:<12} {size:>6.1f} MiB ({size / memory[BARE.name]:.2f}x)")


def _row(name: str, kind: str, load: str, one: Measured, base: Measured) -> str:
    ratio = f"{one.cpu:>6.2f} ({one.cpu / base.cpu:>4.1f}x)"
    times = f"{one.p50:>7.1f} {one.p99:>7.1f} {one.worst:>7.1f} {one.rate:>6.0f}"
    return f"{kind:<22} {load:<12} {name:<10} {ratio} {times}"


async def count_growth(numbers: Sequence[int], count: int) -> None:
    """Print what a change costs with so many campaigns in the database."""
    first = 0.0
    for number in numbers:
        with database() as url:
            async with Loopback(deadline=60) as discord_:
                places = [discord_.channel(f"table-{n}") for n in range(min(number, TABLES))]
                await _fill(
                    url,
                    [place.id for place in places],
                    discord_.person("gm").id,
                    discord_.world.home.id,
                    number,
                )
                async with serving(NOW, discord_, url) as running:

                    async def act(n: int) -> None:
                        line = f"/pp set who:Alice number:{n % 3}"
                        await said(discord_.person("gm"), line, places[n % len(places)])  # noqa: B023

                    await closed(running, act, WARM, 1)
                    one = await closed(running, act, count, 1)
                    many = await closed(running, act, count, 50)
        first = first or one.cpu
        print(
            f"{number:>7} campaigns: CPU {one.cpu:.2f} ms ({one.cpu / first:.2f}x), 50 at once {many.cpu:.2f}"
        )


async def _fill(url: str, channels: Sequence[int], gm: int, guild: int, campaigns: int) -> None:
    """A database with so many campaigns, some of them in these channels of the first server."""
    await migrate(url)
    ledger = await Ledger.open(url)
    wanted = [*channels, *range(1, campaigns - len(channels) + 1)]
    await begun(ledger, [Place(channel, guild) for channel in wanted], gm)
    await ledger.close()


async def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("parts", nargs="*", help=f"some of {', '.join(PARTS)}; all but stalls if left out")
    parser.add_argument("--last", help="another revision of this repository to run beside it")
    parser.add_argument("--times", type=int, default=3, help="how often each kind is measured")
    parser.add_argument("--count", type=int, default=600, help="interactions of each kind and load")
    parser.add_argument(
        "--campaigns", type=int, nargs="*", default=GROWTH, help="how many campaigns there are"
    )
    asked = parser.parse_args()
    parts = asked.parts or PARTS[:-1]
    if unknown := set(parts) - set(PARTS):
        parser.error(f"there is no {', '.join(unknown)}")
    if "odds" in parts:
        count_odds()
    if "kinds" in parts:
        await count_kinds(asked.last, asked.times, asked.count)
    if "growth" in parts:
        await count_growth(asked.campaigns, asked.count)
    if "starts" in parts:
        await count_starts()
    if "stalls" in parts:
        await stalls()


if __name__ == "__main__":
    asyncio.run(main())
