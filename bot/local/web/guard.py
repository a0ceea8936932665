"""Who is let in at all, and what a browser is told about every answer."""

import ipaddress
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from aiohttp import web

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
NO_TABLE = "There is no table at this address. Open the whole address that was printed when the table opened."
WRONG_HOST = "The table does not answer to this name. Open the address that was printed when it opened."
WRONG_ORIGIN = "The table is only spoken to by its own page."

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Guard:
    """Lets in who knows the table's address, by its own names, and from its own page.

    A page elsewhere that lets its name point here (DNS rebinding) comes by a foreign name; a number
    cannot be pointed anywhere. One that merely sends or connects here comes with a foreign origin.
    """

    key: Key
    names: frozenset[str] = field(default_factory=lambda: own_names(""))

    @property
    def secret(self) -> str:
        """The first part of every path."""
        return self.key.made("address")

    async def admit(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer a request, or refuse it."""
        if not self.is_own_name(request.host):
            return refused(403, WRONG_HOST)
        origin = request.headers.get("Origin")
        if origin is not None and origin.partition("://")[2] != request.host:
            return refused(403, WRONG_ORIGIN)
        if not self.key.is_made(request.path.split("/")[1], "address"):
            return refused(404, NO_TABLE)
        return await handler(request)

    def is_own_name(self, host: str) -> bool:
        """The name, with or without a port, is a number or a name of this machine.

        >>> guard = Guard(Key(b""), frozenset({"localhost"}))
        >>> [guard.is_own_name(h) for h in ("127.0.0.1:80", "[::1]:80", "localhost", "evil.example")]
        [True, True, True, False]
        """
        name = host.rpartition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name.lower() in self.names
        return True


def own_names(host: str) -> frozenset[str]:
    """The names by which this machine is called, that of `--host` included."""
    machine = socket.gethostname().lower()
    return frozenset({"localhost", machine, f"{machine}.local", host.lower()} - {""})


def refused(status: int, sentence: str) -> web.Response:
    """A refusal in words."""
    return web.Response(status=status, text=f"{sentence}\n")


async def tell_browser(request: web.Request, response: web.StreamResponse) -> None:
    """Put the headers on an answer that keep a browser within bounds."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
