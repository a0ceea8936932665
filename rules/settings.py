"""How settings are declared: their values, and how they are parsed and written."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rules.errors import Unreadable
from rules.names import NAME, clean, find
from rules.table import Table
from rules.text import Words, shorten

Read = Callable[[str], object]


Write = Callable[[Any], str]


class SettingInput(StrEnum):
    """What input a setting takes: on or off, one of its values, or any text that it can parse."""

    SWITCH = "switch"
    CHOICE = "choice"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: its field, suggested values, parser and writer, and where its value is stored."""

    field: str
    values: tuple[str, ...]
    read: Read
    """What was typed, as a value. Raises Unreadable, Unknown or Ambiguous."""
    write: Write
    of: Callable[[Table], object]
    """The value that a table has."""
    put: Callable[[Table, Any], Table]
    """The table with another value."""
    takes: SettingInput = SettingInput.TEXT


@dataclass(frozen=True, slots=True)
class Renamed:
    """The current name of a renamed setting, and the parser for its old values."""

    name: str
    read: Read


def choice(kind: type[StrEnum]) -> Read:
    """Return a parser for the members of an enum, by name or unique prefix."""
    return lambda typed: kind(find(typed, [str(value) for value in kind], Words("value")))


def switch(typed: str) -> bool:
    """Parse on or off. Raises Unreadable for anything else.

    >>> switch("On"), switch("no")
    (True, False)
    """
    word = typed.strip().casefold()
    known: Mapping[str, bool] = {
        "on": True,
        "yes": True,
        "true": True,
        "off": False,
        "no": False,
        "false": False,
    }
    if word not in known:
        raise Unreadable("{typed} isn't a valid choice. Type on or off.", typed=shorten(typed))
    return known[word]


def between(least: int, most: int) -> Read:
    """Return a parser for whole numbers from `least` to `most`; it raises Unreadable for others.

    >>> between(1, 5)(" 3 ")
    3
    """

    def read(typed: str) -> int:
        word = typed.strip()
        if not (word.isascii() and word.isdigit()) or len(word) > 3 or not least <= int(word) <= most:
            raise Unreadable(
                "{typed} isn't a number from {least} to {most}.",
                typed=shorten(typed),
                least=least,
                most=most,
            )
        return int(word)

    return read


def number(most: int) -> Read:
    """Return a parser for whole numbers from 0 to `most`; `no limit` and `off` are 0.

    >>> number(20)("12"), number(20)("no limit")
    (12, 0)
    """

    def read(typed: str) -> int:
        word = "0" if typed.strip().casefold() in ("no limit", "off") else typed.strip()
        if not (word.isascii() and word.isdigit()) or len(word) > 3 or int(word) > most:
            raise Unreadable("{typed} isn't a number from 0 to {most}.", typed=shorten(typed), most=most)
        return int(word)

    return read


def names(typed: str) -> tuple[str, ...]:
    """Parse names separated by commas; none for `off`. Raises Unreadable for more than 10.

    >>> names("Mind, Body, Mind"), names("off")
    (('Mind', 'Body'), ())
    """
    if typed.strip().casefold() in ("off", "none", "no", "false"):
        return ()
    names = tuple(dict.fromkeys(clean(part, NAME, 40) for part in typed.split(",") if part.strip()))
    if len(names) > 10:
        raise Unreadable("That's {count} names; the limit is 10.", count=len(names))
    return names


def on_off(value: object) -> str:
    """Return a switch as people type it: `on` or `off`."""
    return "on" if value else "off"


def write_names(value: object) -> str:
    """Return a setting's value as people type it.

    >>> write_names(("Mind", "Body")), write_names(()), write_names(3)
    ('Mind, Body', 'off', '3')
    """
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "off"
    return str(value)
