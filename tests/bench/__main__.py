"""Run a bare bot and this one in turn on the loopback Discord, and print what each interaction costs.

    uv run python -m tests.bench [kinds odds starts pictures stalls cluster …] [--last REV] [--times 3]
    uv run --all-extras python -m tests.bench --limits --last v0.3.0

CPU is the bot's own process, client and database threads included; the loopback Discord runs in
another process. `--last` runs another revision of this repository beside them, `--limits` prints what
`limits.toml` aims at beside what is, and `--write` keeps the figures in the guide. Not a test: nothing here
can fail.
"""

import argparse
import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import nullcontext

from bot.games import play_games
from bot.loopback.driver import Loopback
from bot.store.history import Place
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from tests.bench.bots import NOW, database, serving
from tests.bench.cluster import cluster
from tests.bench.compared import WARM, count_kinds, count_limits
from tests.bench.doctor import STEPS_IN_USE, doctor
from tests.bench.fill import begun
from tests.bench.imports import print_pump, print_readers
from tests.bench.kinds import TABLES, said
from tests.bench.load import closed
from tests.bench.long_campaign import measure_long
from tests.bench.mods import count_mods
from tests.bench.odds import count_odds
from tests.bench.page import kept
from tests.bench.pictures import pictures
from tests.bench.pump import SHARE
from tests.bench.soak import soak
from tests.bench.stalls import stalls
from tests.bench.starts import count_starts
from tests.bench.story import story

PARTS = (
    "kinds",
    "growth",
    "odds",
    "mods",
    "starts",
    "pictures",
    "stalls",
    "story",
    "long",
    "cluster",
    "soak",
    "doctor",
    "readers",
    "pump",
)
GROWTH = (1, 100_000)


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
    play_games()
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("parts", nargs="*", help=f"some of {', '.join(PARTS)}; else all but the last seven")
    parser.add_argument("--limits", action="store_true", help="print what is aimed at beside what is")
    parser.add_argument(
        "--write", action="store_true", help="write the figures into bot/guide/build/measure.md"
    )
    parser.add_argument("--last", help="another revision of this repository to run beside it")
    parser.add_argument("--times", type=int, default=3, help="how often each kind is measured")
    parser.add_argument("--count", type=int, default=600, help="interactions of each kind and load")
    parser.add_argument(
        "--campaigns", type=int, nargs="*", default=GROWTH, help="how many campaigns there are"
    )
    parser.add_argument("--seconds", type=float, default=600, help="how long a soak is")
    parser.add_argument("--tables", type=int, default=10_000, help="over how many campaigns it goes")
    parser.add_argument("--steps", type=int, default=STEPS_IN_USE, help="how many steps doctor checks")
    parser.add_argument("--share", type=int, default=SHARE, help="one of how many texts pump sends")
    asked = parser.parse_args()
    parts = asked.parts or ([] if asked.limits else PARTS[:-8])
    if unknown := set(parts) - set(PARTS):
        parser.error(f"there is no {', '.join(unknown)}")
    if asked.limits:
        await count_limits(asked.last, asked.times, asked.count)
    all_: Mapping[str, Callable[[], Awaitable[None]]] = {
        "odds": count_odds,
        "mods": count_mods,
        "kinds": lambda: count_kinds(asked.last, asked.times, asked.count),
        "growth": lambda: count_growth(asked.campaigns, asked.count),
        "starts": count_starts,
        "pictures": pictures,
        "stalls": stalls,
        "story": story,
        "long": measure_long,
        "cluster": cluster,
        "soak": lambda: soak(asked.seconds, asked.tables),
        "doctor": lambda: doctor(asked.steps),
        "readers": print_readers,
        "pump": lambda: print_pump(asked.share),
    }
    for part, count in all_.items():
        if part in parts:
            with kept(part) if asked.write else nullcontext():
                await count()


if __name__ == "__main__":
    asyncio.run(main())
