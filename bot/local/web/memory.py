"""Channels, chat and pins outlive a restart: what happens is written down a moment later, off the loop."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from bot.local.driver import Loopback
from bot.local.message import Message
from bot.local.web.shelf import Rows, Shelf, forget
from bot.local.web.written import read_row, read_things, row, things
from bot.local.world import Happening

log = logging.getLogger(__name__)

PAUSE = 0.3
"""Seconds in which what happens is gathered, to be written at once."""
AGAIN = 5.0
"""Seconds until what could not be written is tried again."""


class Memory:
    """Writes down what happens in a world."""

    def __init__(self, loopback: Loopback, shelf: Shelf, known: dict[tuple[str, int], str]) -> None:
        self.loopback = loopback
        self.shelf = shelf
        self.known = known
        self.fresh: dict[int, Message] = {}
        self.gone: set[tuple[int, int]] = set()
        self.is_other = False
        self.is_over = asyncio.Event()
        self.writing: asyncio.Task[None] | None = None
        loopback.world.listeners.append(self.happened)
        loopback.world.watchers.append(self.changed)

    def happened(self, happening: Happening) -> None:
        """A message came, changed or went."""
        message = happening.message
        if happening.kind == "deleted":
            self.fresh.pop(message.id, None)
            self.gone.add((message.channel.id, message.id))
        else:
            self.fresh[message.id] = message
        self.soon()

    def changed(self) -> None:
        """People or places changed."""
        self.is_other = True
        self.soon()

    def soon(self) -> None:
        """Write before long."""
        if self.writing is None or self.writing.done():
            self.writing = asyncio.get_running_loop().create_task(self.write_soon())

    async def write_soon(self) -> None:
        """Write what there is, until there is nothing more."""
        while (self.fresh or self.gone or self.is_other) and not self.is_over.is_set():
            await self.rest(PAUSE)
            if not await self.write():
                await self.rest(AGAIN)

    async def write(self) -> bool:
        """Write all that has happened; whether that could be done."""
        fresh, gone = self.fresh, self.gone
        self.fresh, self.gone, self.is_other = {}, set(), False
        now = things(self.loopback, self.known)
        rows = Rows({key: body for key, body in now.items() if self.known.get(key) != body})
        rows.messages = [
            row(self.loopback.world, message) for message in fresh.values() if not message.deleted
        ]
        rows.lost = [key for key in self.known if key not in now]
        rows.gone = sorted(gone)
        try:
            await asyncio.to_thread(self.shelf.write, rows)
        except sqlite3.Error as error:
            log.warning("%s could not be written: %s", self.shelf.path, error)
            self.fresh, self.gone = {**fresh, **self.fresh}, gone | self.gone
            self.is_other = True
            return False
        self.known = now
        return True

    async def close(self) -> None:
        """Write the last, and put the file away."""
        self.loopback.world.listeners.remove(self.happened)
        self.loopback.world.watchers.remove(self.changed)
        self.is_over.set()
        if self.writing is not None:
            await asyncio.wait({self.writing})  # it may be in the middle of it
        await self.write()
        await asyncio.to_thread(self.shelf.close)

    async def rest(self, seconds: float) -> None:
        """Wait, but not when the table is closed."""
        with suppress(TimeoutError):
            async with self.loopback.world.clock.timeout(seconds):
                await self.is_over.wait()


@asynccontextmanager
async def remembered(loopback: Loopback, path: Path, *, is_fresh: bool = False) -> AsyncIterator[None]:
    """The table as it was left, kept as long as it is open; a fresh one begins with nothing.

    Raises:
        Unusable: the file cannot be read or written.
    """
    world = loopback.world
    if is_fresh:
        await asyncio.to_thread(forget, path)
    shelf = await asyncio.to_thread(Shelf, path, world.keep_messages)
    rows = await asyncio.to_thread(shelf.read)
    read_things(loopback, rows.things)
    for kept in rows.messages:
        read_row(world, kept)
    memory = Memory(loopback, shelf, rows.things)
    try:
        yield
    finally:
        await memory.close()
