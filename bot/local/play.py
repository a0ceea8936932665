"""Playing at the local table: in this terminal, or line by line from a file."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TextIO

from bot.local.driver import Loopback
from bot.local.piped import play_lines
from bot.local.table import Table


async def lines_of(stream: TextIO) -> AsyncIterator[str]:
    """The lines of a file or pipe as they come."""
    while line := await asyncio.to_thread(stream.readline):
        yield line


async def run(loopback: Loopback, *, lines: AsyncIterator[str] | None, out: Callable[[str], None]) -> int:
    """Play at the local table: the lines given, or (None) what is typed in this terminal.

    Returns the exit code: 1 if a line was not understood or the bot did not answer one.
    """
    table = Table(loopback)
    if lines is None:
        from bot.local.terminal import play_in_terminal  # only who types here needs a terminal's libraries

        return await play_in_terminal(table)
    return await play_lines(table, lines, out)
