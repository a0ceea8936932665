"""Facts of Cortex that hold a roll."""

from dataclasses import dataclass

from rules.cortex.state.table import Roll
from rules.fact import Told


@dataclass(frozen=True, slots=True)
class RollMade(Told):
    """Dice were rolled."""

    roll: Roll
    effects: tuple[int, ...] | None = None
    """The sizes of the roller's own effect that is told, after R7's steps; None where that was not kept."""


@dataclass(frozen=True, slots=True)
class RollChanged(Told):
    """A roll on the table is as it is here; another fact may say by what."""

    roll: Roll
    effects: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class HiddenRolled(Told):
    """Dice were rolled in secret (R9)."""

    roll: Roll
    effects: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class HiddenDropped(Told):
    """A roll that was made in secret is gone, and was never revealed (R9)."""

    roll: Roll


CortexRolled = RollMade | RollChanged | HiddenRolled | HiddenDropped
"""The facts of Cortex that hold a roll."""
