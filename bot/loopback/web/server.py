"""The page's web server: static files, requests and live updates."""

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
from hashlib import sha256
from pathlib import Path

from aiohttp import web

from bot.loopback.driver import HOST, Loopback
from bot.loopback.errors import InputRefused
from bot.loopback.opening import ScenePlayer
from bot.loopback.payloads import FILE_LIMIT
from bot.loopback.server import own_names
from bot.loopback.web import acts as web_acts
from bot.loopback.web.access import (
    Addresses,
    Guard,
    Handler,
    Key,
    Knows,
    Seat,
    Seats,
    Stranger,
    kept_key,
    nothing_known,
    tell_browser,
)
from bot.loopback.web.acts import TableActions
from bot.loopback.web.live import LiveUpdates
from bot.loopback.web.views import picture_type

PAGE = Path(__file__).parent / "page"
TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
MOST = 3 * FILE_LIMIT
NO_PAGE = "default-src 'none'; sandbox"
"""What a file of a message may do in a browser that opens it as a page."""


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file of the page, read once at the start; no other file can be requested."""

    body: bytes
    type: str
    tag: str


def assets() -> dict[str, Asset]:
    """Return every static file of the page by name."""
    found = {}
    for path in sorted(PAGE.iterdir()):
        if path.suffix in TYPES:
            body = path.read_bytes()
            found[path.name] = Asset(body, TYPES[path.suffix], sha256(body).hexdigest()[:16])
    return found


def application(
    loopback: Loopback, guard: Guard, knows: Knows, out: Callable[[Seat], None]
) -> web.Application:
    """Return the page's web application for a table; `out` is called when someone takes a seat."""
    addresses = Addresses(guard.key)
    seats = Seats(loopback, guard.key)
    scenes = ScenePlayer(loopback)
    live, acts = (
        LiveUpdates(loopback, seats, addresses, knows),
        TableActions(loopback, addresses, seats, knows, scenes),
    )
    page = assets()

    async def show(request: web.Request) -> web.Response:
        return serve_asset(request, page.get(request.match_info.get("name", "index.html")))

    async def file(request: web.Request) -> web.Response:
        return message_file(request, loopback, guard)

    async def emoji(request: web.Request) -> web.Response:
        return emoji_picture(request, loopback)

    async def listed(request: web.Request) -> web.Response:
        return web_acts.list_seats(seats)

    async def sit(request: web.Request) -> web.Response:
        return await web_acts.sit(request, seats, out)

    async def act(request: web.Request) -> web.Response:
        doing = acts.done().get(request.match_info["act"])
        if doing is None:
            raise web.HTTPNotFound
        try:
            return web_acts.answer(await doing(await web_acts.asked(request, seats)))
        except (InputRefused, Stranger) as error:
            return web_acts.refusal(error)

    @web.middleware
    async def admitted(request: web.Request, handler: Handler) -> web.StreamResponse:
        return await guard.admit(request, handler)

    app = web.Application(middlewares=[admitted], client_max_size=MOST)
    app.on_response_prepare.append(tell_browser)
    app.on_shutdown.append(live.close)
    app.on_shutdown.append(scenes.close)
    app.router.add_get("/{secret}/", show)
    app.router.add_get("/{secret}/live", live.serve)
    app.router.add_get("/{secret}/seats", listed)
    app.router.add_post("/{secret}/seats", sit)
    app.router.add_post("/{secret}/do/{act}", act)
    app.router.add_get("/{secret}/files/{id}/{mark}/{name}", file)
    app.router.add_get("/{secret}/emojis/{id}", emoji)
    app.router.add_get("/{secret}/{name}", show)
    return app


def serve_asset(request: web.Request, asset: Asset | None) -> web.Response:
    """Return a static file of the page.

    Raises HTTPNotFound if there is no such file.
    """
    if asset is None:
        raise web.HTTPNotFound
    headers = {"Cache-Control": "no-cache", "ETag": f'"{asset.tag}"'}
    if request.headers.get("If-None-Match") == headers["ETag"]:
        return web.Response(status=304, headers=headers)
    response = web.Response(body=asset.body, content_type=asset.type, charset="utf-8", headers=headers)
    response.enable_compression()
    return response


def message_file(request: web.Request, loopback: Loopback, guard: Guard) -> web.Response:
    """Return a file of a message, if the URL is signed; only images are shown inline.

    Raises HTTPNotFound if there is no such file or the signature is wrong.
    """
    number, mark = request.match_info["id"], request.match_info["mark"]
    file = loopback.world.files.get(int(number)) if number.isdecimal() else None
    if file is None or not guard.key.is_made(mark, "file", number):
        raise web.HTTPNotFound
    picture = picture_type(file.name)
    headers = {"Content-Security-Policy": NO_PAGE, "Cache-Control": "private, max-age=3600"}
    if picture is None:
        headers["Content-Disposition"] = "attachment"
    return web.Response(body=file.data, content_type=picture or "application/octet-stream", headers=headers)


def emoji_picture(request: web.Request, loopback: Loopback) -> web.Response:
    """Return the image of one of the bot's own emojis.

    Raises HTTPNotFound if there is no such emoji.
    """
    number = request.match_info["id"]
    emoji = loopback.world.emojis.get(int(number)) if number.isdecimal() else None
    if emoji is None:
        raise web.HTTPNotFound
    headers = {"Content-Security-Policy": NO_PAGE, "Cache-Control": "private, max-age=86400"}
    return web.Response(body=emoji.data, content_type=emoji.kind, headers=headers)


PORT = 8377
"""The usual port of the page."""
QUIT = b"quit"
EVERYWHERE = ("0.0.0.0", "::", "")
TO_OTHERS = "Others on your network can join with this machine's address in place of 127.0.0.1."


class AddressTaken(Exception):
    """The page cannot be served at this address; the message is one line."""


@dataclass(frozen=True, slots=True)
class PageAddress:
    """Where the page is served, and where its key is stored."""

    host: str = HOST
    port: int | None = None
    """None means the usual port, or any free port if that one is taken."""
    key: Path = Path("data/web.key")
    opens_browser: bool = False
    memory: Path = Path("data/web.db")
    is_fresh: bool = False
    """What was said before is forgotten."""


async def run(
    loopback: Loopback, door: PageAddress, *, out: Callable[[str], None], knows: Knows = nothing_known
) -> int:
    """Serve the local table to browsers until stopped; return 0.

    Raises AddressTaken if the page cannot be served at that port.
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
    """Call `stop` when a line of a file or pipe is `quit`.

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
    """Serve the page while the context is open, and yield its URL.

    Port 0 is any free port; None is the default port, or any free port if that one is taken.

    Raises AddressTaken if the port is taken or the host is not this machine.
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
        base = f"http://{host_in_address(host)}:{runner.addresses[0][1]}/{guard.secret}/"
        yield base
    finally:
        await runner.cleanup()


async def listen(runner: web.AppRunner, host: str, port: int | None) -> None:
    """Listen on a port; None is the default port, or any free port if that one is taken.

    Raises AddressTaken if the port is taken or the host is not this machine.
    """
    try:
        await web.TCPSite(runner, host or None, PORT if port is None else port).start()
    except OSError as error:
        if port is None and error.errno == errno.EADDRINUSE:
            return await listen(runner, host, 0)
        raise AddressTaken(
            f"Cannot open the page at {host_in_address(host)}:{port}: {error.strerror}."
        ) from error


def host_in_address(host: str) -> str:
    """Return a host as written in URLs (IPv6 in brackets)."""
    if host in EVERYWHERE:
        return HOST
    return f"[{host}]" if ":" in host else host
