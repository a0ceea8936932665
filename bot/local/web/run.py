"""Opening the page, and keeping it open until told to stop."""

import asyncio
import errno
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from aiohttp import web

from bot.local.door import own_names
from bot.local.driver import HOST, Loopback
from bot.local.web.at_hand import Knows, nothing_known
from bot.local.web.guard import Guard
from bot.local.web.keys import Key, kept_key
from bot.local.web.seats import Seat
from bot.local.web.server import application

PORT = 8377
"""The usual port of the page."""
QUIT = b"quit"
EVERYWHERE = ("0.0.0.0", "::", "")
TO_OTHERS = "Others on your network can join with this machine's address in place of 127.0.0.1."


class Taken(Exception):
    """The page cannot be opened there; one line."""


@dataclass(frozen=True, slots=True)
class Door:
    """Where the page is opened, and where its key is kept."""

    host: str = HOST
    port: int | None = None
    """None means the usual port, or any free port if that one is taken."""
    key: Path = Path("data/web.key")
    opens_browser: bool = False
    memory: Path = Path("data/web.db")
    is_fresh: bool = False
    """What was said before is forgotten."""


async def run(
    loopback: Loopback, door: Door, *, out: Callable[[str], None], knows: Knows = nothing_known
) -> int:
    """Show the local table in browsers until told to stop; returns 0.

    Raises:
        Taken: the page cannot be opened at that port.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: loop.call_soon_threadsafe(stopped.set))
    if not sys.stdin.isatty():
        reading = partial(_await_quit, sys.stdin.fileno(), partial(loop.call_soon_threadsafe, stopped.set))
        threading.Thread(target=reading, daemon=True).start()
    key = kept_key(door.key)
    async with opened(loopback, key, door.host, door.port, out=out, knows=knows) as address:
        out(f"The table is open at {address}")
        out("Anyone who has this address can take a seat. Press Ctrl-C to close the table.")
        if door.host in EVERYWHERE:
            out(TO_OTHERS)
        if door.opens_browser:
            await asyncio.to_thread(webbrowser.open, address)
        await stopped.wait()
    return 0


def _await_quit(descriptor: int, stop: Callable[[], object]) -> None:
    """Call `stop` when a line of a file or pipe says quit.

    Read the descriptor, not `sys.stdin`: a thread waiting there would still hold its lock when Python exits.
    """
    last = b""
    while part := os.read(descriptor, 4096):
        *lines, last = (last + part).split(b"\n")
        if QUIT in map(bytes.strip, lines):
            break
    else:
        if last.strip() != QUIT:
            return
    stop()


@asynccontextmanager
async def opened(
    loopback: Loopback,
    key: Key,
    host: str = HOST,
    port: int | None = 0,
    *,
    out: Callable[[str], None],
    knows: Knows = nothing_known,
) -> AsyncIterator[str]:
    """Serve the page, and give its address.

    Port 0 is any free port; None is the usual port, or any free port if that one is taken.

    Raises:
        Taken: something else is at that port, or the host is not this machine.
    """
    guard = Guard(key, own_names(host))
    base = ""

    def sat(seat: Seat) -> None:
        out(f"{seat.person.name} took a seat: {base}#{seat.token}")

    app = application(loopback, guard, knows, sat)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await listen(runner, host, port)
        base = f"http://{named(host)}:{runner.addresses[0][1]}/{guard.secret}/"
        yield base
    finally:
        await runner.cleanup()


async def listen(runner: web.AppRunner, host: str, port: int | None) -> None:
    """Listen on a port; None is the usual port, or any free port if that one is taken.

    Raises:
        Taken: it is taken, or the host is not this machine.
    """
    try:
        await web.TCPSite(runner, host or None, PORT if port is None else port).start()
    except OSError as error:
        if port is None and error.errno == errno.EADDRINUSE:
            return await listen(runner, host, 0)
        raise Taken(f"Cannot open the page at {named(host)}:{port}: {error.strerror}.") from error


def named(host: str) -> str:
    """A host as addresses write it."""
    if host in EVERYWHERE:
        return HOST
    return f"[{host}]" if ":" in host else host
