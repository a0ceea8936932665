"""A worker thread, a process of its own for heavy work, and garbage collection.

In a thread each piece that counts keeps the loop from its own for half a millisecond, and a reply takes many:
who was answered while 30 dice were counted waited 60 ms more. A process takes a fifth of a second to begin.

What is done with goes by itself in Python; the collector finds only what points at itself. Little of ours
does, and a thousand remembered tables took it 200 ms at a time.

A thread that counts takes turns with the loop, half a millisecond each. Of Python’s own five a reply takes
many: others waited 80 ms while large odds were counted. Several such threads would each take theirs before
the loop has its own again, so there is but one for all that counts. Pictures that are unpacked, and work in
another process, leave the loop alone meanwhile, but take long: each has a lane of its own.
"""

import asyncio
import ctypes
import gc
import os
import pickle
import subprocess
import sys
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar, copy_context
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

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
    """A thread for long work, one piece at a time: people take turns.

    `most` pieces of one person's work wait. Who has as many waiting is told what `full` says, a text with
    {most} and with {waiting}, how many pieces of all people wait. The bot itself is person 0, with no limit.
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
        """What some work of a person's gives, in the same language, done while others are served.

        Raises TooLate for who has too much waiting, and what the work raises.
        """
        async with self.turn(person):
            return await self.do(work, *args, **options)

    @asynccontextmanager
    async def turn(self, person: int) -> AsyncIterator[None]:
        """Somebody's turn, as soon as it comes. Raises TooLate for who has too much waiting already."""
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
        """What some work gives, within a turn. Raises what it raises."""
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
"""Long work of a person's, beside the event loop: see `Lane.work`."""


_LANE = WorkerThread("apart")


async def run_in_process(
    person: int, work: Callable[_Options, _Result], *args: _Options.args, **options: _Options.kwargs
) -> _Result:
    """What some work of a person's gives; one such process at a time, as in `side_lane`.

    The work has neither language nor faults of its own. Raises TooLate for who has too much waiting, and
    subprocess.CalledProcessError where the process fails, which says why among the faults.
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
    """Leave alone whatever is there by now, and look seldom at what comes."""
    gc.freeze()
    gc.set_threshold(YOUNG, OLDER, OLD)
    gc.enable()


def give_back() -> None:
    """Let large blocks go back to the system when they are free; glibc keeps them for the next time.

    What a picture took would stay with the process for good: up to 32 MB a block, in each thread.
    """
    with suppress(OSError, AttributeError, TypeError):  # other systems do so by themselves
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_MMAP_THRESHOLD, LARGE)
        mallopt(_ARENA_MAX, ARENAS)


if __name__ == "__main__":
    work_, args_, options_ = pickle.load(sys.stdin.buffer)
    pickle.dump(work_(*args_, **options_), sys.stdout.buffer)
