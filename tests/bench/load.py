"""Load: so many people at once, or so many interactions a second whatever becomes of them."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.bench.bots import Running

Act = Callable[[int], Awaitable[None]]
"""The n-th interaction."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What an interaction costs and how long it takes, in milliseconds; how many a second there were."""

    cpu: float
    p50: float
    p99: float
    worst: float
    rate: float


async def closed(running: Running, act: Act, count: int, at_once: int) -> Measured:
    """So many at once, each followed by another as soon as it is answered."""
    latencies: list[float] = []
    left = iter(range(count))

    async def hand() -> None:
        for n in left:
            await _timed(act, n, time.perf_counter(), latencies)

    cpu, begun = running.cpu, time.perf_counter()
    await asyncio.gather(*(hand() for _ in range(at_once)))
    return _measured(latencies, running.cpu - cpu, time.perf_counter() - begun)


async def opened(running: Running, act: Act, seconds: float, rate: float) -> Measured:
    """So many a second, also while others wait: latencies count from when an answer was due to begin."""
    latencies: list[float] = []
    cpu, begun = running.cpu, time.perf_counter()
    acts = []
    for n in range(int(seconds * rate)):
        due = begun + n / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        acts.append(asyncio.ensure_future(_timed(act, n, due, latencies)))
    await asyncio.gather(*acts)
    return _measured(latencies, running.cpu - cpu, time.perf_counter() - begun)


async def _timed(act: Act, n: int, begun: float, latencies: list[float]) -> None:
    await act(n)
    latencies.append(time.perf_counter() - begun)


def _measured(latencies: list[float], cpu: float, seconds: float) -> Measured:
    cuts = statistics.quantiles(latencies, n=100)
    count = len(latencies)
    return Measured(cpu / count * 1e3, cuts[49] * 1e3, cuts[98] * 1e3, max(latencies) * 1e3, count / seconds)


def median(measured: list[Measured]) -> Measured:
    """The middle of several runs, figure by figure."""
    return Measured(
        *(
            statistics.median(getattr(one, name) for one in measured)
            for name in ("cpu", "p50", "p99", "worst", "rate")
        )
    )
