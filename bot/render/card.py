"""A card: what a message says and offers, before it becomes a message."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import Enum
from zlib import crc32

from bot.language.line import BREAK, Text
from bot.language.printers import Faces, spelled
from rules.names import Plan
from rules.table import Rolled
from rules.values import replace


class Tone(Enum):
    """How what happened went for whoever did it; it never says what the words do not."""

    CALM = "calm"
    GOOD = "good"
    GREAT = "great"
    BAD = "bad"
    WORST = "worst"


class Weight(Enum):
    """How much a button wants to be pressed."""

    QUIET = "quiet"
    MAIN = "main"
    GOOD = "good"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """Something to press: its label, its verb, the step and the subject that it is about.

    One with an `address` does nothing but lead there.
    """

    label: Text
    verb: str
    number: int = 0
    subject: str = ""
    weight: Weight = Weight.QUIET
    address: str = ""


def led(*rows: Sequence[Button], but: Collection[str] = ()) -> tuple[tuple[Button, ...], ...]:
    """Rows of buttons, the first one of them alone in colour, since it is the likeliest; no empty rows.

    What has one of the verbs `but` is not put in colour, nor is anything below the first row.
    """
    quiet = [
        [each if each.weight is Weight.QUIET else replace(each, weight=Weight.QUIET) for each in row]
        for row in rows
        if row
    ]
    for place, each in enumerate(quiet[0] if quiet else ()):
        if each.verb not in but:
            quiet[0][place] = replace(each, weight=Weight.MAIN)
            break
    return tuple(map(tuple, quiet))


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose in a form or a menu."""

    label: Text
    value: str
    hint: Text = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu in a message: what it says while nothing is chosen, its verb and subject, its options.

    `chosen` are the values chosen now; `most` of them can be.
    """

    label: Text
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
class Invitation:
    """A session for the calendars of those who play: of which plan and table, its number, when, and its note.

    `sequence` counts its changes; one that `is_gone` is no longer planned, unless it has been by then.
    """

    number: int
    table: str
    session: int
    at: int
    note: str
    sequence: int
    is_off: bool = False
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a card shows: the name of its file, its PNG, and the words that say the same."""

    name: str
    data: bytes
    alt: Text


@dataclass(frozen=True, slots=True)
class Portrait:
    """Somebody's picture beside what is said of them: its address, and whom it shows.

    One that is kept by its `digest` goes along as a file, once its `data` are there.
    """

    address: str
    alt: Text
    digest: str = ""
    data: bytes = b""

    @staticmethod
    def named(digest: str) -> str:
        """What the file of a portrait is called."""
        return f"portrait-{digest[:16]}.webp"

    @property
    def file(self) -> str:
        """What its own file is called."""
        return self.named(self.digest)


@dataclass(frozen=True, slots=True)
class Card:
    """Lines, menus, rows of buttons, whom it concerns, the roll or plan it shows, a file to keep.

    A card with a `tone` stands out as one thing; without one it is a line or two among what people say.
    `news` is a card of its own, for a message of its own where the card only edits one.
    """

    lines: tuple[Text, ...]
    rows: tuple[tuple[Button, ...], ...] = ()
    private: bool = False
    calls: tuple[int, ...] = ()
    roll: Rolled | Plan | None = None
    news: "Card | None" = None
    menus: tuple[Menu, ...] = ()
    document: Document | None = None
    tone: Tone | None = None
    faces: Faces = field(default_factory=dict)
    """What rolled dice are drawn with."""
    portrait: Portrait | None = None
    is_in_words: bool = False
    """The table wants no pictures of dice."""
    are_buttons_first: bool = False
    """Its buttons stand above its menus."""
    pictures: tuple[Picture, ...] = ()
    invitation: Invitation | None = None
    shown: Document | None = None
    """A file that stands in the message, as the invitation is once it is written."""

    @property
    def text(self) -> str:
        """All lines as they are read aloud, one below the other."""
        return "\n".join(spelled(each) for each in self.lines if each != BREAK)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form: a text to type, on one line or on several, options to choose of, or a file to give.

    What is filled in is read by the `key`, whatever the label says. One option is chosen, or `least` to
    `most`: their values then stand in `value`, parted by commas. `otherwise` is what is taken where nothing
    is typed; unlike a `value` it need not be deleted first. Of a file its number stands there.
    """

    key: str
    label: Text
    value: str = ""
    options: tuple[Option, ...] = ()
    hint: Text = ""
    required: bool = True
    otherwise: str = ""
    longest: int = 100
    lines: bool = False
    least: int = 1
    most: int = 1
    is_file: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """A form: its title and its fields, the likeliest answer filled in.

    `subject` is what it is sent with, where that is not the subject of the button that opens it.
    """

    title: Text
    fields: tuple[Field, ...]
    subject: str | None = None


MOST_IN_ROW = 5
"""Discord shows so many buttons in a row."""


def mark(text: str) -> str:
    """A short sign for a text, where there is no room for the text itself."""
    return f"{crc32(text.casefold().encode()):08x}"


def private(*lines: Text) -> Card:
    """A card for one person alone."""
    return Card(lines, private=True)
