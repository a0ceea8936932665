"""Keys, seats and addresses: who may use the page, and as whom."""

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
    """One secret, from which others follow that say nothing of it or of each other."""

    secret: bytes = field(repr=False)

    def made(self, *words: str) -> str:
        """The secret that belongs to these words, fit for an address."""
        digest = hmac.new(self.secret, encoded("\0".join(words)), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest[:24]).decode()

    def is_made(self, mark: str, *words: str) -> bool:
        """The mark is the one that belongs to these words."""
        return hmac.compare_digest(encoded(self.made(*words)), encoded(mark))


def encoded(text: str) -> bytes:
    """Text as bytes, also what no text should hold but a request may."""
    return text.encode(errors="backslashreplace")


def kept_key(path: Path) -> Key:
    """The key in a file that only its owner can read; made where there is none.

    With the same key the address stays the same, and open pages find their seats after a restart.

    Raises:
        OSError: the file cannot be read or written.
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


@dataclass(frozen=True, slots=True)
class Addresses:
    """Addresses relative to the page, marked with the table's key."""

    key: Key

    def file(self, file: File) -> str:
        """The address of a file."""
        return f"files/{file.id}/{self.key.made('file', str(file.id))}/{quote(file.name, safe='')}"


NAME = re.compile(r"^\w[\w .'-]{0,30}$")
OPEN_FORMS = 20
USED_LAST = 5
"""So many commands are remembered that a seat used last."""


class Stranger(Exception):
    """Who asks holds no seat."""


@dataclass(eq=False, slots=True)
class Seat:
    """A place at the table, the person in it, and the forms open there."""

    person: Person
    token: str = field(repr=False)
    forms: "OrderedDict[str, OpenForm]" = field(default_factory=OrderedDict)
    tabs: int = 0
    """How many pages show the table from this seat."""
    is_left: bool = False
    used: list[str] = field(default_factory=list)
    """The commands used last, the latest first, by their full names."""

    def has_used(self, name: str) -> None:
        """Remember a command."""
        self.used = [name, *(other for other in self.used if other != name)][:USED_LAST]

    def open(self, form: OpenForm) -> str:
        """Keep a form until it is sent; returns its number. The oldest beyond the bound is forgotten."""
        number = secrets.token_urlsafe(12)
        self.forms[number] = form
        if len(self.forms) > OPEN_FORMS:
            self.forms.popitem(last=False)
        return number

    def form(self, number: str) -> OpenForm:
        """A form that is open.

        Raises:
            UnknownCommand: it is not open here.
        """
        if number not in self.forms:
            raise UnknownCommand("This form is no longer open. Open it again.")
        return self.forms[number]


class Seats:
    """Who sits where. A secret names its seat and is signed, so that it is known after a restart too."""

    def __init__(self, loopback: Loopback, key: Key) -> None:
        self.loopback = loopback
        self.key = key
        self.taken: dict[str, Seat] = {}
        self.left: set[str] = set()
        for name in SEATS:
            self._person(name)

    def take(self, name: str) -> Seat:
        """Sit down where nobody sits.

        Raises:
            Refused: somebody sits there, or this is no name.
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
        """The seat that a secret belongs to.

        Raises:
            Stranger: it belongs to none, or no longer.
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
        """Stand up: the secret is worth nothing any more, and somebody else may sit down."""
        seat.is_left = True
        self.left.add(seat.token)
        del self.taken[seat.person.name]
        self.loopback.world.changed()

    def known(self, name: str) -> str:
        """The name as it is written here, whatever the case."""
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
    """A name as part of a secret."""
    return base64.urlsafe_b64encode(name.encode()).decode()


def unpacked(text: str) -> str:
    """The name in a secret.

    Raises:
        Stranger: there is none.
    """
    try:
        return base64.urlsafe_b64decode(text.encode()).decode()
    except (binascii.Error, UnicodeError):
        raise Stranger from None


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """Somebody in a place, by ids as the bot knows them; 0 stands for no server and for no parent."""

    person: int
    channel: int
    guild: int
    parent: int


@dataclass(frozen=True, slots=True)
class SeatHints:
    """So many things wait for somebody, and these commands are offered first, by their full names."""

    waits: int = 0
    first: tuple[str, ...] = ()


Knows = Callable[[SeatPlace], Awaitable[SeatHints]]
"""How the bot is asked; whoever joins it to the page says how, since the page knows no bot."""


async def nothing_known(asker: SeatPlace) -> SeatHints:
    """What is known where nobody says it."""
    return SeatHints()


async def at_hand(loopback: Loopback, knows: Knows, user: User, place: Channel) -> SeatHints:
    """What somebody has at hand in a place; nothing while the bot is away."""
    if not loopback.gateway.ready.is_set():
        return SeatHints()
    guild, parent = place.guild, place.parent
    return await knows(SeatPlace(user.id, place.id, guild.id if guild else 0, parent.id if parent else 0))
