"""Long work beside the event loop, one piece after the other.

A thread that counts takes turns with the loop, half a millisecond each. Of Python’s own five a reply takes
many: others waited 80 ms while large odds were counted. Several such threads would each take theirs before
the loop has its own again, so there is but one for all that counts. Pictures that are unpacked
leave the loop alone meanwhile, but take long and much memory: they have a lane of their own.
"""

import asyncio
import sys
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from rules.errors import TooLate

_Options = ParamSpec("_Options")
_Result = TypeVar("_Result")
TURN = 0.0005
"""Seconds after which a thread gives way to another that waits."""
_LANE = ThreadPoolExecutor(max_workers=1, thread_name_prefix="aside")


async def aside(
    work: Callable[_Options, _Result], *args: _Options.args, **options: _Options.kwargs
) -> _Result:
    """What some work gives, in the same language, done while others are served. Raises what it raises."""
    return await _done_by(_LANE, work, *args, **options)


async def _done_by(
    thread: ThreadPoolExecutor,
    work: Callable[_Options, _Result],
    *args: _Options.args,
    **options: _Options.kwargs,
) -> _Result:
    sys.setswitchinterval(TURN)
    loop = asyncio.get_running_loop()
    # A thread knows nothing of the language in which its work was asked for.
    return await loop.run_in_executor(thread, partial(copy_context().run, partial(work, *args, **options)))


class Lane:
    """Work on pictures: one at a time in the process; of one person so many wait, and people take turns."""

    def __init__(self, most: int = 3) -> None:
        self.most = most
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")
        self._is_taken = False
        self._waiting: OrderedDict[int, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, person: int) -> AsyncIterator[None]:
        """Somebody's turn, as soon as it comes. Raises TooLate for who has too much waiting already."""
        if self._is_taken:
            await self._wait(person)
        self._is_taken = True
        try:
            yield
        finally:
            self._pass_on()

    async def do(
        self, work: Callable[_Options, _Result], *args: _Options.args, **options: _Options.kwargs
    ) -> _Result:
        """What some work gives, within a turn. Raises what it raises."""
        return await _done_by(self._thread, work, *args, **options)

    async def _wait(self, person: int) -> None:
        mine = self._waiting.setdefault(person, deque())
        if sum(not one.done() for one in mine) >= self.most:
            raise TooLate(
                "{most} of your pictures are waiting already. Send the next one when they are done.",
                most=self.most,
            )
        coming = asyncio.get_running_loop().create_future()
        mine.append(coming)
        try:
            await coming
        except asyncio.CancelledError:
            if not coming.cancelled():  # it was their turn by then
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """The turn is the next person's who waits, for the first of theirs; then they stand last."""
        while self._waiting:
            person, mine = self._waiting.popitem(last=False)
            coming = mine.popleft()
            if mine:
                self._waiting[person] = mine
            if not coming.done():  # who is gone has no turn
                coming.set_result(None)
                return
        self._is_taken = False
