"""Facts: what a rule did, for others to put into words."""

from dataclasses import dataclass

from rules.cortex.table import Kind, Roll, Table, Trait
from rules.ore.sets import OreRoll


@dataclass(frozen=True, slots=True)
class RollMade:
    """Dice were rolled."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class RollChanged:
    """A roll on the table was changed; `how` says by what, nothing where the roll shows it itself."""

    roll: Roll
    how: str = ""


@dataclass(frozen=True, slots=True)
class PoolChanged:
    """A pool of the GM changed from one row of sizes to another; a challenge's is in a `round`."""

    name: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    how: str
    why: str = ""
    round: int = 0


@dataclass(frozen=True, slots=True)
class PointsChanged:
    """Somebody's plot points changed."""

    who: str
    before: int
    after: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class TraitChanged:
    """A trait came (`before` is None), went (`after` is None), or changed its rating."""

    owner: str
    kind: Kind
    before: Trait | None
    after: Trait | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class TakenOut:
    """A trait stepped up past d12 took its owner out (C4)."""

    who: str
    by: str


@dataclass(frozen=True, slots=True)
class BackIn:
    """Nothing takes them out any longer (C4)."""

    who: str
    paid: bool = False


@dataclass(frozen=True, slots=True)
class Began:
    """A session, an act or a scene began."""

    what: str
    name: str


@dataclass(frozen=True, slots=True)
class Ended:
    """A session, an act or a scene ended; `closed` are those whose rolls can no longer be changed."""

    what: str
    name: str
    closed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody took a seat, or left one, at the table."""

    who: str
    how: str


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """A setting of the campaign has another value."""

    setting: str
    value: str


@dataclass(frozen=True, slots=True)
class Told:
    """A GM's use of dice that only the story shows: a group split, an SFX, a pool swept away."""

    what: str


@dataclass(frozen=True, slots=True)
class Over:
    """A crisis, challenge, boss or contest is over: `Crisis Fire` `is resolved`."""

    what: str
    how: str


@dataclass(frozen=True, slots=True)
class TurnCame:
    """It is somebody's turn (L2); nobody's yet where `who` is empty, and `by` names the first.

    `limit` is after how many rounds a challenge is lost, 0 for never.
    """

    who: str
    of: str
    round: int
    by: str = ""
    limit: int = 0


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Somebody has no turn in this round, of a challenge or of the turn order (L2)."""

    who: str
    of: str
    round: int


@dataclass(frozen=True, slots=True)
class ActsAgainst:
    """A challenge acts against somebody, who rolls first (L4)."""

    of: str
    who: str


@dataclass(frozen=True, slots=True)
class HeroDiceChanged:
    """Somebody's hero dice changed from one row of sizes to another (Z1, Z2)."""

    who: str
    after: tuple[int, ...]
    how: str


@dataclass(frozen=True, slots=True)
class ContestWon:
    """A side of a contest has won it, as the other side's roll stands (T4)."""

    who: str


@dataclass(frozen=True, slots=True)
class ResourceUsed:
    """A resource was used, or is there again where it is not `spent` (C2)."""

    who: str
    label: str
    die: int
    spent: bool


@dataclass(frozen=True, slots=True)
class SfxChanged:
    """Somebody has an SFX or a limit, or has it no more where it `is_gone` (X1); all in words.

    `was` is what it did before, where it is replaced.
    """

    who: str
    sfx: str
    is_gone: bool = False
    was: str = ""


@dataclass(frozen=True, slots=True)
class SfxUsed:
    """Somebody used an SFX: its name, what it does in words, and the die that it was used on (X1)."""

    who: str
    name: str
    sfx: str
    on: str = ""


@dataclass(frozen=True, slots=True)
class TraitShut:
    """A trait was shut down, or works again where it is not `shut` (X1)."""

    who: str
    label: str
    die: int
    shut: bool


@dataclass(frozen=True, slots=True)
class XpChanged:
    """Somebody's experience points changed."""

    who: str
    before: int
    after: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class NamedPoolChanged:
    """A named pool has other dice; `dice` is the pool as it is written, `empty` when it is gone."""

    name: str
    dice: str
    how: str


@dataclass(frozen=True, slots=True)
class SheetChanged:
    """Somebody's sheet was edited as a whole."""

    who: str


@dataclass(frozen=True, slots=True)
class Imported:
    """A table came from a file, with these characters at it."""

    what: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contested:
    """A contest goes on: whose answer it waits for, and against whom (T4)."""

    waiting: str
    leader: str
    total: int


@dataclass(frozen=True, slots=True)
class OreRolled:
    """Dice of a One-Roll game were rolled (O1, O2, O4, O5)."""

    roll: OreRoll


@dataclass(frozen=True, slots=True)
class OreChanged:
    """A One-Roll roll was changed by its roller; `how` says by what."""

    roll: OreRoll
    how: str


@dataclass(frozen=True, slots=True)
class OreGobbled:
    """Dice of one's set spoiled dice of somebody's set; `after` is what is left of it, if it is one still.

    `roll` is the roll that gobbled, `player` who rolled the spoiled set.
    """

    roll: OreRoll
    own: str
    whose: str
    spoiled: str
    count: int
    after: str
    player: int


Fact = (
    RollMade
    | RollChanged
    | PoolChanged
    | PointsChanged
    | TraitChanged
    | TakenOut
    | BackIn
    | Began
    | Ended
    | Seated
    | SettingChanged
    | Told
    | Over
    | TurnCame
    | PassedOver
    | ActsAgainst
    | HeroDiceChanged
    | Contested
    | ContestWon
    | NamedPoolChanged
    | SheetChanged
    | ResourceUsed
    | XpChanged
    | SfxChanged
    | SfxUsed
    | TraitShut
    | OreRolled
    | OreChanged
    | OreGobbled
    | Imported
)


@dataclass(frozen=True, slots=True)
class Step:
    """What a rule makes of a table: the next table, and the facts between the two."""

    table: Table
    facts: tuple[Fact, ...]

    def then(self, other: "Step") -> "Step":
        """Both steps as one; `other` was made from this one's table."""
        return Step(other.table, self.facts + other.facts)
