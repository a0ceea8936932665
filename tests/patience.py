"""Waiting for what must come: for an event, with a limit that only a hang reaches.

What must be quick is counted (calls, statements) or measured in `tests/bench`, never timed in a test: a busy
machine is no fault of the program.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable

from bot.loopback.driver import Loopback

PATIENCE = 30.0
"""Seconds; whatever takes so long hangs."""


def patient(token: str = "", **more: float) -> Loopback:
    """A loopback Discord that waits as long as a test does, where Discord itself gives up after 3 s."""
    times = {"deadline": PATIENCE, "patience": PATIENCE, "settle": PATIENCE, **more}
    return Loopback(token, **times)  # type: ignore[arg-type]


async def until(
    happened: Callable[[], object | Awaitable[object]], pause: float = 0.005, limit: float = PATIENCE
) -> None:
    """Wait for something that comes by itself and tells nobody, such as an edit or a pin.

    Raises TimeoutError for what does not come.
    """
    async with asyncio.timeout(limit):
        while True:
            found = happened()
            if await found if inspect.isawaitable(found) else found:
                return
            await asyncio.sleep(pause)
