"""Facts of Cortex that hold no roll; those that hold one are in `rolled`."""

from dataclasses import dataclass

from rules.cortex.state.causes import Called, Change, Ending, Why
from rules.cortex.state.kinds import KeptPool, Kind, Rank, Sfx, Trait
from rules.cortex.state.pool import Die, NamedPool
from rules.cortex.state.roll_facts import (
    DiceJoined,
    DiceRerolled,
    DiceTakenOut,
    EffectRolled,
    HeroDieUsed,
    OpportunityUsed,
    OppositionChanged,
    RollBettered,
    RollBought,
    RollStood,
    VerdictChanged,
)
from rules.fact import Event
from rules.texts import Label, Name, Note


@dataclass(frozen=True, slots=True)
class PoolChanged(Event):
    """A pool of the GM changed from one row of sizes to another; a challenge's is in a `round`.

    `dice` are those that changed, `steps` by how many steps, `rank` what a GMC that came is.
    """

    pool: Called
    before: tuple[int, ...]
    after: tuple[int, ...]
    change: Change
    dice: tuple[int, ...] = ()
    steps: int = 1
    why: Why | None = None
    round: int = 0
    rank: Rank | None = None


@dataclass(frozen=True, slots=True)
class PointsChanged(Event):
    """Somebody's plot points changed."""

    who: Name
    before: int
    after: int
    why: Why | None = None


@dataclass(frozen=True, slots=True)
class TraitChanged(Event):
    """A trait came (`before` is None), went (`after` is None), or changed its rating."""

    owner: Name
    kind: Kind
    before: Trait | None
    after: Trait | None
    why: Why | None = None


@dataclass(frozen=True, slots=True)
class StatementSettled(Event):
    """A trait that was challenged has another statement and its old rating, or stays as it is (N7)."""

    owner: Name
    kind: Kind
    before: Trait
    after: Trait


@dataclass(frozen=True, slots=True)
class TakenOut(Event):
    """A trait stepped up past d12 took its owner out (C4), for good where time heals no trauma (N4)."""

    who: Name
    by: Label
    kind: Kind
    for_good: bool = False


@dataclass(frozen=True, slots=True)
class BackIn(Event):
    """Nothing takes them out any longer (C4)."""

    who: Name
    paid: bool = False


@dataclass(frozen=True, slots=True)
class GmUsed(Event):
    """The GM used something that costs nothing here, or that only the story shows."""

    why: Why


@dataclass(frozen=True, slots=True)
class SceneCut(Event):
    """The GM ended the scene with doom dice: how it ends (M5)."""

    how: Note


@dataclass(frozen=True, slots=True)
class GroupSplit(Event):
    """The group was split in two until the scene ends (M5)."""

    groups: tuple[tuple[Name, ...], ...]


@dataclass(frozen=True, slots=True)
class GroupJoined(Event):
    """Parts of a split group met again (M5)."""

    names: tuple[Name, ...]
    apart: tuple[tuple[Name, ...], ...] = ()
    """The parts that are still by themselves."""


@dataclass(frozen=True, slots=True)
class Over(Event):
    """A crisis, a challenge or a boss is over; `by` is who took its last die with a roll, if anybody."""

    pool: Called
    ending: Ending
    by: Name = ""


@dataclass(frozen=True, slots=True)
class OrderEnded(Event):
    """The turn order ended."""


@dataclass(frozen=True, slots=True)
class TurnCame(Event):
    """It is somebody's turn (L2); nobody's yet where `who` is empty, and `by` names the first.

    `of` is the challenge, none for the turn order; `limit` is after how many rounds it is lost, 0 for never.
    """

    who: Name
    of: Called | None
    round: int
    by: Name = ""
    limit: int = 0


@dataclass(frozen=True, slots=True)
class PassedOver(Event):
    """Somebody has no turn in this round, of a challenge or of the turn order (L2)."""

    who: Name
    of: Called | None
    round: int


@dataclass(frozen=True, slots=True)
class ActsAgainst(Event):
    """A challenge acts against somebody, who rolls first (L4)."""

    of: Called
    who: Name


@dataclass(frozen=True, slots=True)
class HeroDiceChanged(Event):
    """Somebody's hero dice came to be that row of sizes by one die (Z1, Z2)."""

    who: Name
    after: tuple[int, ...]
    change: Change
    die: int


@dataclass(frozen=True, slots=True)
class Contested(Event):
    """A contest goes on: whose answer it waits for, and against whom (T4)."""

    waiting: Name
    leader: Name
    total: int


@dataclass(frozen=True, slots=True)
class ContestWon(Event):
    """A side of a contest has won it, as the other side's roll stands (T4); `note` is what it was about."""

    who: Name
    against: Name = ""
    note: Note = ""


@dataclass(frozen=True, slots=True)
class GaveIn(Event):
    """A side of a contest gave in, so that the other has won (T4)."""

    who: Name
    winner: Name
    note: Note = ""


@dataclass(frozen=True, slots=True)
class ContestGoesOn(Event):
    """A contest outlives its scene (T4)."""

    sides: tuple[Name, Name]
    waiting: Name


@dataclass(frozen=True, slots=True)
class ResourceUsed(Event):
    """A resource was used, or is there again where it is not `spent` (C2)."""

    who: Name
    label: Label
    die: int
    spent: bool
    more: tuple[int, ...] = ()
    """Its further dice (N21)."""


@dataclass(frozen=True, slots=True)
class XpChanged(Event):
    """Somebody's experience points changed."""

    who: Name
    before: int
    after: int
    why: Note = ""


@dataclass(frozen=True, slots=True)
class SfxChanged(Event):
    """Somebody has an SFX or a limit, or has it no more where it `is_gone` (X1); `was` is what it was."""

    who: Name
    sfx: Sfx
    is_gone: bool = False
    was: Sfx | None = None


@dataclass(frozen=True, slots=True)
class PoolKept(Event):
    """Somebody keeps a pool by name, or no more where it `is_gone`; `was` is what the name meant before."""

    who: Name
    pool: KeptPool
    is_gone: bool = False
    was: KeptPool | None = None


@dataclass(frozen=True, slots=True)
class SfxUsed(Event):
    """Somebody used an SFX, and the die that it was used on (X1)."""

    who: Name
    sfx: Sfx
    on: Label = ""


@dataclass(frozen=True, slots=True)
class TraitShut(Event):
    """A trait was shut down, or works again where it is not `shut` (X1)."""

    who: Name
    label: Label
    die: int
    shut: bool


@dataclass(frozen=True, slots=True)
class NamedPoolChanged(Event):
    """A named pool is another; without dice it is gone. `dice` are those that changed."""

    pool: NamedPool
    change: Change
    dice: tuple[Die, ...] = ()


CortexEvent = (
    PoolChanged
    | PointsChanged
    | TraitChanged
    | StatementSettled
    | TakenOut
    | BackIn
    | GmUsed
    | SceneCut
    | GroupSplit
    | GroupJoined
    | Over
    | OrderEnded
    | TurnCame
    | PassedOver
    | ActsAgainst
    | HeroDiceChanged
    | Contested
    | ContestWon
    | GaveIn
    | ContestGoesOn
    | ResourceUsed
    | XpChanged
    | SfxChanged
    | PoolKept
    | SfxUsed
    | TraitShut
    | NamedPoolChanged
    | RollBought
    | RollBettered
    | DiceJoined
    | DiceTakenOut
    | DiceRerolled
    | EffectRolled
    | HeroDieUsed
    | OpportunityUsed
    | VerdictChanged
    | OppositionChanged
    | RollStood
)
"""The facts of Cortex that hold no roll."""
