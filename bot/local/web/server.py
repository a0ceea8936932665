"""The page's server: its files, its acts, its live news, all behind the table's secret."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from aiohttp import web

from bot.local.driver import Loopback
from bot.local.errors import Refused
from bot.local.payloads import FILE_LIMIT
from bot.local.web import asking
from bot.local.web.acts import Acts
from bot.local.web.addresses import Addresses
from bot.local.web.at_hand import Knows
from bot.local.web.guard import Guard, Handler, tell_browser
from bot.local.web.live import Live
from bot.local.web.parts import picture_type
from bot.local.web.seats import Seat, Seats, Stranger

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
    """A file of the page, read once: what can be asked for is what lies there, and nothing else."""

    body: bytes
    type: str
    tag: str


def assets() -> dict[str, Asset]:
    """Every file of the page by name."""
    found = {}
    for path in sorted(PAGE.iterdir()):
        if path.suffix in TYPES:
            body = path.read_bytes()
            found[path.name] = Asset(body, TYPES[path.suffix], sha256(body).hexdigest()[:16])
    return found


def application(
    loopback: Loopback, guard: Guard, knows: Knows, out: Callable[[Seat], None]
) -> web.Application:
    """The page's server for a table; `out` hears who sits down."""
    addresses = Addresses(guard.key)
    seats = Seats(loopback, guard.key)
    live, acts = Live(loopback, seats, addresses, knows), Acts(loopback, addresses, seats, knows)
    page = assets()

    async def show(request: web.Request) -> web.Response:
        return shown(request, page.get(request.match_info.get("name", "index.html")))

    async def file(request: web.Request) -> web.Response:
        return message_file(request, loopback, guard)

    async def emoji(request: web.Request) -> web.Response:
        return emoji_picture(request, loopback)

    async def listed(request: web.Request) -> web.Response:
        return asking.listed(seats)

    async def sit(request: web.Request) -> web.Response:
        return await asking.sit(request, seats, out)

    async def act(request: web.Request) -> web.Response:
        doing = acts.done().get(request.match_info["act"])
        if doing is None:
            raise web.HTTPNotFound
        try:
            return asking.answer(await doing(await asking.asked(request, seats)))
        except (Refused, Stranger) as error:
            return asking.refusal(error)

    @web.middleware
    async def admitted(request: web.Request, handler: Handler) -> web.StreamResponse:
        return await guard.admit(request, handler)

    app = web.Application(middlewares=[admitted], client_max_size=MOST)
    app.on_response_prepare.append(tell_browser)
    app.on_shutdown.append(live.close)
    app.router.add_get("/{secret}/", show)
    app.router.add_get("/{secret}/live", live.serve)
    app.router.add_get("/{secret}/seats", listed)
    app.router.add_post("/{secret}/seats", sit)
    app.router.add_post("/{secret}/do/{act}", act)
    app.router.add_get("/{secret}/files/{id}/{mark}/{name}", file)
    app.router.add_get("/{secret}/emojis/{id}", emoji)
    app.router.add_get("/{secret}/{name}", show)
    return app


def shown(request: web.Request, asset: Asset | None) -> web.Response:
    """A file of the page."""
    if asset is None:
        raise web.HTTPNotFound
    headers = {"Cache-Control": "no-cache", "ETag": f'"{asset.tag}"'}
    if request.headers.get("If-None-Match") == headers["ETag"]:
        return web.Response(status=304, headers=headers)
    response = web.Response(body=asset.body, content_type=asset.type, charset="utf-8", headers=headers)
    response.enable_compression()
    return response


def message_file(request: web.Request, loopback: Loopback, guard: Guard) -> web.Response:
    """A file of a message, to those who were given its address; only pictures are shown in place."""
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
    """The picture of an emoji of the bot's own."""
    number = request.match_info["id"]
    emoji = loopback.world.emojis.get(int(number)) if number.isdecimal() else None
    if emoji is None:
        raise web.HTTPNotFound
    headers = {"Content-Security-Policy": NO_PAGE, "Cache-Control": "private, max-age=86400"}
    return web.Response(body=emoji.data, content_type=emoji.kind, headers=headers)
