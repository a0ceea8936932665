"""Who is let in at all, and what a browser is told about every answer."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from aiohttp import web

from bot.local.door import is_own_name, is_own_page, own_names
from bot.local.web.keys import Key

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
NO_TABLE = "There is no table at this address. {right}"
WRONG_HOST = "The table can't be opened under this host name. {right}"
WRONG_ORIGIN = "Only the table's own page can send requests to it. {right}"
RIGHT = (
    "Open the whole address that was printed when the table opened; it looks like http://127.0.0.1:{port}/…/"
)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Guard:
    """Lets in who knows the table's address, by its own names, and from its own page.

    A page elsewhere that sends or connects here comes by a foreign name, or with a foreign origin.
    """

    key: Key
    names: frozenset[str] = field(default_factory=own_names)

    @property
    def secret(self) -> str:
        """The first part of every path."""
        return self.key.made("address")

    async def admit(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer a request, or refuse it."""
        if not is_own_name(request.host, self.names):
            return astray(request, 403, WRONG_HOST)
        if not is_own_page(request.headers, request.host):
            return astray(request, 403, WRONG_ORIGIN)
        if not self.key.is_made(request.path.split("/")[1], "address"):
            return astray(request, 404, NO_TABLE)
        return await handler(request)


def astray(request: web.BaseRequest, status: int, sentence: str) -> web.Response:
    """A refusal of a wrong address, which says how the right one looks."""
    address = request.transport.get_extra_info("sockname") if request.transport else None
    right = RIGHT.format(port=address[1] if address else "8377")
    return web.Response(status=status, text=f"{sentence.format(right=right)}\n")


async def tell_browser(request: web.Request, response: web.StreamResponse) -> None:
    """Put the headers on an answer that keep a browser within bounds."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
