"""What lies on a table of Cortex: rolls and their dice, crises, challenges, contests, turns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.cortex.state.kinds import Kind, Target
from rules.cortex.state.pool import NEW, Source, Special
from rules.cortex.state.ruleset import EffectBy, NoDieLeft
from rules.fact import Event
from rules.limits import Count, DiceBySize, Signed, Size
from rules.texts import Label


@dataclass(frozen=True, slots=True)
class Modifier:
    """A number that is added to a total, with what it is for (N13)."""

    number: Signed
    label: Label = ""


@dataclass(frozen=True, slots=True)
class RolledDie:
    """A die on the table after a roll."""

    size: Size
    face: int
    label: str = ""
    source: Source = NEW
    removed: bool = False
    """It counts for nothing (D8)."""
    used: bool = False
    """A 1 that has been activated (H1, H2)."""
    beside: bool = False
    """A hero die beside the kept ones: it always counts in the total (Z2)."""
    low: Count = 1
    """The highest of its faces that is a hitch (N14)."""
    safe: bool = False
    """Its hitch counts nowhere and cannot be bought (N14)."""
    apart: bool = False
    """A resource's die, rolled beside the pool: the highest of each is added to the total (N22)."""

    @property
    def is_handed(self) -> bool:
        """A hitch that an SFX handed over: a d6 that nobody rolled and that shows a 1 (H3)."""
        return self.source.kind is Special.HANDED

    @property
    def is_usable(self) -> bool:
        """Rolled, not a 1, not removed, and not counted already (R1, R2)."""
        return self.face > self.low and not (self.removed or self.beside or self.apart)

    @property
    def is_counted(self) -> bool:
        """A hero die that counts in the total (Z2)."""
        return self.beside and self.face > self.low and not self.removed

    @property
    def is_one(self) -> bool:
        """A hitch or an opportunity (R2)."""
        return self.face <= self.low and not (self.removed or self.safe or self.apart)


@dataclass(frozen=True, slots=True)
class Hand:
    """Dice that were rolled together, and which of them count."""

    dice: tuple[RolledDie, ...]
    keep: Count = 2
    """How many results the total may use (R1)."""
    effects_bought: Count = 0
    """How many effect dice beyond the first were paid for (R3)."""
    total: tuple[int, ...] = ()
    """The places in `dice` of those in the total."""
    effects: tuple[int, ...] = ()
    """The places in `dice` of the effect dice."""
    chosen: bool = False
    """Somebody chose these; else they are the recommended ones."""
    hero: int = 0
    """The size of a hero die taken as the effect die; 0 for none (Z2)."""
    least: int = 2
    """The total has so many results, while so many are usable."""
    raised: Count = 0
    """How many steps of the effect SFX give, beside those of R7 (X1)."""
    plus: tuple[Modifier, ...] = ()
    """What is added to the total beside dice (N13)."""
    by: EffectBy = EffectBy.DIE
    """How its effect is found (N10)."""
    no_die: NoDieLeft = NoDieLeft.D4
    """Its effect where no die is left for it (R3, N10)."""
    has_apart: bool = False
    """Some of its dice are of resources that are rolled beside the pool (N22)."""
    again: tuple[int, ...] = ()
    """The faces of its dice when they were rolled again for the effect, 0 for one that was not (N10)."""

    @property
    def low(self) -> int:
        """The highest face of its dice that is a hitch (N14)."""
        return self.dice[0].low if self.dice else 1


