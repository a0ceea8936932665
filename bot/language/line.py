"""Lines: sequences of text and spans, rendered by a printer.

Right-to-left names are isolated with direction marks. Without them, what follows such a name is taken for
part of it: `نورا: 1 PP` is shown with its number first. Text that is typed, completed or exported has no
marks, and neither has any other name, so that searching finds it.

Typed text is always just text: nobody can type a span, so nothing has to be parsed back. A sentence is a
phrase, a key with values, until a printer renders it (`bot.language.printers`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, StrEnum
from functools import lru_cache
from typing import NoReturn, TypeAlias

from rules.terms import ENGLISH, Language, Worded
from rules.text import Phrase


class TimeStyle(StrEnum):
    """How a time is shown: as a date, with the weekday, relative to now, or only a part."""

    DATE = "f"
    DAY = "F"
    UNTIL = "R"
    CALENDAR = "D"
    TIME = "t"


class MentionKind(StrEnum):
    """What kind of thing is mentioned: a person or a channel."""

    PERSON = "@"
    CHANNEL = "#"


class Style(Enum):
    """The role of a line in a message: plain, heading, background, a break between two parts.

    NOTHING marks the only line of a view that has nothing to show.
    """

    PLAIN = "plain"
    HEADING = "heading"
    SMALL = "small"
    BREAK = "break"
    NOTHING = "nothing"


# Not frozen, as all else is: lines are made by the dozen for each answer, and setting what is frozen takes
# three times as long. Nothing changes one.
@dataclass(unsafe_hash=True, slots=True)
class Strong:
    """Emphasized parts: what counted."""

    parts: "tuple[Part, ...]"


@dataclass(frozen=True, slots=True)
class RolledFace:
    """A rolled die: its size, face and label."""

    size: int
    face: int
    label: str = ""


class DieForm(StrEnum):
    """How a die without hitches got its face: thrown, fixed before the roll, or placed after it."""

    THROWN = "thrown"
    FIXED = "fixed"
    PLACED = "placed"


@dataclass(frozen=True, slots=True)
class DiceRow:
    """Dice of one size and form without labels: a row of pictures, or their faces in words: `7 7 3`."""

    size: int
    faces: tuple[int, ...]
    form: DieForm = DieForm.THROWN


@dataclass(frozen=True, slots=True)
class UnrolledDice:
    """Dice that nobody has rolled, by size: a row of pictures, or `2d6 d8` in words."""

    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """A time, in seconds since 1970, which readers see in their own time zone."""

    seconds: int
    style: TimeStyle


@dataclass(frozen=True, slots=True)
class Code:
    """Text to be typed exactly as shown."""

    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command by its full name, with its Discord id; 0 if unknown."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Mention:
    """A person or channel by id: readers see the name, but nobody is notified."""

    whom: MentionKind
    number: int


@dataclass(frozen=True, slots=True)
class Address:
    """A URL, shown as it is."""

    where: str


Span: TypeAlias = Strong | RolledFace | DiceRow | UnrolledDice | Moment | Code | Command | Mention | Address
"""All that can stand in a line beside text."""
Part: TypeAlias = str | Span | Phrase
"""What a line is made of; what is said holds no phrase any more."""


@dataclass(unsafe_hash=True, slots=True)  # as with Strong
class Line:
    """A sequence of text and spans, which only a printer can render."""

    parts: tuple[Part, ...]
    style: Style = Style.PLAIN
    is_said: bool = field(default=False, compare=False, repr=False)
    """No phrase is left in it."""

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __str__(self) -> NoReturn:
        raise TypeError("a line is printed by a printer")

    def __format__(self, spec: str) -> NoReturn:
        raise TypeError("a line is put into another one by say, together or joined")


Text: TypeAlias = str | Line
"""What is read: text alone, or a line with spans in it."""
BREAK = Line((), Style.BREAK)
"""A line that parts what is above from what is below."""


def spoken(phrase: Phrase) -> Text:
    """Return a phrase as a line."""
    return Line((phrase,))


def together(*of: Text | Phrase | int) -> Line:
    """Return texts, lines, phrases and numbers concatenated into one line."""
    parts: list[Part] = []
    for each in of:
        if isinstance(each, Line):
            parts += each.parts
        elif isinstance(each, Phrase):
            parts.append(each)
        elif each != "":
            parts.append(str(each))
    return Line(tuple(parts))


def joined(between: Text, of: Iterable[Text]) -> Text:
    """Return texts joined by a separator; a plain str if all of them are."""
    row: list[Text] = []
    for each in of:
        row += (between, each)
    for each in row:
        if isinstance(each, Line):
            return together(*row[1:])
    return "".join(map(str, row[1:]))


class Manner(Enum):
    """How the parts of a compound phrase are put: as they are, read aloud, or with a capital letter first.

    ALOUD is what a screen reader says: no emphasis, and dice, code and commands as words.
    """

    PLAIN = "plain"
    ALOUD = "aloud"
    CAPITAL = "capital"


@dataclass(frozen=True, slots=True)
class CompoundPhrase(Phrase):
    """A phrase that may contain spans, so that only a printer can render it.

    English may have parts of its own, `english`.
    """

    parts: tuple[Part, ...]
    manner: Manner = Manner.PLAIN
    english: "tuple[Part, ...]" = ()

    def of(self, language: Language) -> tuple[Part, ...]:
        """Return the parts for a language."""
        is_english = language is ENGLISH or (isinstance(language, Worded) and language.base is ENGLISH)
        return self.english if self.english and is_english else self.parts

    def said(self, language: Language) -> NoReturn:
        """Raise TypeError: only a printer can render it."""
        raise TypeError("a line is printed by a printer")


def aloud(text: Text) -> Text:
    """Return a text as it is read aloud; times and mentions stay, since each reader has their own."""
    return text if isinstance(text, str) else Line((CompoundPhrase(text.parts, Manner.ALOUD),))


def capital(text: Text) -> Text:
    """Return a text that starts with a capital letter, once it is rendered."""
    return Line((CompoundPhrase((text,) if isinstance(text, str) else text.parts, Manner.CAPITAL),))


def heading(text: Text) -> Text:
    """Return the first line of a card; all of it is emphasized, so emphasis inside is dropped."""
    return Line(
        (text,) if isinstance(text, str) else (CompoundPhrase(text.parts, Manner.ALOUD),), Style.HEADING
    )


def small(text: Text) -> Text:
    """Return a line of background information."""
    return Line((text,) if isinstance(text, str) else text.parts, Style.SMALL)


def nothing(text: Text) -> Text:
    """Return the only line of a view that has nothing to show, and so nothing to share."""
    return Line((text,) if isinstance(text, str) else text.parts, Style.NOTHING)


def is_nothing(lines: Iterable[Text]) -> bool:
    """Return whether lines say that there is nothing to show, or are empty."""
    return all(isinstance(line, Line) and line.style is Style.NOTHING for line in lines)


def strong(text: Text) -> Text:
    """Return emphasized text for use in a line."""
    return Line((Strong((text,) if isinstance(text, str) else text.parts),))


@lru_cache(maxsize=2048)
def die(size: int, face: int, label: str = "") -> Text:
    """Return a rolled die for use in a line: `Mind d10: 7` in words, or the picture before the label."""
    return Line((RolledFace(size, face, label),))


@lru_cache(maxsize=2048)
def unrolled(sizes: tuple[int, ...]) -> Text:
    """Return dice that nobody has rolled for use in a line: a row of pictures, or `2d6 d8` in words."""
    return Line((UnrolledDice(sizes),))


def dice_drawn(size: int, faces: tuple[int, ...], form: DieForm = DieForm.THROWN) -> Text:
    """Return dice of one size for use in a line: a row of pictures, or `7 7 3` in words."""
    return Line((DiceRow(size, faces, form),))


def moment(at: datetime | int, as_: TimeStyle = TimeStyle.DATE) -> Text:
    """Return a time for use in a line; a number is seconds since 1970."""
    return Line((Moment(at if isinstance(at, int) else int(at.timestamp()), as_),))


def code(text: str) -> Text:
    """Return text to be typed exactly, for use in a line."""
    return Line((Code(text),))


def address(where: str) -> Text:
    """Return a URL for use in a line, in which an underscore doesn't start Markdown."""
    return Line((Address(where),))


