"""A card: what a message says and offers, before it becomes a message."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from zlib import crc32

from rules.ore.sets import OreRoll
from rules.table import Roll

TIME_OPENS, TIME_CLOSES = "\ue000", "\ue001"
"""Around a time in a line: nobody can type these, so a time is never mistaken for what was typed."""


class Tone(Enum):
    """How much a button wants to be pressed."""

    QUIET = "quiet"
    MAIN = "main"
    GOOD = "good"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """Something to press: its label, its verb, the step and the subject that it is about."""

    label: str
    verb: str
    number: int = 0
    subject: str = ""
    tone: Tone = Tone.QUIET


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose in a form or a menu."""

    label: str
    value: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu in a message: what it says while nothing is chosen, its verb and subject, its options.

    `chosen` are the values chosen now; `most` of them can be.
    """

    label: str
    verb: str
    subject: str
    options: tuple[Option, ...]
    chosen: tuple[str, ...] = ()
    most: int = 1


@dataclass(frozen=True, slots=True)
class Document:
    """A file that goes with a card: its name and what is in it."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a card shows: the name of its file, its PNG, and the words that say the same."""

    name: str
    data: bytes
    alt: str


@dataclass(frozen=True, slots=True)
class Card:
    """Lines of plain text, menus, rows of buttons, whom it concerns, the roll that it shows, a file to keep.

    `news` is a card of its own, for a message of its own where the card only edits one.
    """

    lines: tuple[str, ...]
    rows: tuple[tuple[Button, ...], ...] = ()
    private: bool = False
    calls: tuple[int, ...] = ()
    roll: Roll | OreRoll | None = None
    news: "Card | None" = None
    menus: tuple[Menu, ...] = ()
    document: Document | None = None
    pictures: tuple[Picture, ...] = ()

    @property
    def text(self) -> str:
        """All lines, one below the other."""
        return "\n".join(self.lines)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form: a text to type, on one line or on several, or options to choose of.

    What is filled in is read by the `key`, whatever the label says. One option is chosen, or `least` to
    `most`: their values then stand in `value`, parted by commas.
    """

    key: str
    label: str
    value: str = ""
    options: tuple[Option, ...] = ()
    hint: str = ""
    required: bool = True
    longest: int = 100
    lines: bool = False
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class Form:
    """A form: its title and its fields, the likeliest answer filled in.

    `subject` is what it is sent with, where that is not the subject of the button that opens it.
    """

    title: str
    fields: tuple[Field, ...]
    subject: str | None = None


LONGEST_LINE = 900
"""A longer line is broken in two; escaped twice over, one still fits into a plain message."""


def moment(at: datetime) -> str:
    """A time inside a line, which each reader sees in their own zone."""
    return f"{TIME_OPENS}{int(at.timestamp())}{TIME_CLOSES}"


def mark(text: str) -> str:
    """A short sign for a text, where there is no room for the text itself."""
    return f"{crc32(text.casefold().encode()):08x}"


def private(*lines: str) -> Card:
    """A card for one person alone."""
    return Card(lines, private=True)


def pages(
    lines: Sequence[str], longest: int = 3900, width: Callable[[str], int] = len
) -> list[tuple[str, ...]]:
    """Lines in pages that fit into one message each; a line too long for a page is broken, never cut.

    `width` is how many characters a line takes in the message.
    """
    found: list[tuple[str, ...]] = []
    page: list[str] = []
    room = longest
    for line in lines:
        for start in range(0, max(1, len(line)), LONGEST_LINE):
            part = line[start : start + LONGEST_LINE]
            if page and width(part) + 1 > room:
                found.append(tuple(page))
                page, room = [], longest
            page.append(part)
            room -= width(part) + 1
    return [*found, tuple(page)]
