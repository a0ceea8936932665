"""Long work beside the event loop, one piece after the other.

A thread that counts takes turns with the loop, half a millisecond each. Of Python’s own five a reply takes
many: others waited 80 ms while large odds were counted. Several such threads would each take theirs before
the loop has its own again, so there is but one for all that counts. Pictures that are unpacked, and work in
another process, leave the loop alone meanwhile, but take long: each has a lane of its own.
"""

import asyncio
import sys
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import ContextVar, copy_context
from functools import partial
from typing import ParamSpec, TypeVar

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


class Lane:
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


_COUNTING = Lane("aside")
aside = _COUNTING.work
"""Long work of a person's, beside the event loop: see `Lane.work`."""