def command(name: str, number: int = 0) -> Text:
    """Return a command for use in a line, clickable if its id is known."""
    return Line((Command(name, number),))


def person(number: int) -> Text:
    """Return a person for use in a line; readers see the name, and the person is not notified."""
    return Line((Mention(MentionKind.PERSON, number),))


def channel(number: int) -> Text:
    """Return a channel for use in a line."""
    return Line((Mention(MentionKind.CHANNEL, number),))


_LETTER = (
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"  # Hebrew to Adlam
)
_NAME = re.compile(f"{_LETTER}(?:(?:{_LETTER}|[ \u00a0'’.-])*{_LETTER})?")
_FIRST_STRONG, _POP = "\u2068", "\u2069"


def isolated(text: str, most: int | None = None) -> str:
    """Return text with right-to-left names isolated by direction marks, in at most that many characters."""
    short = text[:most]
    marked = _NAME.sub(lambda name: f"{_FIRST_STRONG}{name[0]}{_POP}", short)
    if most is None or len(marked) <= most:
        return marked
    return isolated(short[: len(short) - (len(marked) - most)], most)


def without_marks(text: str) -> str:
    """Return the text as typed, without the marks that `isolated` adds."""
    return text.replace(_FIRST_STRONG, "").replace(_POP, "")
