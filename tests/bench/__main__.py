"""Run a bare bot and this one in turn on the loopback Discord, and print what each interaction costs.

    uv run python -m tests.bench [kinds odds starts pictures stalls cluster …] [--last REV] [--times 3]

CPU is the bot's own process, client and database threads included; the loopback Discord runs in
another process. `--last` runs another revision of this repository beside them. Not a test: nothing here
can fail.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack

from bot.local.driver import Loopback
from bot.store.history import Place
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from tests.bench.bots import NOW, Bot, Running, bots, database, serving
from tests.bench.cluster import cluster
from tests.bench.fill import begun
from tests.bench.kinds import MIXED, TABLES, Pongs, Tables, said
from tests.bench.load import Act, Measured, closed, median, opened
from tests.bench.odds import count_odds
from tests.bench.pictures import pictures
from tests.bench.soak import soak
from tests.bench.stalls import stalls
from tests.bench.starts import count_starts

PARTS = ("kinds", "growth", "odds", "starts", "pictures", "stalls", "cluster", "soak")
AT_ONCE = (1, 5, 50)
RATE, SECONDS = 40, 15
GROWTH = (1, 100_000)
WARM = 50
"""So many interactions come before any is counted."""

Acts = Mapping[str, tuple[Act, Act | None]]
"""What is measured, by kind, each with what clears the tables before."""


async def count_kinds(last: str | None, times: int, count: int) -> None:
    """Print what each kind of interaction costs at each load, and the memory in the end.

    All bots run at the same time and are measured in turn, so that what else the machine does meanwhile
    meets them all.
    """
    async with AsyncExitStack() as stack:
        compared = stack.enter_context(bots(last))
        running = [await _begun(stack, bot) for bot in compared]
        for kind in running[-1][1]:
            for at_once in (*AT_ONCE, *([0] if kind == MIXED else [])):
                found: list[list[Measured]] = [[] for _ in running]
                for _ in range(times):
                    for (one, acts), measured in zip(running, found, strict=True):
                        measured.append(await _measured(one, acts.get(kind, acts.get("")), at_once, count))
                load = f"{at_once} at once" if at_once else f"{RATE} a second"
                base = median(found[0])
                for bot, measured in zip(compared, found, strict=True):
                    print(_row(bot.name, kind, load, median(measured), base), flush=True)
        least = running[0][0].memory
        for bot, (one, _) in zip(compared, running, strict=True):
            print(f"memory of {bot.name:<12} {one.memory:>6.1f} MiB ({one.memory / least:.2f}x)")


async def _begun(stack: AsyncExitStack, bot: Bot) -> tuple[Running, Acts]:
    """A bot that serves at its tables."""
    url = stack.enter_context(database())
    discord_ = await stack.enter_async_context(Loopback(deadline=60))
    running = await stack.enter_async_context(serving(bot, discord_, url))
    if bot.is_bare:
        return running, {"": (Pongs(running).act, None)}
    tables = Tables(running)
    await tables.begin()
    return running, tables.kinds()


async def _measured(
    running: Running, acts: tuple[Act, Act | None] | None, at_once: int, count: int
) -> Measured:
    """One kind of interaction at one load: so many at once, or with 0 so many a second."""
    assert acts is not None
    act, clear = acts
    if clear is not None:
        await clear(0)
    await closed(running, act, WARM, 1)
    if not at_once:
        return await opened(running, act, SECONDS, RATE)
    return await closed(running, act, count, at_once)


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
    parser.add_argument("parts", nargs="*", help=f"some of {', '.join(PARTS)}; else all but the last three")
    parser.add_argument("--last", help="another revision of this repository to run beside it")
    parser.add_argument("--times", type=int, default=3, help="how often each kind is measured")
    parser.add_argument("--count", type=int, default=600, help="interactions of each kind and load")
    parser.add_argument(
        "--campaigns", type=int, nargs="*", default=GROWTH, help="how many campaigns there are"
    )
    parser.add_argument("--seconds", type=float, default=600, help="how long a soak is")
    parser.add_argument("--tables", type=int, default=10_000, help="over how many campaigns it goes")
    asked = parser.parse_args()
    parts = asked.parts or PARTS[:-3]
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
    if "pictures" in parts:
        await pictures()
    if "stalls" in parts:
        await stalls()
    if "cluster" in parts:
        await cluster()
    if "soak" in parts:
        await soak(asked.seconds, asked.tables)


if __name__ == "__main__":
    asyncio.run(main())
