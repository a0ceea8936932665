"""Facts: what happened at a table, as data. They are kept with every step, and others put them into words.

A fact holds who, what, what was before and after, a reason out of a closed set, and a note as it was typed;
never a sentence. `Event` are the facts that a roll can hold as what followed from it; those that hold a roll
themselves are in `result`.
"""

from dataclasses import dataclass
from typing import Annotated

from rules.causes import Boundary, ByKind, Called, Change, Ending, Fate, Seat, Stretch, Why
from rules.dice import Die
from rules.kinds import Coming, KeptPool, Kind, NamedPool, Rank, Sfx, Trait, Use, Verdict
from rules.texts import Label, Name, Note, Person


@dataclass(frozen=True, slots=True)
class PoolChanged:
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
class PointsChanged:
    """Somebody's plot points changed."""

    who: Name
    before: int
    after: int
    why: Why | None = None


@dataclass(frozen=True, slots=True)
class TraitChanged:
    """A trait came (`before` is None), went (`after` is None), or changed its rating."""

    owner: Name
    kind: Kind
    before: Trait | None
    after: Trait | None
    why: Why | None = None


@dataclass(frozen=True, slots=True)
class TakenOut:
    """A trait stepped up past d12 took its owner out (C4)."""

    who: Name
    by: Label
    kind: Kind


@dataclass(frozen=True, slots=True)
class BackIn:
    """Nothing takes them out any longer (C4)."""

    who: Name
    paid: bool = False


@dataclass(frozen=True, slots=True)
class Began:
    """A session, an act or a scene began; each has its number, a scene its name."""

    what: Stretch
    number: int
    name: Label = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """A session, an act or a scene ended; `closed` are those whose rolls can no longer be changed."""

    what: Stretch
    number: int
    name: Label = ""
    closed: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class Noted:
    """Something was noted for the recap, as it was typed; what is `secret` is the GM's alone."""

    text: Note
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Titled:
    """A session has a title."""

    number: int
    title: Label


@dataclass(frozen=True, slots=True)
class Planned:
    """The next session is to be at a time, in seconds since 1970; `was` is when it was to be, if it moved."""

    at: int
    note: Note = ""
    weeks: int = 0
    was: int = 0


@dataclass(frozen=True, slots=True)
class CalledOff:
    """The session that was to be at that time is not."""

    at: int


@dataclass(frozen=True, slots=True)
class Replied:
    """Somebody says whether they come to the session of that time."""

    who: Name
    coming: Coming
    at: int


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody took a seat, or left one; `by` is who plays them, `was` their name before."""

    who: Name
    seat: Seat
    by: Person = ""
    was: Name = ""


@dataclass(frozen=True, slots=True)
class Moved:
    """A campaign as a whole was put away, woken, deleted, or is played in another channel."""

    name: Label
    fate: Fate


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """A setting of the campaign has another value, as people type it."""

    setting: str
    value: str


@dataclass(frozen=True, slots=True)
class SettingsKept:
    """What another ruleset left as it had been changed by hand: settings and their values."""

    settings: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class GmUsed:
    """The GM used something that costs nothing here, or that only the story shows."""

    why: Why


@dataclass(frozen=True, slots=True)
class SceneCut:
    """The GM ended the scene with doom dice: how it ends (M5)."""

    how: Note


@dataclass(frozen=True, slots=True)
class GroupSplit:
    """The group was split in two until the scene ends (M5)."""

    groups: tuple[tuple[Name, ...], ...]


@dataclass(frozen=True, slots=True)
class GroupJoined:
    """Parts of a split group met again (M5)."""

    names: tuple[Name, ...]
    apart: tuple[tuple[Name, ...], ...] = ()
    """The parts that are still by themselves."""


@dataclass(frozen=True, slots=True)
class Over:
    """A crisis, a challenge or a boss is over."""

    pool: Called
    ending: Ending


@dataclass(frozen=True, slots=True)
class OrderEnded:
    """The turn order ended."""


@dataclass(frozen=True, slots=True)
class TurnCame:
    """It is somebody's turn (L2); nobody's yet where `who` is empty, and `by` names the first.

    `of` is the challenge, none for the turn order; `limit` is after how many rounds it is lost, 0 for never.
    """

    who: Name
    of: Called | None
    round: int
    by: Name = ""
    limit: int = 0


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Somebody has no turn in this round, of a challenge or of the turn order (L2)."""

    who: Name
    of: Called | None
    round: int


@dataclass(frozen=True, slots=True)
class ActsAgainst:
    """A challenge acts against somebody, who rolls first (L4)."""

    of: Called
    who: Name


@dataclass(frozen=True, slots=True)
class HeroDiceChanged:
    """Somebody's hero dice came to be that row of sizes by one die (Z1, Z2)."""

    who: Name
    after: tuple[int, ...]
    change: Change
    die: int


@dataclass(frozen=True, slots=True)
class Contested:
    """A contest goes on: whose answer it waits for, and against whom (T4)."""

    waiting: Name
    leader: Name
    total: int


@dataclass(frozen=True, slots=True)
class ContestWon:
    """A side of a contest has won it, as the other side's roll stands (T4)."""

    who: Name


@dataclass(frozen=True, slots=True)
class GaveIn:
    """A side of a contest gave in, so that the other has won (T4)."""

    who: Name
    winner: Name


@dataclass(frozen=True, slots=True)
class ContestGoesOn:
    """A contest outlives its scene (T4)."""

    sides: tuple[Name, Name]
    waiting: Name


