"""What a rule makes of a table: the next table, and the facts between the two."""

from dataclasses import dataclass
from typing import Annotated

from rules.causes import ByKind
from rules.facts import Event
from rules.ore.sets import OreRoll, OreSet
from rules.table import Roll, Table
from rules.texts import Name


@dataclass(frozen=True, slots=True)
class RollMade:
    """Dice were rolled."""

    roll: Roll
    effects: tuple[int, ...] | None = None
    """The sizes of the roller's own effect that is told, after R7's steps; None where that was not kept."""


@dataclass(frozen=True, slots=True)
class RollChanged:
    """A roll on the table is as it is here; another fact may say by what."""

    roll: Roll
    effects: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class HiddenRolled:
    """Dice were rolled in secret (R9)."""

    roll: Roll
    effects: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class HiddenDropped:
    """A roll that was made in secret is gone, and was never revealed (R9)."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class OreRolled:
    """Dice of a One-Roll game were rolled (O1, O2, O4, O5)."""

    roll: OreRoll


@dataclass(frozen=True, slots=True)
class OreChanged:
    """A One-Roll roll was changed by its roller: wiggle dice at heights, or its 10 at another height."""

    roll: OreRoll
    placed: tuple[int, ...] = ()
    tens: int = 0


@dataclass(frozen=True, slots=True)
class OreGobbled:
    """Dice of one's set spoiled dice of somebody's set; `after` is what is left of it, if it is one still.

    `roll` is the roll that gobbled, `prey` that of the spoiled set, which is of its pool `hand`.
    """

    roll: OreRoll
    own: OreSet
    prey: OreRoll
    hand: int
    spoiled: OreSet
    count: int
    after: OreSet | None = None


_Told = Event | RollMade | RollChanged | HiddenRolled | HiddenDropped | OreRolled | OreChanged | OreGobbled
Told = Annotated[_Told, ByKind()]
"""A fact of a step of play."""


@dataclass(frozen=True, slots=True)
class Undone:
    """A step was taken back; `facts` are what it had done."""

    step: int
    facts: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Redone:
    """A step that had been taken back was put back."""

    step: int
    facts: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Somebody's data was deleted, as they asked."""

    name: Name = ""


Fact = Annotated[_Told | Undone | Redone | Forgotten, ByKind()]
"""Everything that can have happened."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a rule makes of a table: the next table, and the facts between the two."""

    table: Table
    facts: tuple[Fact, ...]

    def then(self, other: "Step") -> "Step":
        """Both steps as one; `other` was made from this one's table."""
        return Step(other.table, self.facts + other.facts)
