"""Facts of Cortex, each with the tag under which it is stored."""

from enum import StrEnum

from rules.cortex.kinds import Ending, Foe, KeptPool, Rank, Sfx, Trait, TraitKind, Use, Verdict
from rules.cortex.model import CORTEX, Roll
from rules.cortex.pool import Die, NamedPool
from rules.facts import Event, Fact, FactKinds, Named, Told
from rules.game import Step
from rules.names import Label, Name, Note, remark
from rules.values import Value, replace

CORTEX_FACTS = FactKinds()
"""The facts of Cortex."""


class Cause(StrEnum):
    """The reason why plot points, dice or a trait changed."""

    NOTE = "note"
    HITCH = "hitch"
    OPPORTUNITY = "opportunity"
    HINDRANCE = "hindrance"
    GIVING_IN = "giving in"
    DOOM_KEPT = "doom kept"
    DOOM_USE = "doom use"
    SESSION_START = "session start"
    ARC_END = "arc end"
    STAYING_IN = "staying in"
    TOTAL = "total"
    EFFECT = "effect"
    LIMIT = "limit"
    REROLL = "reroll"
    HERO_DIE = "hero die"
    HERO_BACK = "hero die back"
    GMC_SFX = "gmc sfx"
    SFX = "sfx"
    ASSET = "asset"
    ELSEWHERE = "elsewhere"
    LENT = "lent"
    HIT = "hit"
    HELP = "help"
    PUSH = "push"
    CHALLENGE = "challenge"


class Why(Value):
    """Why something changed: a cause, with the name or label, the dice and the doom use that belong to it."""

    cause: Cause
    what: Label = ""
    dice: tuple[int, ...] = ()
    use: Use | None = None
    note: Note = ""


def note_why(why: str) -> Why | None:
    """Return the reason that somebody typed for a change made by hand; None if they gave none.

    >>> note_why("a lucky find").note
    'a lucky find'
    >>> note_why("  ") is None
    True
    """
    said = remark(why)
    return Why(Cause.NOTE, note=said) if said else None


class Change(StrEnum):
    """What was done to a pool's dice."""

    NEW = "new"
    ENTERED = "entered"
    ADDED = "added"
    REMOVED = "removed"
    SPENT = "spent"
    KEPT = "kept"
    TO_CRISIS = "to crisis"
    TO_POOL = "to pool"
    KNOCKED_OFF = "knocked off"
    STEPPED_UP = "stepped up"
    STEPPED_DOWN = "stepped down"
    DOUBLED = "doubled"
    SET = "set"
    CLEARED = "cleared"
    USED = "used"
    SHARED = "shared"
    OPPOSED = "opposed"
    UNEARNED = "unearned"
    STAYS_SPENT = "stays spent"


class Called(Value, Named):
    """The name of a GM pool: doom, or a crisis, challenge or GMC by name."""

    foe: Foe
    name: Name = ""


@CORTEX_FACTS.kind(was="RollBought")
class RollBought(Event, tag="roll bought"):
    """Something was bought for a roll that has no effect except in the story."""

    who: Name
    why: Why


@CORTEX_FACTS.kind(was="RollBettered")
class RollBettered(Event, tag="roll bettered"):
    """The GM's dice in a roll keep one more die for the total or the effect (M4).

    `is_against` is True if those dice oppose somebody's roll.
    """

    who: Name
    use: Use
    is_against: bool


@CORTEX_FACTS.kind(was="DiceJoined")
class DiceJoined(Event, tag="dice joined"):
    """Dice of the GM joined a roll, or its opposition if `is_against` (M4)."""

    who: Name
    dice: tuple[int, ...]
    is_against: bool


@CORTEX_FACTS.kind(was="DiceTakenOut")
class DiceTakenOut(Event, tag="dice taken out"):
    """Dice were taken out of a roll (D4, D8)."""

    who: Name
    dice: tuple[Die, ...]


@CORTEX_FACTS.kind(was="DiceRerolled")
class DiceRerolled(Event, tag="dice rerolled"):
    """Dice of a roll were rerolled: each die, and the face it showed before (D4, D8)."""

    who: Name
    dice: tuple[Die, ...]
    faces: tuple[int, ...]


@CORTEX_FACTS.kind(was="EffectRolled")
class EffectRolled(Event, tag="effect rolled"):
    """The dice of a roll were rolled again for its effect: each die and its new face (N10)."""

    who: Name
    dice: tuple[Die, ...]
    faces: tuple[int, ...]


@CORTEX_FACTS.kind(was="HeroDieUsed")
class HeroDieUsed(Event, tag="hero die"):
    """A hero die was added to a roll's total, or used as its effect die (Z2)."""

    who: Name
    die: int
    as_effect: bool


@CORTEX_FACTS.kind(was="OpportunityUsed")
class OpportunityUsed(Event, tag="opportunity"):
    """An SFX used an opportunity of a roll (H3)."""

    who: Name
    sfx: Label


@CORTEX_FACTS.kind(was="VerdictChanged")
class VerdictChanged(Event, tag="verdict"):
    """A roll has another verdict, because what opposes it changed (M4, R8)."""

    who: Name
    now: Verdict


