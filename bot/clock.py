"""The one clock of the program.

Everything that reads the time, waits or times out is given a `Clock`, so that a test can pass one that it
controls. Nothing else uses `datetime`, `time` or the event loop for this;
`tests/test_architecture.py` checks it.
"""

import asyncio
import time
from collections.abc import Callable, Collection
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

Task = TypeVar("Task", bound=asyncio.Future[Any])


class Timer(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Cancel the call; does nothing if it has already been made."""


class Clock:
    """The system clock."""

    def now(self) -> datetime:
        """Return the current time, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds since an arbitrary moment, to measure durations."""
        return time.monotonic()

    def call_later(self, seconds: float, callback: Callable[..., object], *args: Any) -> Timer:
        """Schedule a call on the running event loop."""
        return asyncio.get_running_loop().call_later(seconds, callback, *args)

    async def sleep(self, seconds: float) -> None:
        """Wait that many seconds."""
        await asyncio.sleep(seconds)

    def timeout(self, seconds: float) -> AbstractAsyncContextManager[object]:
        """Return an async context manager that raises TimeoutError after that many seconds.

        >>> async with Clock().timeout(2.0):  # doctest: +SKIP
        ...     await ledger.ping()
        """
        return asyncio.timeout(seconds)

    async def wait(self, tasks: Collection[Task], seconds: float) -> tuple[set[Task], set[Task]]:
        """Wait until all tasks are done or the time is up; return (done, pending).

        There must be at least one task. Nothing is cancelled, and exceptions of tasks are not raised here.
        """
        return await asyncio.wait(tasks, timeout=seconds)


def clock_of(client: Any) -> Clock:
    """Return the clock of the bot, given what discord.py calls a client."""
    clock: Clock = client.clock
    return clock


SYSTEM = Clock()
"""The default clock: the machine's own."""


UNKNOWN = datetime(1, 1, 1, tzinfo=UTC)
"""The moment that stands for one that cannot be read."""