@dataclass(frozen=True, slots=True)
class ResourceUsed:
    """A resource was used, or is there again where it is not `spent` (C2)."""

    who: Name
    label: Label
    die: int
    spent: bool


@dataclass(frozen=True, slots=True)
class XpChanged:
    """Somebody's experience points changed."""

    who: Name
    before: int
    after: int
    why: Note = ""


@dataclass(frozen=True, slots=True)
class SfxChanged:
    """Somebody has an SFX or a limit, or has it no more where it `is_gone` (X1); `was` is what it was."""

    who: Name
    sfx: Sfx
    is_gone: bool = False
    was: Sfx | None = None


@dataclass(frozen=True, slots=True)
class PoolKept:
    """Somebody keeps a pool by name, or no more where it `is_gone`; `was` is what the name meant before."""

    who: Name
    pool: KeptPool
    is_gone: bool = False
    was: KeptPool | None = None


@dataclass(frozen=True, slots=True)
class SfxUsed:
    """Somebody used an SFX, and the die that it was used on (X1)."""

    who: Name
    sfx: Sfx
    on: Label = ""


@dataclass(frozen=True, slots=True)
class TraitShut:
    """A trait was shut down, or works again where it is not `shut` (X1)."""

    who: Name
    label: Label
    die: int
    shut: bool


@dataclass(frozen=True, slots=True)
class NamedPoolChanged:
    """A named pool is another; without dice it is gone. `dice` are those that changed."""

    pool: NamedPool
    change: Change
    dice: tuple[Die, ...] = ()


@dataclass(frozen=True, slots=True)
class SheetChanged:
    """Somebody's sheet was edited as a whole."""

    who: Name


@dataclass(frozen=True, slots=True)
class PortraitChanged:
    """Somebody has another portrait, or none any more where it `is_gone`."""

    who: Name
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class Imported:
    """A table came from a file, with these characters at it."""

    what: Label
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class StepsLost:
    """So many steps up to that number cannot be read any more, and what they did is not on the table."""

    number: int
    count: int


@dataclass(frozen=True, slots=True)
class OreClosed:
    """A new round of a One-Roll game: the rolls of these are closed."""

    who: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class RollBought:
    """Something was bought for a roll that only the story shows."""

    who: Name
    why: Why


@dataclass(frozen=True, slots=True)
class RollBettered:
    """The GM's dice in a roll have one more for the total or the effect (M4).

    `is_against` where they are against the roll, which is somebody's.
    """

    who: Name
    use: Use
    is_against: bool


@dataclass(frozen=True, slots=True)
class DiceJoined:
    """Dice of the GM joined a roll, or what is against it where it `is_against` (M4)."""

    who: Name
    dice: tuple[int, ...]
    is_against: bool


@dataclass(frozen=True, slots=True)
class DiceTakenOut:
    """Dice were taken out of a roll (D4, D8)."""

    who: Name
    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class DiceRerolled:
    """Dice of a roll were rolled again: each die, and what it showed before (D4, D8)."""

    who: Name
    dice: tuple[Die, ...]
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HeroDieUsed:
    """A hero die was used on a roll, beside its total or as its effect die (Z2)."""

    who: Name
    die: int
    as_effect: bool


@dataclass(frozen=True, slots=True)
class OpportunityUsed:
    """An opportunity of a roll was used by an SFX (H3)."""

    who: Name
    sfx: Label


@dataclass(frozen=True, slots=True)
class VerdictChanged:
    """A roll comes to something else, since what it was against has changed (M4, R8)."""

    who: Name
    now: Verdict


@dataclass(frozen=True, slots=True)
class OppositionChanged:
    """The GM put right what opposes a roll: a number or dice, and what else is in the way (T3)."""

    who: Name
    what: Label
    plus: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class RollStood:
    """The GM let a roll of somebody who is taken out stand; `waiting` is who answers it in a contest (C4)."""

    who: Name
    waiting: Name = ""


@dataclass(frozen=True, slots=True)
class BoundaryChanged:
    """The table has a line or a veil, or has it no more where it `is_gone`; never by whom."""

    kind: Boundary
    what: Note
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """What an old step said, in the words of its time."""

    text: Note


@dataclass(frozen=True, slots=True)
class Illegible:
    """Something that this version cannot read: its kind, if it says one, and what is kept there, as JSON.

    It is never kept as such: what was there is written back as it was.
    """

    kind: Label
    kept: Note = "null"


ON_A_ROLL = (
    RollBought,
    RollBettered,
    DiceJoined,
    DiceTakenOut,
    DiceRerolled,
    HeroDieUsed,
    OpportunityUsed,
    VerdictChanged,
    OppositionChanged,
)
"""The facts that say what was done to a roll, told beside it as it is then."""

_Event = (
    PoolChanged
    | PointsChanged
    | TraitChanged
    | TakenOut
    | BackIn
    | Began
    | Ended
    | Noted
    | Titled
    | Planned
    | CalledOff
    | Replied
    | Seated
    | Moved
    | SettingChanged
    | SettingsKept
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
    | SheetChanged
    | PortraitChanged
    | Imported
    | StepsLost
    | OreClosed
    | RollBought
    | RollBettered
    | DiceJoined
    | DiceTakenOut
    | DiceRerolled
    | HeroDieUsed
    | OpportunityUsed
    | VerdictChanged
    | OppositionChanged
    | RollStood
    | BoundaryChanged
    | Line
    | Illegible
)
Event = Annotated[_Event, ByKind()]
"""A fact that holds no roll, so that a roll can hold it."""