@CORTEX_FACTS.kind(was="OppositionChanged")
class OppositionChanged(Event, tag="opposition"):
    """The GM corrected what opposes a roll: a number or dice, and what else is in the way (T3)."""

    who: Name
    what: Label
    plus: tuple[Label, ...] = ()


class Ruled(Value):
    """What tells a roll that the GM ruled on from others of its roller: its number, total and aim.

    `recovers` is the trait that it tries to lose, `against` the other side of its contest.
    """

    roll: int
    total: int
    recovers: Label = ""
    against: Name = ""


@CORTEX_FACTS.kind(was="RollStood")
class RollStood(Event, tag="roll stood"):
    """The GM let a roll stand that was made out of turn or by somebody taken out (C4, L2).

    `waiting` is the name of the person who has to answer it. `ruled` is None for a roll out of turn.
    """

    who: Name
    waiting: Name = ""
    ruled: Ruled | None = None


@CORTEX_FACTS.kind()
class RollDropped(Event, tag="roll dropped"):
    """The GM dropped the roll of somebody taken out as its scene ended, so it did nothing (C4)."""

    who: Name
    roll: int
    ruled: Ruled | None = None


@CORTEX_FACTS.kind(was="PoolChanged")
class PoolChanged(Event, tag="pool"):
    """A pool of the GM changed from the sizes `before` to the sizes `after`.

    `dice` are the dice that changed, by `steps` steps. `round` is the round of a challenge, and `rank`
    the kind of a GMC that entered.
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


@CORTEX_FACTS.kind(was="PointsChanged")
class PointsChanged(Event, tag="points"):
    """Somebody's plot points changed."""

    who: Name
    before: int
    after: int
    why: Why | None = None


@CORTEX_FACTS.kind(was="TraitChanged")
class TraitChanged(Event, tag="trait"):
    """A trait was added (`before` is None), removed (`after` is None), or changed its rating."""

    owner: Name
    kind: TraitKind
    before: Trait | None
    after: Trait | None
    why: Why | None = None


@CORTEX_FACTS.kind()
class StatementSettled(Event, tag="statement"):
    """A challenged trait got a new statement and its old rating back, or stays as it is (N7)."""

    owner: Name
    kind: TraitKind
    before: Trait
    after: Trait


@CORTEX_FACTS.kind(was="TakenOut")
class TakenOut(Event, tag="taken out"):
    """A trait stepped up past d12 took its owner out (C4), for good if trauma never heals (N4)."""

    who: Name
    by: Label
    kind: TraitKind
    for_good: bool = False
    is_gmc: bool = False


@CORTEX_FACTS.kind(was="BackIn")
class BackIn(Event, tag="back in"):
    """Somebody is no longer taken out (C4)."""

    who: Name
    paid: bool = False


@CORTEX_FACTS.kind(was="GmUsed")
class GmUsed(Event, tag="gm used"):
    """The GM used something that is free here, or that has no effect except in the story."""

    why: Why


@CORTEX_FACTS.kind(was="SceneCut")
class SceneCut(Event, tag="scene cut"):
    """The GM spent doom dice to end the scene; `how` says how it ends (M5)."""

    how: Note


@CORTEX_FACTS.kind(was="GroupSplit")
class GroupSplit(Event, tag="group split"):
    """The group was split until the scene ends (M5)."""

    groups: tuple[tuple[Name, ...], ...]


@CORTEX_FACTS.kind(was="GroupJoined")
class GroupJoined(Event, tag="group joined"):
    """Parts of a split group were reunited (M5)."""

    names: tuple[Name, ...]
    apart: tuple[tuple[Name, ...], ...] = ()
    """The parts that are still by themselves."""


@CORTEX_FACTS.kind(was="Over")
class Over(Event, tag="over"):
    """A crisis, a challenge or a boss has ended; `by` is who took its last die with a roll, if anybody."""

    pool: Called
    ending: Ending
    by: Name = ""


@CORTEX_FACTS.kind(was="OrderEnded")
class OrderEnded(Event, tag="order ended"):
    """The turn order ended."""


@CORTEX_FACTS.kind(was="TurnCame")
class TurnCame(Event, tag="turn"):
    """It is somebody's turn (L2); if `who` is empty it is nobody's yet, and `by` names who goes first.

    `of` is the challenge, or None for the turn order. `limit` is the round after which the challenge is
    lost, 0 for never.
    """

    who: Name
    of: Called | None
    round: int
    by: Name = ""
    limit: int = 0


@CORTEX_FACTS.kind(was="PassedOver")
class PassedOver(Event, tag="passed over"):
    """Somebody is skipped in this round of a challenge or of the turn order (L2)."""

    who: Name
    of: Called | None
    round: int


@CORTEX_FACTS.kind(was="ActsAgainst")
class ActsAgainst(Event, tag="acts against"):
    """A challenge acts against somebody, who has to roll first (L4)."""

    of: Called
    who: Name


