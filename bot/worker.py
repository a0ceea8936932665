"""Worker threads, a separate process for heavy work, and garbage collection.

A computing thread competes with the event loop, half a millisecond per turn. With Python's default of
five, others waited 80 ms while large odds were computed, since a reply takes many turns. Several such
threads would each take a turn before the loop gets its own, so only one thread computes. Decoding
pictures and work in another process don't hold up the loop but take long, so each has a lane of its own.
Even half-millisecond turns add up: replies waited 60 ms more while 30 dice were computed. A process
avoids that, but takes a fifth of a second to start.

Python frees most objects by reference counting; the collector is only needed for cycles. This program
makes few, and with a thousand cached tables a collection took 200 ms.
"""

import asyncio
import ctypes
import gc
import os
import pickle
import subprocess
import sys
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar, copy_context
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from rules.errors import TooLate
from rules.terms import later

_Options = ParamSpec("_Options")
_Result = TypeVar("_Result")
TURN = 0.0005
"""Seconds after which a thread gives way to another that waits."""
MOST = 3
"""So many pieces of one person's work wait; further ones are refused."""
_HAS_BEGUN: ContextVar[bool] = ContextVar("has_begun", default=False)
"""Whether a piece of the same command has had its turn: then the others are not refused."""
FULL = later("You already have {most} requests waiting, in a queue of {waiting}. Try again in a moment.")


class WorkerThread:
    """A thread for long work, one piece at a time; people take turns.

    At most `most` pieces of one person's work wait. Beyond that, the person is told the text `full`, with
    {most} and with {waiting}, the number of pieces waiting for everybody. Person 0 is the bot, without a
    limit.
    """

    def __init__(self, name: str, full: str = FULL, most: int = MOST) -> None:
        self.most = most
        self._full = full
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._is_taken = False
        self._waiting: OrderedDict[int, deque[asyncio.Future[None]]] = OrderedDict()

    async def work(
        self, person: int, work: Callable[_Options, _Result], *args: _Options.args, **options: _Options.kwargs
    ) -> _Result:
        """Run somebody's work in the thread, in the same language, and return its result.

        Raises TooLate if the person has too much waiting, and what the work raises.
        """
        async with self.turn(person):
            return await self.do(work, *args, **options)

    @asynccontextmanager
    async def turn(self, person: int) -> AsyncIterator[None]:
        """Wait for somebody's turn. Raises TooLate if the person has too much waiting already."""
        if self._is_taken:
            await self._wait(person)
        self._is_taken = True
        _HAS_BEGUN.set(True)
        try:
            yield
        finally:
            self._pass_on(person)

    async def do(
        self, work: Callable[_Options, _Result], *args: _Options.args, **options: _Options.kwargs
    ) -> _Result:
        """Run work within a turn and return its result. Raises what it raises."""
        sys.setswitchinterval(TURN)
        # A thread knows nothing of the language in which its work was asked for.
        there = partial(copy_context().run, partial(work, *args, **options))
        return await asyncio.get_running_loop().run_in_executor(self._thread, there)

    async def _wait(self, person: int) -> None:
        mine = self._waiting.setdefault(person, deque())
        if person and not _HAS_BEGUN.get() and sum(not one.done() for one in mine) >= self.most:
            waiting = sum(not one.done() for theirs in self._waiting.values() for one in theirs)
            raise TooLate(self._full, most=self.most, waiting=waiting)
        coming = asyncio.get_running_loop().create_future()
        mine.append(coming)
        try:
            await coming
        except asyncio.CancelledError:
            if not coming.cancelled():  # it was their turn by then
                self._pass_on(person)
            raise

    def _pass_on(self, person: int) -> None:
        """The turn is the next person's who waits, for the first of theirs; who had it stands last."""
        if person in self._waiting:
            self._waiting.move_to_end(person)
        while self._waiting:
            person, mine = self._waiting.popitem(last=False)
            coming = mine.popleft()
            if mine:
                self._waiting[person] = mine
            if not coming.done():  # who is gone has no turn
                coming.set_result(None)
                return
        self._is_taken = False


_COUNTING = WorkerThread("aside")
aside = _COUNTING.work
"""Long work of a person's, beside the event loop: see `WorkerThread.work`."""


MANY = 200
"""So many steps of a campaign are read or looked through at once, in 5 ms or less; it may have 20,000."""
_Thing = TypeVar("_Thing")


async def handle_many(
    things: Sequence[_Thing],
    work: Callable[Concatenate[Sequence[_Thing], _Options], _Result],
    *args: _Options.args,
    **options: _Options.kwargs,
) -> _Result:
    """Run work on some things and return its result: at once for few, beside the event loop for many."""
    if len(things) <= MANY:
        return work(things, *args, **options)
    return await aside(0, work, things, *args, **options)


_LANE = WorkerThread("apart")


async def run_in_process(
    person: int, work: Callable[_Options, _Result], *args: _Options.args, **options: _Options.kwargs
) -> _Result:
    """Run somebody's work in a process, one at a time as in a worker thread, and return its result.

    The work has no language, and its errors don't carry over. Raises TooLate if the person has too much
    waiting; subprocess.CalledProcessError if the process fails, with the reason in its stderr.
    """
    done: _Result = await _LANE.work(person, _done, (work, args, options))
    return done


def _done(what: object) -> Any:
    path = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
    process = subprocess.run(
        [sys.executable, "-m", __name__],
        input=pickle.dumps(what),
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
        check=True,
    )
    return pickle.loads(process.stdout)


YOUNG = 2_000
"""So many new things are looked through at once, in a millisecond or two."""
OLDER = 10
"""After so many such looks all that came since is looked through again, in some 10 ms."""
OLD = 50
"""After so many of those, everything since the start, if it has grown by a quarter."""
LARGE = 1024 * 1024
"""A block of so many bytes goes back to the system as soon as it is free."""
ARENAS = 2
"""So many heaps there are; glibc makes one for each thread, and each keeps what its busiest moment took."""
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8  # of <malloc.h>


def settle() -> None:
    """Exempt existing objects from garbage collection, and run the collector less often."""
    gc.freeze()
    gc.set_threshold(YOUNG, OLDER, OLD)
    gc.enable()


def give_back() -> None:
    """Make glibc return large free blocks to the system instead of keeping them.

    Otherwise the process would keep a picture's memory for good: up to 32 MB a block, in each thread. After
    two threads have read a portrait of 9 megapixels, 20 MiB less are held.
    """
    with suppress(OSError, AttributeError, TypeError):  # other systems do so by themselves
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_MMAP_THRESHOLD, LARGE)
        mallopt(_ARENA_MAX, ARENAS)


if __name__ == "__main__":
    work_, args_, options_ = pickle.load(sys.stdin.buffer)
    pickle.dump(work_(*args_, **options_), sys.stdout.buffer)
