"""What Hearts has at a table, and what can happen in it."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import field

from rules.facts import Event, FactKinds, Told
from rules.names import Label, Name, Note
from rules.settings import About, SettingSubject, between
from rules.table import Part
from rules.text import later
from rules.values import Value

HEARTS_FACTS = FactKinds()
"""What can happen in Hearts."""


class HeartsRoll(Value):
    """A pool of d6, and how it was made."""

    number: int
    player: int
    who: Name
    faces: tuple[int, ...]
    gm: bool = False
    note: str = ""
    pushed: int = 0

    @property
    def highest(self) -> int:
        """The face that counts."""
        return max(self.faces)


class Clock(Value):
    """Something that comes nearer."""

    label: Label
    filled: int = 0
    size: int = 6


class HeartsTable(Value):
    """What a table has of Hearts."""

    rolls: Mapping[int, HeartsRoll] = field(default_factory=dict)
    hidden: Mapping[int, HeartsRoll] = field(default_factory=dict)
    clocks: Mapping[str, Clock] = field(default_factory=dict)
    """By key."""
    size: Annotated[
        int,
        About(
            "clock size",
            later("how many segments a clock has"),
            SettingSubject.ROLLING,
            values=("4", "6", "8"),
            read=between(2, 12),
        ),
    ] = 6
    """How many segments a new clock has."""


class HeartsCharacter(Value):
    """What a character has of Hearts."""

    stress: int = 0
    bond: Name = ""
    """Whom they would do anything for."""


HEARTS = Part("hearts", HeartsTable, HeartsCharacter, HeartsRoll, has_hidden=True)
"""Where it is found."""


@HEARTS_FACTS.kind()
class HeartsRolled(Told, tag="hearts"):
    """A pool was rolled."""

    roll: HeartsRoll


@HEARTS_FACTS.kind()
class HeartsPushed(Told, tag="hearts pushed"):
    """One die more was rolled, for a stress."""

    roll: HeartsRoll
    face: int


@HEARTS_FACTS.kind(is_secret=True)
class HeartsHidden(Told, tag="hearts hidden"):
    """A pool was rolled in secret."""

    roll: HeartsRoll


@HEARTS_FACTS.kind()
class StressMoved(Event, tag="hearts stress"):
    """Somebody has more or less stress."""

    who: Name
    before: int
    after: int


@HEARTS_FACTS.kind()
class ClockMoved(Event, tag="hearts clock"):
    """A clock began, moved on, or went."""

    label: Label
    before: int
    after: int
    size: int


@HEARTS_FACTS.kind()
class Bonded(Event, tag="hearts bond"):
    """Somebody would do anything for somebody."""

    who: Name
    to: Name
    why: Note = ""
