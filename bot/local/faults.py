"""Bad days on order: rate limits, errors, slow or lost requests, a dropped gateway."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase


@dataclass(slots=True)
class Fault:
    """What happens to the next requests whose "METHOD /path" matches the pattern."""

    pattern: str
    times: int
    status: int = 0
    code: int = 0
    message: str = "Internal Server Error"
    retry_after: float = 0.0
    seconds: float = 0.0
    released: asyncio.Event | None = None
    takes_effect: bool = False
    drops: bool = False


@dataclass(slots=True)
class Faults:
    """The faults ordered; each is used up after its number of times.

    A pattern is any part of "METHOD /path", with `*` for anything: "POST /interactions/*/callback".
    """

    drop: Callable[[bool, int], Awaitable[None]]
    waiting: list[Fault] = field(default_factory=list)

    def fail(
        self,
        pattern: str,
        status: int = 500,
        times: int = 1,
        *,
        code: int = 0,
        message: str = "Internal Server Error",
        takes_effect: bool = False,
    ) -> None:
        """Answer with an error; with `takes_effect` the request is done all the same."""
        self.waiting.append(
            Fault(pattern, times, status=status, code=code, message=message, takes_effect=takes_effect)
        )

    def rate_limit(self, pattern: str, retry_after: float = 0.1, times: int = 1) -> None:
        """Answer 429 and ask to come back after some seconds."""
        self.waiting.append(
            Fault(pattern, times, status=429, message="You are being rate limited.", retry_after=retry_after)
        )

    def delay(self, pattern: str, seconds: float, times: int = 1) -> None:
        """Do it some seconds later."""
        self.waiting.append(Fault(pattern, times, seconds=seconds))

    def hold(self, pattern: str, times: int = 1) -> asyncio.Event:
        """Do it only once the event that is given here is set."""
        released = asyncio.Event()
        self.waiting.append(Fault(pattern, times, released=released))
        return released

    def lose(self, pattern: str, times: int = 1, *, takes_effect: bool = False) -> None:
        """Cut the connection without any answer."""
        self.waiting.append(Fault(pattern, times, drops=True, takes_effect=takes_effect))

    async def drop_gateway(self, resumable: bool = True, code: int = 4000) -> None:
        """Cut every gateway connection; a session that is not resumable is forgotten."""
        await self.drop(resumable, code)

    def due(self, method: str, path: str) -> Fault | None:
        """The fault for this request, used once."""
        for fault in self.waiting:
            if fnmatchcase(f"{method} {path}", f"*{fault.pattern}*"):
                fault.times -= 1
                if fault.times <= 0:
                    self.waiting.remove(fault)
                return fault
        return None
