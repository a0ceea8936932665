"""Bots that are compared: the bare one, another revision if there is one, and this one.

All of them run at the same time and are measured in turn, so that what else the machine does meanwhile
meets them all.
"""

import asyncio
import tomllib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from bot.loopback.driver import Loopback
from bot.loopback.reply import buttons_of
from tests.bench.bots import Bot, Running, bots, database, serving
from tests.bench.counts import LIMITS
from tests.bench.kinds import FULL, MIXED, OPEN_ROLLS, Pongs, Tables
from tests.bench.load import Act, Measured, closed, median, opened
from tests.bench.odds import COMMON, odds_take
from tests.bench.starts import start

AT_ONCE = (1, 5, 50)
RATE, SECONDS = 40, 15
WARM = 50
"""So many interactions come before any is counted."""
STARTS = 3

Acts = Mapping[str, tuple[Act, Act | None]]
"""What is measured, by kind, each with what clears the tables before."""


@dataclass(frozen=True, slots=True)
class Served:
    """A bot that serves at its tables, and what can be done there."""

    bot: Bot
    running: Running
    acts: Acts
    tables: Tables | None = None

    async def measure(self, kind: str, at_once: int, count: int) -> Measured:
        """One kind of interaction at one load: so many at once, or with 0 so many a second."""
        act, clear = self.acts.get(kind) or self.acts[""]
        if clear is not None:
            await clear(0)
        await closed(self.running, act, WARM, 1)
        if not at_once:
            return await opened(self.running, act, SECONDS, RATE)
        return await closed(self.running, act, count, at_once)


@asynccontextmanager
async def compared(last: str | None) -> AsyncIterator[Sequence[Served]]:
    """The bots, each on a Discord and a database of its own, until they are done with."""
    async with AsyncExitStack() as stack:
        yield [await _served(stack, bot) for bot in stack.enter_context(bots(last))]


async def _served(stack: AsyncExitStack, bot: Bot) -> Served:
    url = stack.enter_context(database())
    discord_ = await stack.enter_async_context(Loopback(deadline=60, patience=60))
    running = await stack.enter_async_context(serving(bot, discord_, url))
    if bot.is_bare:
        return Served(bot, running, {"": (Pongs(running).act, None)})
    tables = Tables(running)
    await tables.begin()
    return Served(bot, running, tables.kinds(), tables)


async def measured(
    served: Sequence[Served], kind: str, at_once: int, times: int, count: int
) -> list[Measured]:
    """What one kind of interaction costs each of the bots, the median of some times."""
    found: list[list[Measured]] = [[] for _ in served]
    for _ in range(times):
        for one, sofar in zip(served, found, strict=True):
            sofar.append(await one.measure(kind, at_once, count))
    return [median(each) for each in found]


async def count_kinds(last: str | None, times: int, count: int) -> None:
    """Print what each kind of interaction costs at each load, and the memory in the end."""
    print(f"{'':<38} {'':<10} {'CPU ms':>6}         {'p50 ms':>7} {'p99 ms':>7} {'worst':>7} {'per s':>6}")
    async with compared(last) as served:
        for kind in served[-1].acts:
            for at_once in (*AT_ONCE, *([0] if kind == MIXED else [])):
                found = await measured(served, kind, at_once, times, count)
                load = f"{at_once} at once" if at_once else f"{RATE} a second"
                for one, each in zip(served, found, strict=True):
                    print(_row(one.bot.name, kind, load, each, found[0]), flush=True)
        least = served[0].running.memory
        for one in served:
            memory = one.running.memory
            print(f"memory of {one.bot.name:<12} {memory:>6.1f} MiB ({memory / least:.2f}x)")


def _row(name: str, kind: str, load: str, one: Measured, base: Measured) -> str:
    ratio = f"{one.cpu:>6.2f} ({one.cpu / base.cpu:>4.1f}x)"
    times = f"{one.p50:>7.1f} {one.p99:>7.1f} {one.worst:>7.1f} {one.rate:>6.0f}"
    return f"{kind:<25} {load:<12} {name:<10} {ratio} {times}"


async def count_limits(last: str | None, times: int, count: int) -> None:
    """Print what is aimed at, what the bots before this one and this one come to, and what is missed.

    Ratios are to the bare bot's CPU, its memory, in the same run.
    """
    aims = tomllib.loads(LIMITS.read_text(encoding="utf-8"))["aims"]
    async with compared(last) as served:
        names = [one.bot.name for one in served[1:]]
        print(f"{'':<44}" + "".join(f"{each:>10}" for each in names) + f"{'aim':>8}")
        for what, aim in aims.items():
            figures = await _figures(served, what, times, count)
            shown = "".join(f"{'':>10}" if each is None else f"{each:>10.2f}" for each in figures)
            print(f"{what:<44}{shown}{aim:>8}{'' if (figures[-1] or 0) <= aim else '  missed'}", flush=True)


async def _figures(served: Sequence[Served], what: str, times: int, count: int) -> list[float | None]:
    """One figure for each of the bots but the bare one; None where it is told of this one alone."""
    ours, none = served[1:], [None] * (len(served) - 2)
    kind, _, load = what.rpartition(", ")
    if kind in served[-1].acts:
        at_once = int(load.split()[0]) if load.endswith("at once") else 0
        base, *found = await measured(served, kind, at_once, times, count)
        return [each.cpu / base.cpu for each in found]
    if what == "memory":
        return [one.running.memory / served[0].running.memory for one in ours]
    if what == "ms of a closed roll":
        return [await _closed_roll(one) for one in ours]
    if what == "ms of odds of 12 dice":
        return [*none, odds_take(COMMON)]
    assert what == "s from start to first answer", what
    return [await _starts(one.bot) for one in ours]


async def _starts(bot: Bot) -> float:
    with database() as url:
        return min([(await start(bot, url))[0] for _ in range(STARTS)])


async def _closed_roll(one: Served) -> float:
    """Milliseconds of CPU that a new scene takes for each roll that it closes, with its message's edit."""
    assert one.tables is not None
    costs = []
    for _ in range(2):
        shown = await one.tables.fill()
        before = one.running.cpu
        await one.tables.next_scene()
        while any(buttons_of(message) for message in shown):  # noqa: ASYNC110 - an edit tells nobody
            await asyncio.sleep(0.01)
        costs.append((one.running.cpu - before) / (FULL * OPEN_ROLLS) * 1e3)
    return min(costs)
