"""What facts of Cortex are said with: closed sets of reasons, changes and endings."""

from dataclasses import dataclass
from enum import StrEnum

from rules.cortex.state.kinds import Foe, Use
from rules.fact import Named
from rules.names import remark
from rules.texts import Label, Name, Note


class Cause(StrEnum):
    """Why plot points, dice or a trait changed."""

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


@dataclass(frozen=True, slots=True)
class Why:
    """Why something changed: a cause, the name or label that goes with it, dice, and what doom did."""

    cause: Cause
    what: Label = ""
    dice: tuple[int, ...] = ()
    use: Use | None = None
    note: Note = ""


def noted(why: str) -> Why | None:
    """Why somebody did something by hand, as they typed it; none where they did not say."""
    said = remark(why)
    return Why(Cause.NOTE, note=said) if said else None


class Change(StrEnum):
    """What was done to dice of a pool."""

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


@dataclass(frozen=True, slots=True)
class Called(Named):
    """A pool of the GM as it is called: doom, a crisis, a challenge or a GMC by name."""

    foe: Foe
    name: Name = ""


class Ending(StrEnum):
    """How a crisis, a challenge or a boss is over."""

    ENDED = "ended"
    RESOLVED = "resolved"
    WON = "won"
    LOST = "lost"
    DEFEATED = "defeated"
