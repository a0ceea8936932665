"""The one clock of the program, and hooks for metrics.

Whatever dates, waits or gives up is handed a `Clock` where it is built, so that a test can hand in one that
it holds. Nothing else asks `datetime`, `time` or the event loop; `tests/test_architecture.py` looks.
"""

import asyncio
import time
from collections.abc import Callable, Collection
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

Task = TypeVar("Task", bound=asyncio.Future[Any])


class Timer(Protocol):
    """A call that is to come."""

    def cancel(self) -> None:
        """Let it not come; nothing happens where it has come already."""


class Clock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """The date and time, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds since some moment in the past: to measure how long something took."""
        return time.monotonic()

    def call_later(self, seconds: float, callback: Callable[..., object], *args: Any) -> Timer:
        """Call something in so many seconds, on the running event loop."""
        return asyncio.get_running_loop().call_later(seconds, callback, *args)

    async def sleep(self, seconds: float) -> None:
        """Return after so many seconds."""
        await asyncio.sleep(seconds)

    def timeout(self, seconds: float) -> AbstractAsyncContextManager[object]:
        """A block that raises TimeoutError once it has taken so many seconds.

        >>> async with Clock().timeout(2.0):  # doctest: +SKIP
        ...     await ledger.ping()
        """
        return asyncio.timeout(seconds)

    async def wait(self, tasks: Collection[Task], seconds: float) -> tuple[set[Task], set[Task]]:
        """Wait until all tasks are done, at most so many seconds: the done ones, and the others.

        There must be at least one. Nothing is cancelled, and nothing that a task raises is raised here.
        """
        return await asyncio.wait(tasks, timeout=seconds)


def clock_of(client: Any) -> Clock:
    """The clock that the bot was handed, from what discord.py calls a client."""
    clock: Clock = client.clock
    return clock


SYSTEM = Clock()
"""The default clock: the machine's own."""
