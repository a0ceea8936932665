"""A card: what a message says and offers, before it becomes a message."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum, StrEnum
from zlib import crc32

from rules.dates import local
from rules.kinds import Plan
from rules.roll import Rolled
from rules.values import replace

TIME_OPENS, TIME_CLOSES = "\ue000", "\ue001"
"""Around a time in a line: nobody can type these, so a time is never mistaken for what was typed."""
STRONG_OPENS, STRONG_CLOSES = "\ue002", "\ue003"
"""Around what counted: the same goes for these and for all marks below."""
DIE_OPENS, DIE_SIZE, DIE_FACE, DIE_CLOSES = "\ue004", "\ue005", "\ue006", "\ue007"
"""Around a rolled die: its label, its size and the face that it shows."""
TITLE, SMALL = "\ue008", "\ue009"
"""What a line begins with that is a heading, or background."""
BREAK = "\ue00a"
"""A line that parts what is above from what is below."""
CODE_OPENS, CODE_CLOSES = "\ue00b", "\ue00c"
"""Around what is typed just so."""
COMMAND_OPENS, COMMAND_ID, COMMAND_CLOSES = "\ue00d", "\ue00e", "\ue00f"
"""Around a command: its full name, and the number by which Discord knows it."""
MENTION_OPENS, MENTION_CLOSES = "\ue010", "\ue011"
"""Around a person or a channel: `@` or `#`, and their id."""
ADDRESS_OPENS, ADDRESS_CLOSES = "\ue012", "\ue013"
"""Around the address of a page."""


DIE = re.compile(f"{DIE_OPENS}([^{DIE_SIZE}]*){DIE_SIZE}([0-9]+){DIE_FACE}([0-9]+){DIE_CLOSES}")
"""A rolled die in a line: its label, size and face."""
COMMAND = re.compile(f"{COMMAND_OPENS}([^{COMMAND_ID}]*){COMMAND_ID}([0-9]+){COMMAND_CLOSES}")
"""A command in a line: its full name and its number, 0 where that is not known."""
TIME = re.compile(f"{TIME_OPENS}([0-9]+)([fFR]){TIME_CLOSES}")
"""A time in a line: seconds since 1970, and how it is told."""
_PAIRS = (
    (DIE_OPENS, DIE_CLOSES),
    (STRONG_OPENS, STRONG_CLOSES),
    (CODE_OPENS, CODE_CLOSES),
    (COMMAND_OPENS, COMMAND_CLOSES),
    (ADDRESS_OPENS, ADDRESS_CLOSES),
)
_BETWEEN = re.compile("[,;.] ")
_PLAIN = re.compile(
    f"[{STRONG_OPENS}{STRONG_CLOSES}{TITLE}{SMALL}{BREAK}{CODE_OPENS}{CODE_CLOSES}{ADDRESS_OPENS}{ADDRESS_CLOSES}]"
)


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

    label: str
    verb: str
    number: int = 0
    subject: str = ""
    weight: Weight = Weight.QUIET
    address: str = ""


def led(*rows: Sequence[Button]) -> tuple[tuple[Button, ...], ...]:
    """Rows of buttons, the first one of them alone in colour, since it is the likeliest; no empty rows."""
    quiet = [
        [each if each.weight is Weight.QUIET else replace(each, weight=Weight.QUIET) for each in row]
        for row in rows
        if row
    ]
    if quiet:
        quiet[0][0] = replace(quiet[0][0], weight=Weight.MAIN)
    return tuple(map(tuple, quiet))


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


Faces = Mapping[tuple[int, int], str]
"""Rolled dice, by size and face, as pictures in a text; what has none is said in words."""


@dataclass(frozen=True, slots=True)
class Portrait:
    """Somebody's picture beside what is said of them: its address, and whom it shows.

    One that is kept by its `digest` goes along as a file, once its `data` are there.
    """

    address: str
    alt: str
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
    """Lines with marks, menus, rows of buttons, whom it concerns, the roll or plan it shows, a file to keep.

    A card with a `tone` stands out as one thing; without one it is a line or two among what people say.
    `news` is a card of its own, for a message of its own where the card only edits one.
    """

    lines: tuple[str, ...]
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
    pictures: tuple[Picture, ...] = ()

    @property
    def text(self) -> str:
        """All lines as they are read aloud, one below the other."""
        return "\n".join(plain(line) for line in self.lines if line != BREAK)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form: a text to type, on one line or on several, or options to choose of.

    What is filled in is read by the `key`, whatever the label says. One option is chosen, or `least` to
    `most`: their values then stand in `value`, parted by commas. `otherwise` is what is taken where nothing
    is typed; unlike a `value` it need not be deleted first.
    """

    key: str
    label: str
    value: str = ""
    options: tuple[Option, ...] = ()
    hint: str = ""
    required: bool = True
    otherwise: str = ""
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


