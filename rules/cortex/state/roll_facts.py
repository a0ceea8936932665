"""What was done to a roll that lies on the table."""

from dataclasses import dataclass

from rules.cortex.state.causes import Why
from rules.cortex.state.kinds import Use, Verdict
from rules.cortex.state.pool import Die
from rules.fact import Event
from rules.texts import Label, Name


@dataclass(frozen=True, slots=True)
class RollBought(Event):
    """Something was bought for a roll that only the story shows."""

    who: Name
    why: Why


@dataclass(frozen=True, slots=True)
class RollBettered(Event):
    """The GM's dice in a roll have one more for the total or the effect (M4).

    `is_against` where they are against the roll, which is somebody's.
    """

    who: Name
    use: Use
    is_against: bool


@dataclass(frozen=True, slots=True)
class DiceJoined(Event):
    """Dice of the GM joined a roll, or what is against it where it `is_against` (M4)."""

    who: Name
    dice: tuple[int, ...]
    is_against: bool


@dataclass(frozen=True, slots=True)
class DiceTakenOut(Event):
    """Dice were taken out of a roll (D4, D8)."""

    who: Name
    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class DiceRerolled(Event):
    """Dice of a roll were rolled again: each die, and what it showed before (D4, D8)."""

    who: Name
    dice: tuple[Die, ...]
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EffectRolled(Event):
    """The dice of a roll were thrown again for its effect: each die, and what it shows then (N10)."""

    who: Name
    dice: tuple[Die, ...]
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HeroDieUsed(Event):
    """A hero die was used on a roll, beside its total or as its effect die (Z2)."""

    who: Name
    die: int
    as_effect: bool


@dataclass(frozen=True, slots=True)
class OpportunityUsed(Event):
    """An opportunity of a roll was used by an SFX (H3)."""

    who: Name
    sfx: Label


@dataclass(frozen=True, slots=True)
class VerdictChanged(Event):
    """A roll comes to something else, since what it was against has changed (M4, R8)."""

    who: Name
    now: Verdict


@dataclass(frozen=True, slots=True)
class OppositionChanged(Event):
    """The GM put right what opposes a roll: a number or dice, and what else is in the way (T3)."""

    who: Name
    what: Label
    plus: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class RollStood(Event):
    """The GM let a roll of somebody taken out, or out of turn, stand; `waiting` is to answer it (C4, L2)."""

    who: Name
    waiting: Name = ""


ON_A_ROLL = (
    RollBought,
    RollBettered,
    DiceJoined,
    DiceTakenOut,
    DiceRerolled,
    EffectRolled,
    HeroDieUsed,
    OpportunityUsed,
    VerdictChanged,
    OppositionChanged,
)
"""The facts that say what was done to a roll, told beside it as it is then."""
