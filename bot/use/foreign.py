"""Sheets in files of other programs: whichever game reads such a file says what it would bring."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.asks.question import Rule
from bot.language.line import Text
from bot.play.asked import Asked
from bot.render.card import Menu
from rules.game import Step
from rules.table import Character, Table

Choices = Mapping[str, str]
"""What somebody chose in the menus of a preview, by what it is about."""
WHO, OPEN = ":who", ":open"
"""Which character of several was chosen, and which set stands open: no set is called so."""


@dataclass(frozen=True, slots=True)
class SheetsSeen:
    """What such a file would bring: its rule, how that is told, what can be chosen, and its sign."""

    rule: Rule
    lines: tuple[Text, ...]
    menus: tuple[Menu, ...]
    stamp: int


@dataclass(frozen=True, slots=True)
class SheetsRead:
    """A file of sheets that was read: its portraits, and how it looks at a table, by a verb and a number."""

    pictures: tuple[bytes, ...]
    look: Callable[[Asked, Table, str, int], SheetsSeen]


@dataclass(frozen=True, slots=True)
class Blank:
    """An empty sheet of another program: what it is called, and a campaign that begins with what it says."""

    title: str
    begin: Callable[[Step], Step]
    told: Callable[[Table], tuple[Text, ...]]
    """What is said of it at the table that began with it."""


@dataclass(frozen=True, slots=True)
class SheetFiles:
    """How a game reads sheets of another program, and writes one.

    `read` takes JSON, what was chosen, and whether all of its characters are to come; it gives None for what
    is no file of that program, and raises RuleError for one that cannot come so.
    """

    knows: Callable[[Any], bool]
    """Whether a file looks like one that is read; it may have faults."""
    read: Callable[[Any, Choices, bool], SheetsRead | None]
    write: Callable[[Character, str, str, bytes | None], bytes]
    blank: Callable[[Any], Blank]
    """The blank sheet of such a file. Raises RuleError for another."""


_known: list[SheetFiles] = []


def learn(*games: SheetFiles) -> None:
    """Let these be the files that are read."""
    _known[:] = games


def knows(form: Any) -> bool:
    """Whether any game reads such a file of sheets, as far as its head says; it may have faults."""
    return any(each.knows(form) for each in _known)


def read(form: Any, choices: Choices, *, all_of_them: bool) -> SheetsRead | None:
    """What a file of sheets would bring; None where no game knows it. Raises RuleError."""
    found = (each.read(form, choices, all_of_them) for each in _known)
    return next((each for each in found if each is not None), None)


def write(character: Character, fresh_id: str, at: str, picture: bytes | None) -> bytes:
    """A character as a file of another program; an id for who has none there, and when it is."""
    return _known[0].write(character, fresh_id, at, picture)


def blank(form: Any) -> Blank:
    """A blank sheet, for a campaign that begins with it. Raises RuleError for what is none."""
    return _known[0].blank(form)