MOST_IN_ROW = 5
"""Discord shows so many buttons in a row."""
LONGEST_LINE = 900
"""A longer line is broken in two; escaped twice over, one still fits into a plain message."""


class Clock(StrEnum):
    """How a time is told: as a date, with its day of the week, or as how long it is until then."""

    DATE = "f"
    DAY = "F"
    UNTIL = "R"


def moment(at: datetime | int, as_: Clock = Clock.DATE) -> str:
    """A time inside a line, which each reader sees in their own zone; a number is seconds since 1970."""
    seconds = at if isinstance(at, int) else int(at.timestamp())
    return f"{TIME_OPENS}{seconds}{as_}{TIME_CLOSES}"


def strong(text: str) -> str:
    """What counted, inside a line."""
    return f"{STRONG_OPENS}{text}{STRONG_CLOSES}"


def heading(text: str) -> str:
    """The first line of a card: what happened, or what this is."""
    return f"{TITLE}{plain(text)}"


def small(text: str) -> str:
    """A line of background."""
    return f"{SMALL}{text}"


def die(size: int, face: int, label: str = "") -> str:
    """A rolled die inside a line: `Mind d10: 7` in words, as a picture the face before its label."""
    return f"{DIE_OPENS}{label}{DIE_SIZE}{size}{DIE_FACE}{face}{DIE_CLOSES}"


def code(text: str) -> str:
    """What is typed just so, inside a line."""
    return f"{CODE_OPENS}{text}{CODE_CLOSES}"


def address(where: str) -> str:
    """The address of a page inside a line, just as it is: in an underscore there nothing begins."""
    return f"{ADDRESS_OPENS}{where}{ADDRESS_CLOSES}"


def command(name: str, number: int = 0) -> str:
    """A command inside a line, by its full name; it can be pressed where its number is known."""
    return f"{COMMAND_OPENS}{name}{COMMAND_ID}{number}{COMMAND_CLOSES}"


def person(number: int) -> str:
    """A person inside a line, by the name that the reader sees; they are not called."""
    return f"{MENTION_OPENS}@{number}{MENTION_CLOSES}"


def channel(number: int) -> str:
    """A channel inside a line."""
    return f"{MENTION_OPENS}#{number}{MENTION_CLOSES}"


def die_text(label: str, size: str, face: str) -> str:
    """A rolled die in words: `Mind d10: 7`, `d6: 1`."""
    return f"{label} d{size}: {face}" if label else f"d{size}: {face}"


def dice_apart(text: str, faces: Faces) -> tuple[str, list[str]]:
    """A line whose dice are in words, or where they have pictures those apart, each left a mark for."""
    pictures: list[str] = []

    def written(found: re.Match[str]) -> str:
        label, size, face = found.groups()
        picture = faces.get((int(size), int(face)))
        if picture is None:
            return die_text(label, size, face)
        pictures.append(picture)
        return f"{DIE_OPENS} {label}".rstrip()

    return DIE.sub(written, text), pictures


def plain(text: str) -> str:
    """A line without its marks, as it is read aloud; times stay as they are."""
    spelled = COMMAND.sub(r"/\1", text) if COMMAND_OPENS in text else text
    return _PLAIN.sub("", DIE.sub(lambda found: die_text(*found.groups()), spelled))


def spelled(text: str, zone: str = "") -> str:
    """A line as plain text, where no reader's zone is known: times are those of the named one, or of UTC."""

    def clock(found: re.Match[str]) -> str:
        at = local(datetime.fromtimestamp(int(found[1]), UTC), zone)
        return f"{at:%Y-%m-%d %H:%M} {zone or 'UTC'}"

    return TIME.sub(clock, text)


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
        for part in _broken(line):
            if page and width(part) + 1 > room:
                found.append(tuple(page))
                page, room = [], longest
            page.append(part)
            room -= width(part) + 1
    return [*found, tuple(page)]


def _broken(line: str) -> Iterator[str]:
    """A line in parts that are not too long, broken between names, inside no die and nothing strong."""
    while len(line) > LONGEST_LINE:
        head = line[:LONGEST_LINE]
        places = [found.end() for found in _BETWEEN.finditer(head) if _is_whole(head[: found.end()])]
        at = places[-1] if places else LONGEST_LINE
        yield line[:at].rstrip(" ")
        line = line[at:]
    yield line


def _is_whole(text: str) -> bool:
    """Whether every mark that is opened is closed."""
    return all(text.count(a) == text.count(b) for a, b in _PAIRS)
