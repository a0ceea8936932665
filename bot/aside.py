"""Long work beside the event loop, one piece after the other.

A thread that counts takes turns with the loop, some milliseconds each. Several such threads would each take
theirs before the loop has its own again, so there is but one.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

_Options = ParamSpec("_Options")
_Result = TypeVar("_Result")
_LANE = ThreadPoolExecutor(max_workers=1, thread_name_prefix="aside")


async def aside(
    work: Callable[_Options, _Result], *args: _Options.args, **options: _Options.kwargs
) -> _Result:
    """What some work gives, in the same language, done while others are served. Raises what it raises."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_LANE, partial(copy_context().run, partial(work, *args, **options)))
