"""Lines: text and spans in a row, printed by a printer.

Without that, a reader's screen takes what follows such a name for more of it: `نورا: 1 PP` is shown with its
number first. What is typed, completed or exported has no marks, and neither has any other name, so that it is
found by searching.

What was typed is text and nothing else: nobody can type a span, so nothing has to be read back. A sentence is
a phrase, its key and its values, until a printer says it (`bot.language.printers`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, StrEnum
from functools import lru_cache
from typing import NoReturn, TypeAlias

from rules.terms import ENGLISH, Language, Worded
from rules.text import Phrase, Words


class TimeStyle(StrEnum):
    """How a time is told: as a date, with its day of the week, as how long until then, or a part of it."""

    DATE = "f"
    DAY = "F"
    UNTIL = "R"
    CALENDAR = "D"
    TIME = "t"


class MentionKind(StrEnum):
    """Who or what is mentioned."""

    PERSON = "@"
    CHANNEL = "#"


class Style(Enum):
    """What a line is in a message: one of its lines, its title, background, or what parts it in two.

    A line may also say that there is nothing to show.
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
    """What counted."""

    parts: "tuple[Part, ...]"


@dataclass(frozen=True, slots=True)
class RolledFace:
    """A rolled die: its size, the face that it shows, its label."""

    size: int
    face: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """A time, in seconds since 1970, which each reader sees in their own zone."""

    seconds: int
    style: TimeStyle


@dataclass(frozen=True, slots=True)
class Code:
    """What is typed just so."""

    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command by its full name, and the number by which Discord knows it; 0 where that is not known."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Mention:
    """A person or a channel by their id: the reader sees their name, and nobody is called."""

    whom: MentionKind
    number: int


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a page, just as it is."""

    where: str


Span: TypeAlias = Strong | RolledFace | Moment | Code | Command | Mention | Address
"""All that can stand in a line beside text."""
Part: TypeAlias = str | Span | Phrase
"""What a line is made of; what is said holds no phrase any more."""


@dataclass(unsafe_hash=True, slots=True)  # as with Strong
class Line:
    """Text and spans in a row. It is printed by a printer and by nothing else."""

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


@dataclass(unsafe_hash=True)
class Sentence(Words):
    """A sentence by its key and its values, as `say` makes dozens for an answer: quickly."""

    __slots__ = ()


def spoken(phrase: Phrase) -> Text:
    """A phrase as a line of its own."""
    return Line((phrase,))


def together(*of: Text | Phrase | int) -> Line:
    """Texts, lines, phrases and numbers as one line, one behind the other."""
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
    """Texts in a row with something between them; text where all of them are."""
    row: list[Text] = []
    for each in of:
        row += (between, each)
    for each in row:
        if isinstance(each, Line):
            return together(*row[1:])
    return "".join(map(str, row[1:]))


@dataclass(frozen=True, slots=True)
class InEnglish(Phrase):
    """What English says in a way of its own, where its grammar is known, beside what any language can say."""

    own: Line
    plain: Line

    def of(self, language: Language) -> Line:
        """What a language has of the two."""
        if language is ENGLISH or (isinstance(language, Worded) and language.base is ENGLISH):
            return self.own
        return self.plain

    def said(self, language: Language) -> NoReturn:
        """No words without a printer."""
        raise TypeError("a line is printed by a printer")


@dataclass(frozen=True, slots=True)
class CompoundPhrase(Phrase):
    """A phrase that may hold spans, so that a printer alone can say it."""

    parts: tuple[Part, ...]

    def said(self, language: Language) -> NoReturn:
        """No words without a printer."""
        raise TypeError("a line is printed by a printer")


class ReadAloud(CompoundPhrase):
    """What is said as it is read aloud: nothing in it is strong, and dice, code and commands are words."""

    __slots__ = ()


class Capital(CompoundPhrase):
    """What a sentence begins with, a capital whatever it is."""

    __slots__ = ()


def aloud(text: Text) -> Text:
    """A text as it is read aloud; times and mentions in it stay, since each reader has their own."""
    return text if isinstance(text, str) else Line((ReadAloud(text.parts),))


def capital(text: Text) -> Text:
    """A text that begins with a capital, whatever is said first in it."""
    return Line((Capital((text,) if isinstance(text, str) else text.parts),))


def heading(text: Text) -> Text:
    """The first line of a card: what happened, or what this is. All of it is strong, so nothing in it is."""
    return Line((text,) if isinstance(text, str) else (ReadAloud(text.parts),), Style.HEADING)


def small(text: Text) -> Text:
    """A line of background."""
    return Line((text,) if isinstance(text, str) else text.parts, Style.SMALL)


def nothing(text: Text) -> Text:
    """The only line of a view in which there is nothing to show, and nothing to share."""
    return Line((text,) if isinstance(text, str) else text.parts, Style.NOTHING)


def is_nothing(lines: Iterable[Text]) -> bool:
    """Whether lines say that there is nothing to show, or are none."""
    return all(isinstance(line, Line) and line.style is Style.NOTHING for line in lines)


def strong(text: Text) -> Text:
    """What counted, inside a line."""
    return Line((Strong((text,) if isinstance(text, str) else text.parts),))


@lru_cache(maxsize=2048)
def die(size: int, face: int, label: str = "") -> Text:
    """A rolled die inside a line: `Mind d10: 7` in words, as a picture the face before its label."""
    return Line((RolledFace(size, face, label),))


def moment(at: datetime | int, as_: TimeStyle = TimeStyle.DATE) -> Text:
    """A time inside a line; a number is seconds since 1970."""
    return Line((Moment(at if isinstance(at, int) else int(at.timestamp()), as_),))


def code(text: str) -> Text:
    """What is typed just so, inside a line."""
    return Line((Code(text),))


def address(where: str) -> Text:
    """The address of a page inside a line: in an underscore there nothing begins."""
    return Line((Address(where),))


def command(name: str, number: int = 0) -> Text:
    """A command inside a line; it can be pressed where its number is known."""
    return Line((Command(name, number),))


def person(number: int) -> Text:
    """A person inside a line, by the name that the reader sees; they are not called."""
    return Line((Mention(MentionKind.PERSON, number),))


def channel(number: int) -> Text:
    """A channel inside a line."""
    return Line((Mention(MentionKind.CHANNEL, number),))


_LETTER = (
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"  # Hebrew to Adlam
)
_NAME = re.compile(f"{_LETTER}(?:(?:{_LETTER}|[ \u00a0'’.-])*{_LETTER})?")
_FIRST_STRONG, _POP = "\u2068", "\u2069"


def isolated(text: str, most: int | None = None) -> str:
    """A text in which each such name stands by itself, in `most` characters."""
    short = text[:most]
    marked = _NAME.sub(lambda name: f"{_FIRST_STRONG}{name[0]}{_POP}", short)
    if most is None or len(marked) <= most:
        return marked
    return isolated(short[: len(short) - (len(marked) - most)], most)


def without_marks(text: str) -> str:
    """The text that was typed, of one in which names stand by themselves."""
    return text.replace(_FIRST_STRONG, "").replace(_POP, "")
