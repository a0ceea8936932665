"""A card: what a message says and offers, before it becomes a message; pages and illegible parts."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from zlib import crc32

import structlog

from bot.language import say
from bot.language.line import BREAK, Line, Part, Strong, Text
from bot.language.printers import Faces, spelled
from bot.language.said import UNSAID, said, width
from rules.names import Plan
from rules.table import Character, Rolled
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


LONGEST_LINE = 900
"""A longer line is broken in two; escaped twice over, one still fits into a plain message."""
_BETWEEN, _SPACE = re.compile("[,;.] "), re.compile(" ")


def pages(
    lines: Sequence[Text], longest: int = 3900, size: Callable[[Text], int] = width
) -> list[tuple[Text, ...]]:
    """Lines in pages that fit into one message each; a line too long for a page is broken, never cut.

    `size` is how many characters a line takes in the message.
    """
    found: list[tuple[Text, ...]] = []
    page: list[Text] = []
    room = longest
    for each in lines:
        for part in _broken(said(each)):
            taken = size(part) + 1
            if page and taken > room:
                found.append(tuple(page))
                page, room = [], longest
            page.append(part)
            room -= taken
    return [*found, tuple(page)]


def _broken(text: Text) -> Iterator[Text]:
    """Break a text into parts that are not too long: between names, else between words, inside no span."""
    while width(text) > LONGEST_LINE:
        if isinstance(text, str):
            at = _last_place(text, LONGEST_LINE) or _last_place(text, LONGEST_LINE, _SPACE) or LONGEST_LINE
            yield text[:at].rstrip(" ")
            text = text[at:]
            continue
        head, left = _parted(text)
        if not left:
            break
        yield replace(head, style=text.style)
        text = left
    yield text


def _last_place(text: str, room: int, between: re.Pattern[str] = _BETWEEN) -> int:
    """How much of a text is before the last place where it can be broken; 0 where it has none."""
    return max((found.end() for found in between.finditer(text[: max(0, room)])), default=0)


def _parted(of: Line) -> tuple[Line, Line]:
    """As much of a line as is not too long, and what is left of it."""
    room, at, after_word = LONGEST_LINE, (0, 0), (0, 0)
    for place, part in enumerate(of.parts):
        if isinstance(part, str) and (found := _last_place(part, room)):
            at = (place, found)
        if isinstance(part, str) and (found := _last_place(part, room, _SPACE)):
            after_word = (place, found)
        room -= width(Line((part,)))
        if room < 0:
            break
    first, *others = of.parts
    if at == (0, 0) and place == 0 and isinstance(first, Strong) and width(Line(first.parts)) > LONGEST_LINE:
        head, left = _parted(Line(first.parts))
        rest = (Strong(left.parts), *others) if left else tuple(others)
        return Line((Strong(head.parts),)), Line(rest)
    if at == (0, 0):
        at = after_word
    if at == (0, 0):  # nowhere to break: inside a word, else before the span that is too much
        at = (place, len(part) + room if isinstance(part, str) else 0)
    place, inside = at
    middle = of.parts[place]
    if not isinstance(middle, str):
        return _line(*of.parts[: place or 1]), _line(*of.parts[place or 1 :])
    before, after = middle[:inside].rstrip(" "), middle[inside:]
    return _line(*of.parts[:place], before), _line(after, *of.parts[place + 1 :])


def _line(*parts: Part) -> Line:
    return Line(tuple(part for part in parts if part != ""))


log = structlog.get_logger(__name__)


def illegible(kind: str) -> Text:
    """The line for something that cannot be read, of a kind where it says one."""
    return say("something this version can't read ({kind})", kind=kind) if kind else say(UNSAID)


def or_illegible(words: Callable[[], list[Text]], kind: str) -> list[Text]:
    """The lines that say something, or the one that says that it cannot be said."""
    try:
        return words()
    except Exception as error:
        log.warning("fact not rendered", kind=kind, reason=repr(error))
        return [illegible(kind)]


_ADDRESS = re.compile(r"https://[^\s/]+\.[^\s/]+/\S{1,1900}")


def portrait_of(character: Character) -> Portrait | None:
    """The picture of a character: uploaded, or at an address that Discord takes."""
    if character.picture:
        alt = character.picture_alt or say("Portrait of {who}", who=character.name)
        return Portrait(f"attachment://{Portrait.named(character.picture)}", alt, character.picture)
    if not _ADDRESS.fullmatch(character.portrait):
        return None
    return Portrait(character.portrait, say("Portrait of {who}", who=character.name))