@CORTEX_FACTS.kind(was="HeroDiceChanged")
class HeroDiceChanged(Event, tag="hero dice"):
    """Somebody gained or lost one hero die; `after` are the sizes they have now (Z1, Z2)."""

    who: Name
    after: tuple[int, ...]
    change: Change
    die: int


@CORTEX_FACTS.kind(was="Contested")
class Contested(Event, tag="contested"):
    """A contest goes on: `waiting` has to answer the total of `leader` (T4)."""

    waiting: Name
    leader: Name
    total: int


@CORTEX_FACTS.kind(was="ContestWon")
class ContestWon(Event, tag="contest won"):
    """One side has won a contest, as the other side's roll stands (T4); `note` is what it was about."""

    who: Name
    against: Name = ""
    note: Note = ""


@CORTEX_FACTS.kind(was="GaveIn")
class GaveIn(Event, tag="gave in"):
    """One side of a contest gave in, so the other has won (T4)."""

    who: Name
    winner: Name
    note: Note = ""


@CORTEX_FACTS.kind(was="ContestGoesOn")
class ContestGoesOn(Event, tag="contest goes on"):
    """A contest continues after its scene has ended (T4)."""

    sides: tuple[Name, Name]
    waiting: Name


@CORTEX_FACTS.kind(was="ResourceUsed")
class ResourceUsed(Event, tag="resource"):
    """A resource was used, or is available again if not `spent` (C2)."""

    who: Name
    label: Label
    die: int
    spent: bool
    more: tuple[int, ...] = ()
    """Its further dice (N21)."""


@CORTEX_FACTS.kind(was="SfxChanged")
class SfxChanged(Event, tag="sfx"):
    """Somebody gained or changed an SFX or a limit, or lost it if `is_gone` (X1); `was` is the old one."""

    who: Name
    sfx: Sfx
    is_gone: bool = False
    was: Sfx | None = None


@CORTEX_FACTS.kind(was="PoolKept")
class PoolKept(Event, tag="pool kept"):
    """Somebody saved a pool by name, or removed it if `is_gone`; `was` is what the name meant before."""

    who: Name
    pool: KeptPool
    is_gone: bool = False
    was: KeptPool | None = None


@CORTEX_FACTS.kind(was="SfxUsed")
class SfxUsed(Event, tag="sfx used"):
    """Somebody used an SFX; `on` is the die it was used on (X1)."""

    who: Name
    sfx: Sfx
    on: Label = ""


@CORTEX_FACTS.kind(was="TraitShut")
class TraitShut(Event, tag="shut"):
    """A trait was shut down, or works again if not `shut` (X1)."""

    who: Name
    label: Label
    die: int
    shut: bool


@CORTEX_FACTS.kind(was="NamedPoolChanged")
class NamedPoolChanged(Event, tag="named pool"):
    """A named pool changed; without dice it is gone. `dice` are those that changed."""

    pool: NamedPool
    change: Change
    dice: tuple[Die, ...] = ()


@CORTEX_FACTS.kind(was="RollMade")
class RollMade(Told, tag="roll"):
    """Dice were rolled."""

    roll: Roll
    effects: tuple[int, ...] | None = None
    """The sizes of the roller's own effect that is told, after R7's steps; None where that was not kept."""


@CORTEX_FACTS.kind(was="RollChanged")
class RollChanged(Told, tag="roll changed"):
    """A roll on the table changed to what it is here; another fact may say why."""

    roll: Roll
    effects: tuple[int, ...] | None = None


@CORTEX_FACTS.kind(was="HiddenRolled", is_secret=True)
class HiddenRolled(Told, tag="hidden roll"):
    """Dice were rolled in secret (R9)."""

    roll: Roll
    effects: tuple[int, ...] | None = None


@CORTEX_FACTS.kind(was="HiddenDropped", is_secret=True)
class HiddenDropped(Told, tag="hidden dropped"):
    """A roll that was made in secret was dropped without being revealed (R9)."""

    roll: Roll


_NOT_NOTED = (Contested, ContestWon, RollStood, OppositionChanged)
"""Facts that the roll says itself, for as long as they stand."""


def with_consequences(step: Step) -> Step:
    """Return a step with its consequences noted on the rolls that it changed, for storage.

    Who has to answer in a contest, and who has won it, is not noted: the roll shows that itself while it
    stands. The rolls in the step's facts have no consequences, since other steps hold those.
    """
    table = step.table
    after = tuple(fact for fact in step.facts if isinstance(fact, Event) and not isinstance(fact, _NOT_NOTED))
    facts = list[Fact]()
    for fact in step.facts:
        if not isinstance(fact, RollMade | RollChanged):
            facts.append(fact)
            continue
        here = CORTEX.of(table)
        if after and fact.roll.number in here.rolls:
            roll = here.rolls[fact.roll.number]
            # The number that this step is going to have.
            fresh = replace(roll, after={**roll.after, table.number + 1: after})
            table = CORTEX.put(table, replace(here, rolls={**here.rolls, roll.number: fresh}))
        facts.append(replace(fact, roll=replace(fact.roll, after={})) if fact.roll.after else fact)
    return Step(table, tuple(facts))
