"""Keys, seats and URLs: who may use the page, and as whom."""

import base64
import binascii
import hashlib
import hmac
import os
import re
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from aiohttp import web

from bot.loopback.driver import Loopback
from bot.loopback.errors import InputRefused, UnknownCommand
from bot.loopback.forms import OpenForm
from bot.loopback.model import Channel, File, User
from bot.loopback.people import Person
from bot.loopback.server import is_own_name, is_own_page, own_names
from bot.loopback.table import SEATS

SIZE = 32


@dataclass(frozen=True, slots=True)
class Key:
    """A secret from which other secrets are derived; these reveal neither it nor each other."""

    secret: bytes = field(repr=False)

    def made(self, *words: str) -> str:
        """Return the secret derived for these words, in URL-safe characters."""
        digest = hmac.new(self.secret, encoded("\0".join(words)), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest[:24]).decode()

    def is_made(self, mark: str, *words: str) -> bool:
        """Return whether `mark` is the secret derived for these words."""
        return hmac.compare_digest(encoded(self.made(*words)), encoded(mark))


def encoded(text: str) -> bytes:
    """Encode text as bytes; lone surrogates, which a request may contain, are escaped."""
    return text.encode(errors="backslashreplace")


def kept_key(path: Path) -> Key:
    """Read the key from a file that only its owner can read; the file is created if it is missing.

    With the same key, the URL stays the same and open pages find their seats after a restart.

    Raises OSError if the file cannot be read or written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.stat().st_size < SIZE:
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(SIZE))
    return Key(path.read_bytes())


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
    """Admits requests that know the table's URL, use one of its host names and come from its own page.

    A request that a foreign page sends here has a foreign host name or a foreign origin.
    """

    key: Key
    names: frozenset[str] = field(default_factory=own_names)

    @property
    def secret(self) -> str:
        """The first segment of every path."""
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
    """Return the response to a wrong URL, which shows what the right one looks like."""
    address = request.transport.get_extra_info("sockname") if request.transport else None
    right = RIGHT.format(port=address[1] if address else "8377")
    return web.Response(status=status, text=f"{sentence.format(right=right)}\n")


async def tell_browser(request: web.Request, response: web.StreamResponse) -> None:
    """Add the security headers to a response."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")


@dataclass(frozen=True, slots=True)
class Addresses:
    """URLs relative to the page, signed with the table's key."""

    key: Key

    def file(self, file: File) -> str:
        """Return the URL of a file."""
        return f"files/{file.id}/{self.key.made('file', str(file.id))}/{quote(file.name, safe='')}"


NAME = re.compile(r"^\w[\w .'-]{0,30}$")
OPEN_FORMS = 20
USED_LAST = 5
"""So many commands are remembered that a seat used last."""


class Stranger(Exception):
    """The request comes from nobody who holds a seat."""


@dataclass(eq=False, slots=True)
class Seat:
    """A seat at the table, the person in it, and that person's open forms."""

    person: Person
    token: str = field(repr=False)
    forms: "OrderedDict[str, OpenForm]" = field(default_factory=OrderedDict)
    tabs: int = 0
    """How many pages show the table from this seat."""
    is_left: bool = False
    used: list[str] = field(default_factory=list)
    """The commands used last, the latest first, by their full names."""

    def has_used(self, name: str) -> None:
        """Remember a command as used."""
        self.used = [name, *(other for other in self.used if other != name)][:USED_LAST]

    def open(self, form: OpenForm) -> str:
        """Store a form until it is submitted and return its number; drop the oldest beyond the limit."""
        number = secrets.token_urlsafe(12)
        self.forms[number] = form
        if len(self.forms) > OPEN_FORMS:
            self.forms.popitem(last=False)
        return number

    def form(self, number: str) -> OpenForm:
        """Return an open form by its number.

        Raises UnknownCommand if no such form is open here.
        """
        if number not in self.forms:
            raise UnknownCommand("This form is no longer open. Open it again.")
        return self.forms[number]


class Seats:
    """The seats and who holds them; a seat's secret names it and is signed, so it survives a restart."""

    def __init__(self, loopback: Loopback, key: Key) -> None:
        self.loopback = loopback
        self.key = key
        self.taken: dict[str, Seat] = {}
        self.left: set[str] = set()
        for name in SEATS:
            self._person(name)

    def take(self, name: str) -> Seat:
        """Take a free seat.

        Raises InputRefused if the seat is taken or the name is not usable.
        """
        name = self.known(name.strip())
        if not NAME.match(name) or name.lower() in self._bot_names():
            raise InputRefused("Use 1 to 31 letters, digits, spaces, dots or dashes, and not the bot's name.")
        if name in self.taken:
            raise InputRefused(
                f"{name} is taken. To use that seat in another browser, open the seat's own address."
            )
        salt = secrets.token_urlsafe(12)
        return self._sit(name, f"{salt}.{self.key.made('seat', salt, name)}.{packed(name)}")

    def of(self, token: str) -> Seat:
        """Return the seat that a secret belongs to.

        Raises Stranger if the secret is invalid or no longer valid.
        """
        salt, _, rest = token.partition(".")
        mark, _, name = rest.partition(".")
        name = unpacked(name)
        if token in self.left or not self.key.is_made(mark, "seat", salt, name):
            raise Stranger
        if name in self.taken and self.taken[name].token != token:
            raise Stranger
        return self.taken.get(name) or self._sit(name, token)

    def leave(self, seat: Seat) -> None:
        """Free a seat; its secret becomes invalid."""
        seat.is_left = True
        self.left.add(seat.token)
        del self.taken[seat.person.name]
        self.loopback.world.changed()

    def known(self, name: str) -> str:
        """Return a name in its existing spelling, ignoring case."""
        for person in self.loopback.people():
            if person.name.lower() == name.lower():
                return person.name
        return name

    def _sit(self, name: str, token: str) -> Seat:
        self.taken[name] = Seat(self._person(name), token)
        self.loopback.world.changed()
        return self.taken[name]

    def _person(self, name: str) -> Person:
        return self.loopback.person(name, manage_guild=name == "gm")

    def _bot_names(self) -> set[str]:
        bot = self.loopback.world.bot
        return {bot.name.lower(), bot.display.lower()}


def packed(name: str) -> str:
    """Encode a name for use in a secret."""
    return base64.urlsafe_b64encode(name.encode()).decode()


def unpacked(text: str) -> str:
    """Decode the name in a secret.

    Raises Stranger if there is no valid name.
    """
    try:
        return base64.urlsafe_b64decode(text.encode()).decode()
    except (binascii.Error, UnicodeError):
        raise Stranger from None


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """A person in a place, by Discord ids; 0 means no server or no parent channel."""

    person: int
    channel: int
    guild: int
    parent: int


@dataclass(frozen=True, slots=True)
class SeatHints:
    """How many tasks wait for a person, and the full names of the commands to offer first."""

    waits: int = 0
    first: tuple[str, ...] = ()


Knows = Callable[[SeatPlace], Awaitable[SeatHints]]
"""How the bot is asked; whoever joins it to the page says how, since the page knows no bot."""


async def nothing_known(asker: SeatPlace) -> SeatHints:
    """Return empty hints, the default when there is no source of hints."""
    return SeatHints()


async def at_hand(loopback: Loopback, knows: Knows, user: User, place: Channel) -> SeatHints:
    """Return the hints for a person in a place; empty while the bot is offline."""
    if not loopback.gateway.ready.is_set():
        return SeatHints()
    guild, parent = place.guild, place.parent
    return await knows(SeatPlace(user.id, place.id, guild.id if guild else 0, parent.id if parent else 0))
