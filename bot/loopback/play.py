"""Play at the local table: in this terminal, or line by line from a file."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TextIO

from bot.loopback.driver import Loopback
from bot.loopback.piped import play_lines
from bot.loopback.table import LocalTable


async def lines_of(stream: TextIO) -> AsyncIterator[str]:
    """Yield the lines of a file or pipe as they arrive."""
    while line := await asyncio.to_thread(stream.readline):
        yield line


async def run(loopback: Loopback, *, lines: AsyncIterator[str] | None, out: Callable[[str], None]) -> int:
    """Play at the local table with the given lines, or in this terminal if `lines` is None.

    Returns the exit code: 1 if a line was not understood, was not sent or got no answer, otherwise 0.
    """
    table = LocalTable(loopback)
    if lines is None:
        from bot.loopback.terminal import play_in_terminal  # only who types here needs a terminal's libraries

        return await play_in_terminal(table)
    return await play_lines(table, lines, out)
