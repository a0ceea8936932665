"""Seats at the table in the browser: whoever takes one holds its secret, and nobody else sits there."""

import base64
import binascii
import re
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field

from bot.local.driver import Loopback
from bot.local.errors import Refused, UnknownCommand
from bot.local.forms import Form
from bot.local.people import Person
from bot.local.table import SEATS
from bot.local.web.keys import Key

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
    forms: "OrderedDict[str, Form]" = field(default_factory=OrderedDict)
    tabs: int = 0
    """How many pages show the table from this seat."""
    is_left: bool = False
    used: list[str] = field(default_factory=list)
    """The commands used last, the latest first, by their full names."""

    def has_used(self, name: str) -> None:
        """Remember a command."""
        self.used = [name, *(other for other in self.used if other != name)][:USED_LAST]

    def open(self, form: Form) -> str:
        """Keep a form until it is sent; returns its number. The oldest beyond the bound is forgotten."""
        number = secrets.token_urlsafe(12)
        self.forms[number] = form
        if len(self.forms) > OPEN_FORMS:
            self.forms.popitem(last=False)
        return number

    def form(self, number: str) -> Form:
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
            raise Refused("Use 1 to 31 letters, digits, spaces, dots or dashes, and not the bot's name.")
        if name in self.taken:
            raise Refused(
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
