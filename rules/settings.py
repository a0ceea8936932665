"""Declare a setting: its values, how it is typed and how it is shown."""

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
    """How a setting is filled in: it is on or off, one of its values, or anything that it can read."""

    SWITCH = "switch"
    CHOICE = "choice"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its field, what is suggested, how a value is read and written, where it stands."""

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
    """What a setting is called that had another name once, and how its values were read then."""

    name: str
    read: Read


def choice(kind: type[StrEnum]) -> Read:
    """One of a closed set."""
    return lambda typed: kind(find(typed, [str(value) for value in kind], Words("value")))


def switch(typed: str) -> bool:
    """On or off."""
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
    """A number from the least to the most."""

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
    """A number up to the most; `no limit` is 0."""

    def read(typed: str) -> int:
        word = "0" if typed.strip().casefold() in ("no limit", "off") else typed.strip()
        if not (word.isascii() and word.isdigit()) or len(word) > 3 or int(word) > most:
            raise Unreadable("{typed} isn't a number from 0 to {most}.", typed=shorten(typed), most=most)
        return int(word)

    return read


def names(typed: str) -> tuple[str, ...]:
    """Names, parted by commas; none for `off`."""
    if typed.strip().casefold() in ("off", "none", "no", "false"):
        return ()
    names = tuple(dict.fromkeys(clean(part, NAME, 40) for part in typed.split(",") if part.strip()))
    if len(names) > 10:
        raise Unreadable("That's {count} names; the limit is 10.", count=len(names))
    return names


def on_off(value: object) -> str:
    """A switch as it is typed."""
    return "on" if value else "off"


def write_names(value: object) -> str:
    """Names, or anything else, as they are typed."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "off"
    return str(value)
