"""Facts of One-Roll games."""

from dataclasses import dataclass

from rules.fact import Event, Told
from rules.ore.sets import OreRoll, OreSet
from rules.texts import Name


@dataclass(frozen=True, slots=True)
class OreClosed(Event):
    """A new round of a One-Roll game: the rolls of these are closed."""

    who: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class OreRolled(Told):
    """Dice of a One-Roll game were rolled (O1, O2, O4, O5)."""

    roll: OreRoll


@dataclass(frozen=True, slots=True)
class OreChanged(Told):
    """A One-Roll roll was changed by its roller: wiggle dice at heights, or its 10 at another height."""

    roll: OreRoll
    placed: tuple[int, ...] = ()
    tens: int = 0


@dataclass(frozen=True, slots=True)
class OreGobbled(Told):
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


OreFact = OreClosed | OreRolled | OreChanged | OreGobbled
"""The facts of One-Roll games."""