@dataclass(frozen=True, slots=True)
class Against:
    """What a roll has to beat: a number, or dice that were rolled (T1, T2)."""

    label: str
    number: int = 0
    """A static difficulty, what is in the way included (T3)."""
    hand: Hand | None = None
    """The dice that were rolled; None for a static difficulty."""
    plus: tuple[str, ...] = ()
    """The names of what is in the way."""
    roll: int = 0
    """The number of the roll that it is; 0 for dice rolled for this alone."""
    target: Target | None = None
    """What those dice are of."""
    acts: bool = False
    """The dice act and have to beat the roll, which is the reaction (T6, L4)."""
    modifiers: tuple[Modifier, ...] = ()
    """What is in `number` besides, where that is a static difficulty (N13)."""
    helps: tuple[str, ...] = ()
    """The names of what was named and stands in nobody's way, since it helps (N2, N3)."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """The trait that a roll tries to lose (T5)."""

    owner: str
    """The key of whose trait it is."""
    kind: Kind
    trait: str
    """Its key."""
    said: str = ""
    """Its owner and label, for when it is gone."""


class Closes(StrEnum):
    """What happens to a trait when a roll with its die closes."""

    GOES = "goes"
    """A d4 that has helped its owner (N2)."""
    STEPS_UP = "steps up"
    """Trouble that was pushed (N3)."""
    STEPS_DOWN = "steps down"
    """A trait that was challenged (N7)."""


@dataclass(frozen=True, slots=True)
class Closing:
    """What is to happen when a roll closes, to whose trait: its owner is a key. It is `done` once."""

    does: Closes
    owner: str
    kind: Kind
    label: Label
    done: bool = False


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll on the table."""

    number: int
    """The step that made it."""
    player: int
    """The Discord id of who rolled."""
    who: str
    """The name they rolled as."""
    hand: Hand
    gm: bool = False
    """A roll of the GM, whose 1s are opportunities."""
    against: Against | None = None
    recovery: Recovery | None = None
    ruled: int = 0
    """The step whose settings it has; 0 for the one that made it."""
    note: str = ""
    applied: tuple[int, ...] = ()
    """The places of effect dice already used."""
    bought: tuple[str, ...] = ()
    """The ways in which its hitches were bought."""
    limits_paid: Count = 0
    """How many dice past the usual pool were paid for."""
    rerolls: Count = 0
    """How often dice of it were rolled again."""
    on: tuple[str, ...] = ()
    """The names of those whom it concerns alone."""
    after: Mapping[int, tuple[Event, ...]] = field(default_factory=dict)
    """What followed from it, by step."""
    doers: Mapping[str, str] = field(default_factory=dict)
    """Who last bought its hitches, used its opportunities, opposed it, used its effect, let it stand."""
    target: Target | None = None
    """What the GM rolled for."""
    struck: tuple[int, ...] = ()
    """The sizes of dice that its effects left (K3)."""
    outs: Count = 0
    """How many steps past d12 took somebody out, or a die of d12 away (R7, K3)."""
    contest: int = 0
    """The number of the contest that it belongs to; 0 for none (T4)."""
    answered: bool = False
    """The other side of the contest has rolled against it."""
    banked: bool = False
    """Its hero die is banked (Z1)."""
    sfx: tuple[str, ...] = ()
    """The names of SFX used on it after it was made (X1)."""
    steps_to: tuple[int, ...] = ()
    """How many steps of R7 go to each effect die, where the roller has picked that (R3)."""
    returned: tuple[int, ...] = ()
    """The places of dice that have gone back to doom (D4)."""
    out: bool = False
    """Whoever made it was taken out then (C4)."""
    margin: Count = 5
    """By so much a total is higher where it is heroic; each further time it steps up the effect (R7)."""
    closing: tuple[Closing, ...] = ()
    """What happens when it closes (N2, N3, N7)."""
    turn: str = ""
    """The name of whose turn it was, where it was made out of turn and the GM has not let it stand (L2)."""


@dataclass(frozen=True, slots=True)
class Order:
    """Whose turn it is, handed from one to the next (L2). Everybody is named by the key of a character."""

    turn: str = ""
    """Whose turn it is."""
    acted: tuple[str, ...] = ()
    """Who has had theirs in this round."""
    absent: tuple[str, ...] = ()
    """Who is passed over."""
    last: str = ""
    """Who acted last in the round before, and names the first of this one."""
    round: Count = 1


@dataclass(frozen=True, slots=True)
class Crisis:
    """A pool of the GM for one local trouble: so many dice of each size (K1)."""

    name: str
    dice: DiceBySize


@dataclass(frozen=True, slots=True)
class Challenge:
    """A trouble that takes rounds (L1)."""

    name: str
    dice: DiceBySize
    """How many of each size."""
    order: Order = Order()
    """Whose turn it is."""
    rounds: Count = 0
    """After so many rounds it is lost; 0 for no limit."""
    against: str = ""
    """The key of whom it acts against and who has not rolled yet (L4)."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Two sides that roll against each other until one fails or gives in (T4)."""

    sides: tuple[str, str]
    """The sides' names, the initiator's first."""
    leader: int
    """The place of the side whose roll stands."""
    roll: int
    """The number of that roll."""
    hand: Hand
    """Its dice."""
    note: str = ""
    exchanges: Count = 1
    """How many rolls there were."""
    closing: int = 0
    """The number of the roll that failed; 0 while none has."""
    beaten: Hand | None = None
    """The dice that the leader beat, if any."""

    @property
    def waiting(self) -> str:
        """The name of the side that is to answer."""
        return self.sides[1 - self.leader]
