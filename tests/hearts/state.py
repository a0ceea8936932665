"""What Hearts has at a table, and what can happen in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from rules.facts import Event, FactKinds, Told
from rules.names import Label, Name, Note
from rules.settings import About, SettingSubject, between
from rules.table import Part
from rules.text import later

HEARTS_FACTS = FactKinds()
"""What can happen in Hearts."""


@dataclass(frozen=True, slots=True)
class HeartsRoll:
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


@dataclass(frozen=True, slots=True)
class Clock:
    """Something that comes nearer."""

    label: Label
    filled: int = 0
    size: int = 6


@dataclass(frozen=True, slots=True)
class HeartsTable:
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


@dataclass(frozen=True, slots=True)
class HeartsCharacter:
    """What a character has of Hearts."""

    stress: int = 0
    bond: Name = ""
    """Whom they would do anything for."""


HEARTS = Part("hearts", HeartsTable, HeartsCharacter, HeartsRoll, has_hidden=True)
"""Where it is found."""


@HEARTS_FACTS.kind("hearts")
@dataclass(frozen=True, slots=True)
class HeartsRolled(Told):
    """A pool was rolled."""

    roll: HeartsRoll


@HEARTS_FACTS.kind("hearts pushed")
@dataclass(frozen=True, slots=True)
class HeartsPushed(Told):
    """One die more was rolled, for a stress."""

    roll: HeartsRoll
    face: int


@HEARTS_FACTS.kind("hearts hidden", is_secret=True)
@dataclass(frozen=True, slots=True)
class HeartsHidden(Told):
    """A pool was rolled in secret."""

    roll: HeartsRoll


@HEARTS_FACTS.kind("hearts stress")
@dataclass(frozen=True, slots=True)
class StressMoved(Event):
    """Somebody has more or less stress."""

    who: Name
    before: int
    after: int


@HEARTS_FACTS.kind("hearts clock")
@dataclass(frozen=True, slots=True)
class ClockMoved(Event):
    """A clock began, moved on, or went."""

    label: Label
    before: int
    after: int
    size: int


@HEARTS_FACTS.kind("hearts bond")
@dataclass(frozen=True, slots=True)
class Bonded(Event):
    """Somebody would do anything for somebody."""

    who: Name
    to: Name
    why: Note = ""
