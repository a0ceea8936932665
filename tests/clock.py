"""A clock that a test holds, and the count of what is in flight.

Time passes only where a test says so, and a test goes on only when everything has come to rest: no test waits
for a while and hopes.

    await game.advance(hours=2)
    assert "2 things wait for you" in game.discord.messages()[-1].text
"""

import asyncio
import heapq
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any, TypeVar

import aiohttp
import aiosqlite.core
import discord

from bot.clock import Clock, Task

START = datetime(2026, 6, 1, 10, tzinfo=UTC)
"""When a test begins, unless it goes on from somewhere: a Monday, with no change of daylight saving near."""
Result = TypeVar("Result")
DATABASE = "the database, or work in a thread"
"""What is in flight where a test holds up the database."""
BLINK = 0.25
"""Seconds that nobody notices, as between two tries of a race for the same step."""
HANG = 30.0
"""Real seconds after which what does not come to rest hangs."""


class HeldTimer:
    """A call that is to come when a test lets that time come."""

    def __init__(self, callback: Callable[..., object], args: tuple[Any, ...]) -> None:
        self.callback = callback
        self.args = args
        self.is_cancelled = False

    def cancel(self) -> None:
        """Let it not come."""
        self.is_cancelled = True


class HeldClock(Clock):
    """A clock that stands still until a test advances it."""

    def __init__(self, start: datetime = START) -> None:
        self._start = start
        self._passed = 0.0
        self._timers: list[tuple[float, int, HeldTimer]] = []
        self._numbers = count()
        self.in_flight: dict[str, Callable[[], object]] = {DATABASE: THREADS.of_loop}
        """What may still be going on, by name: each says whether it is."""

    def now(self) -> datetime:
        """The date and time, in UTC."""
        return self._start + timedelta(seconds=self._passed)

    def monotonic(self) -> float:
        """Seconds that have passed, from a number that is not 0."""
        return 1_000.0 + self._passed

    def call_later(self, seconds: float, callback: Callable[..., object], *args: Any) -> HeldTimer:
        """Call something when a test has let so many seconds pass; at once for 0."""
        timer = HeldTimer(callback, args)
        if seconds <= 0:
            asyncio.get_running_loop().call_soon(_fire, timer)
        else:
            heapq.heappush(self._timers, (self._passed + seconds, next(self._numbers), timer))
        return timer

    async def sleep(self, seconds: float) -> None:
        """Return when a test has let so many seconds pass; a pause shorter than a BLINK takes no time."""
        if seconds < BLINK:
            await asyncio.sleep(0)
            return
        over = asyncio.get_running_loop().create_future()
        timer = self.call_later(seconds, _end, over)
        try:
            await over
        finally:
            timer.cancel()

    @asynccontextmanager
    async def timeout(self, seconds: float) -> AsyncIterator[object]:
        """A block that raises TimeoutError once a test has let so many seconds pass."""
        async with asyncio.timeout(None) as limit:
            timer = self.call_later(seconds, lambda: limit.reschedule(asyncio.get_running_loop().time() - 1))
            try:
                yield limit
            finally:
                timer.cancel()

    async def wait(self, tasks: Collection[Task], seconds: float) -> tuple[set[Task], set[Task]]:
        """Wait until all tasks are done, or a test has let so many seconds pass."""
        over = asyncio.get_running_loop().create_future()
        timer = self.call_later(seconds, _end, over)
        waiting = asyncio.ensure_future(asyncio.wait(tasks))
        try:
            await asyncio.wait({over, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()
            waiting.cancel()
        done = {task for task in tasks if task.done()}
        return done, set(tasks) - done

    async def rest(self, but: Collection[str] = ()) -> None:
        """Return once nothing is in flight: nothing goes on until time passes, or the test acts.

        What is in flight under a name of `but` is not waited for, since the test holds it up. Raises
        AssertionError where rest does not come, with what is still in flight.
        """
        loop = asyncio.get_running_loop()
        # Callbacks that wait for their turn; asyncio has no public way to ask. tests/test_clock.py notices
        # where this is no longer so.
        ready: Collection[object] = loop._ready  # type: ignore[attr-defined]
        hangs = loop.time() + HANG
        quiet = 0
        while quiet < 2:
            await asyncio.sleep(0)
            counted = [(name, count) for name, count in self.in_flight.items() if name not in but]
            busy = {} if ready else {name: found for name, count in counted if (found := count())}
            if loop.time() > hangs:
                raise AssertionError(f"not at rest after {HANG:g} s: {busy or 'the event loop'}")
            if busy:
                await asyncio.sleep(0.0005)  # a thread or a socket is at it
            quiet = 0 if ready or busy else quiet + 1

    def due(self) -> float | None:
        """Seconds until the next timer; None where there is none."""
        while self._timers and self._timers[0][2].is_cancelled:
            heapq.heappop(self._timers)
        return self._timers[0][0] - self._passed if self._timers else None

    async def advance(self, seconds: float = 0.0, *, but: Collection[str] = (), **more: float) -> None:
        """Let time pass, from one timer to the next; what is due comes to rest before time goes on.

        `more` is anything that a timedelta takes: `minutes`, `hours`, `days`; `but` is as in `rest`.
        """
        end = self._passed + timedelta(seconds=seconds, **more).total_seconds()
        await self.rest(but)
        while (due := self.due()) is not None and self._passed + due <= end:
            await self.step(but)
        self._passed = max(self._passed, end)
        await self.rest(but)

    async def through(self, work: Awaitable[Result], but: Collection[str] = ()) -> Result:
        """What some work gives, letting as much time pass as it takes; `but` is as in `rest`."""
        task = asyncio.ensure_future(work)
        while not task.done():
            await self.rest(but)
            if not task.done() and self.due() is None:
                raise AssertionError("it waits for something that no time brings")
            if not task.done():
                await self.step(but)
        return await task

    async def step(self, but: Collection[str] = ()) -> None:
        """Let time pass until the next timer, and let what is due then come to rest."""
        self._passed += max(0.0, self.due() or 0.0)
        while (due := self.due()) is not None and due <= 0:
            _fire(heapq.heappop(self._timers)[2])
        await self.rest(but)


def _fire(timer: HeldTimer) -> None:
    if not timer.is_cancelled:
        timer.cancel()
        timer.callback(*timer.args)


def _end(over: asyncio.Future[None]) -> None:
    if not over.done():
        over.set_result(None)


class Threads:
    """What event loops wait for from threads: statements of SQLite, and work in executors."""

    def __init__(self) -> None:
        self._begun: dict[asyncio.Future[Any], object] = {}

    def install(self) -> None:
        """Note it from now on, in the whole process.

        The queue to the driver's thread is the one place through which the driver and SQLAlchemy both go.
        tests/test_clock.py notices where they no longer do.
        """
        threads = self

        class Noted(SimpleQueue[Any]):
            def put_nowait(self, item: Any) -> None:
                threads.begin(*item)
                super().put_nowait(item)

        setattr(aiosqlite.core, "SimpleQueue", Noted)  # noqa: B010 - it is not the driver's to export
        begun = asyncio.BaseEventLoop.run_in_executor

        def noted(loop: Any, executor: Any, work: Any, *args: Any) -> asyncio.Future[Any]:
            future = begun(loop, executor, work, *args)
            self.begin(future, work)
            return future

        setattr(asyncio.BaseEventLoop, "run_in_executor", noted)  # noqa: B010 - mypy knows it as a method

    def begin(self, future: "asyncio.Future[Any] | None", work: object) -> None:
        """Note some work until it is done."""
        if future is not None:
            self._begun[future] = work
            future.add_done_callback(self._begun.pop)

    def of_loop(self) -> list[object]:
        """The work that the running event loop waits for; what another one has left behind is not its own."""
        loop = asyncio.get_running_loop()
        return [work for future, work in self._begun.items() if future.get_loop() is loop]


THREADS = Threads()
THREADS.install()


class Hurried(SimpleNamespace):
    """`asyncio` for a module of discord.py that pauses before it tries again: here it tries at once.

    Its pauses are not by the program's clock, and nobody lets their time pass.
    """

    def __init__(self) -> None:
        super().__init__(**{name: it for name, it in vars(asyncio).items() if name != "sleep"})

    async def sleep(self, _: float, result: object = None) -> object:
        """Let others go on, for however long."""
        await asyncio.sleep(0)
        return result


class ByClock(SimpleNamespace):
    """`asyncio` for a module of discord.py, whose pauses a test lets pass by its clock."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(**vars(asyncio) | {"sleep": clock.sleep})


@contextmanager
def hurried(clock: Clock) -> Iterator[None]:
    """Let discord.py try again at once where a test holds the clock."""
    modules: tuple[Any, ...] = (discord.http, discord.webhook.async_) if isinstance(clock, HeldClock) else ()
    before = [module.asyncio for module in modules]
    for module in modules:
        module.asyncio = Hurried()
    try:
        yield
    finally:
        for module, own in zip(modules, before, strict=True):
            module.asyncio = own


class Requests:
    """Counts the requests of a client that have no answer yet, or whose answer is not read yet."""

    def __init__(self) -> None:
        self._open: set[int] = set()

    def __len__(self) -> int:
        return len(self._open)

    def trace(self, config: aiohttp.TraceConfig) -> None:
        """Count the requests of a client that is traced by this."""
        config.on_request_start.append(self._begin)
        config.on_request_end.append(self._hear)
        config.on_response_chunk_received.append(self._end)
        config.on_request_exception.append(self._end)

    async def _begin(self, _: object, about: SimpleNamespace, did: aiohttp.TraceRequestStartParams) -> None:
        if did.url.path != "/gateway":  # whose answer never ends
            self._open.add(id(about))
            about.counted = self  # it is not another's address as long as this is counted

    async def _hear(self, _: object, about: SimpleNamespace, did: aiohttp.TraceRequestEndParams) -> None:
        if did.response.status != 200 and not did.url.path.startswith("/api/"):  # of a file: nobody reads on
            self._open.discard(id(about))

    async def _end(self, _: object, about: SimpleNamespace, did: object) -> None:
        self._open.discard(id(about))
