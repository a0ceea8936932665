"""The state of a Cortex table and its characters: rolls, crises, challenges, contests, turns.

A character has no fields for everything that a sheet file of another program says: tags, layout, a
description in HTML. So the file is stored as it was read, without pictures and empty parts. An
export starts from it and changes what has changed here. It is one text that belongs to its
character, so undo, files, renaming and removing need not know about it. A step that changes the
character stores it once more, compressed.
"""

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Annotated, Any

from msgspec import field

from rules.cortex.kinds import HARMFUL, KINDS, Ending, KeptPool, Rank, Sfx, Target, Trait, TraitKind
from rules.cortex.pool import NEW, Die, NamedPool, Source, Special, is_resource
from rules.cortex.ruleset import PRIME, EffectBy, HitchOn, NoDieLeft, ResourceUse, RuleChange, Ruleset
from rules.dice import SIZES, Ladder
from rules.facts import AnyEvent
from rules.names import Erasure, Label, Note, spelt
from rules.table import Character, Part, Table
from rules.values import Count, DiceBySize, DoomDice, Limit, Signed, Size, Value, replace


class Modifier(Value):
    """A number that is added to a total, and what it is for (N13)."""

    number: Signed
    label: Label = ""


class RolledDie(Value):
    """A die on the table after a roll.

    >>> RolledDie(8, 5).is_usable, RolledDie(8, 1).is_usable
    (True, False)
    >>> RolledDie(8, 1).is_one
    True
    >>> RolledDie(8, 2, low=2).is_one
    True
    >>> RolledDie(8, 1, safe=True).is_one
    False
    """

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
        """Whether it is a hitch that an SFX handed over: a d6 showing a 1 that nobody rolled (H3)."""
        return self.source.kind is Special.HANDED

    @property
    def is_usable(self) -> bool:
        """Whether it can be kept: no 1, not removed, and not counted already (R1, R2)."""
        return self.face > self.low and not (self.removed or self.beside or self.apart)

    @property
    def is_counted(self) -> bool:
        """Whether it is a hero die that counts in the total (Z2)."""
        return self.beside and self.face > self.low and not self.removed

    @property
    def is_one(self) -> bool:
        """Whether it is a hitch or an opportunity (R2)."""
        return self.face <= self.low and not (self.removed or self.safe or self.apart)


class Hand(Value):
    """Dice that were rolled together, and which of them are kept."""

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


class Against(Value):
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
    of_player: bool = False
    """The dice are a player's, on the other side of a contest, so their 1s are hitches (T4)."""


class Recovery(Value):
    """The trait that a recovery roll tries to remove (T5)."""

    owner: str
    """The key of whose trait it is."""
    kind: TraitKind
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


class Closing(Value):
    """What happens to a trait when a roll closes; `owner` is a key. Once it has happened it is `done`."""

    does: Closes
    owner: str
    kind: TraitKind
    label: Label
    done: bool = False


class Roll(Value):
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
    """The places of effect dice already used; -1, -2 and so on for steps past d12 that took somebody out."""
    bought: tuple[str, ...] = ()
    """The ways in which its hitches were bought."""
    limits_paid: Count = 0
    """How many dice past the usual pool were paid for."""
    rerolls: Count = 0
    """How often dice of it were rolled again."""
    on: tuple[str, ...] = ()
    """The names of those whom it concerns alone."""
    after: Mapping[int, tuple[AnyEvent, ...]] = field(default_factory=dict)
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
    banked_die: int = 0
    """The size of that die; 0 in rolls stored before it was kept."""
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


class TurnOrder(Value):
    """Whose turn it is, handed from one to the next (L2). People are keys of characters."""

    turn: str = ""
    """Whose turn it is."""
    acted: tuple[str, ...] = ()
    """Who has had theirs in this round."""
    absent: tuple[str, ...] = ()
    """Who is passed over."""
    last: str = ""
    """Who acted last in the round before, and names the first of this one."""
    round: Count = 1


class Crisis(Value):
    """A pool of the GM for one local trouble: how many dice of each size (K1)."""

    name: str
    dice: DiceBySize


class Challenge(Value):
    """A GM pool that is played in rounds (L1)."""

    name: str
    dice: DiceBySize
    """How many of each size."""
    order: TurnOrder = TurnOrder()
    """Whose turn it is."""
    rounds: Count = 0
    """After so many rounds it is lost; 0 for no limit."""
    against: str = ""
    """The key of whom it acts against and who has not rolled yet (L4)."""


class Contest(Value):
    """Two sides that roll against each other until one fails or gives in (T4).

    >>> Contest(("Kim", "Rex"), leader=0, roll=1, hand=Hand(())).waiting
    'Rex'
    """

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
        """The name of the side that has to answer."""
        return self.sides[1 - self.leader]


LONGEST_FILE = 1_000_000
"""A file that goes along has at most this many characters."""


MOST_TOGETHER = 2_000_000
"""The files at a table have so many together: every command there carries them."""


class Aside(Value):
    """An entry of another program's sheet that is no trait: something without a die, or a remark."""

    set: Note
    label: Note
    note: Note = ""


class Origin(Value):
    """The imported file that a character came from, as JSON, with the table's dice sizes at that time.

    `taken` says what each of its trait sets was imported as, and is empty where the set itself decides.
    """

    file: Annotated[str, Limit(has_lines=True, longest=LONGEST_FILE)]
    taken: tuple[str, ...] = ()
    sizes: tuple[Size, ...] = SIZES


def packed(form: Any) -> str:
    """Return a file's content as one line of JSON without invisible characters.

    >>> packed({"name": "Kim", "dice": [6, 8]})
    '{"name":"Kim","dice":[6,8]}'
    """
    return spelt(json.dumps(form, ensure_ascii=False, separators=(",", ":")))


def forgotten_origin(origin: Origin, who: Erasure) -> Origin:
    """Return the file without somebody's names, wherever they occur."""
    form = json.loads(origin.file)
    fresh = each_text(form, who.note)
    return origin if fresh == form else replace(origin, file=packed(fresh))


def each_text(part: Any, say: Callable[[str], str]) -> Any:
    """Return part of a file with each of its texts replaced; the keys of its objects stay.

    >>> each_text({"name": "Kim", "dice": [6, "d8"]}, str.upper)
    {'name': 'KIM', 'dice': [6, 'D8']}
    """
    if isinstance(part, str):
        return say(part)
    if isinstance(part, dict):
        return {name: each_text(each, say) for name, each in part.items()}
    return [each_text(each, say) for each in part] if isinstance(part, list) else part


LONGEST_FIRST_SHEET = 3500  # one field of a form, of 4000, with room left to type into
"""The sheet that new characters begin with has at most this many characters."""


MOST_CONTESTS = 20
"""A table has at most this many contests that go on."""


class CortexCharacter(Value):
    """The Cortex state of a character, or of the scene itself."""

    rank: Rank | None = None
    """Which kind of GMC (B1, B2)."""
    pp: int = 0
    """Plot points (P1)."""
    sheet: Mapping[str, Trait] = field(default_factory=dict)
    """The traits of their trait sets, by key."""
    pool: DiceBySize = field(default_factory=dict)
    """The dice of a boss or a mob: how many of each size (B1, B2)."""
    hero: DiceBySize = field(default_factory=dict)
    """Hero dice: how many of each size (Z1)."""
    distinctions: Mapping[str, Trait] = field(default_factory=dict)
    assets: Mapping[str, Trait] = field(default_factory=dict)
    complications: Mapping[str, Trait] = field(default_factory=dict)
    stress: Mapping[str, Trait] = field(default_factory=dict)
    trauma: Mapping[str, Trait] = field(default_factory=dict)
    resources: Mapping[str, Trait] = field(default_factory=dict)
    sfx: Mapping[str, Sfx] = field(default_factory=dict)
    kept: Mapping[str, KeptPool] = field(default_factory=dict)
    """The pools that they keep by name, by key."""
    milestones: tuple[str, ...] = ()
    asides: tuple[Aside, ...] = ()
    """What another program's sheet says beside its traits: it never joins a pool."""
    origin: Origin | None = None
    """The file that they came from, where another program wrote it."""

    def traits(self, kind: TraitKind) -> Mapping[str, Trait]:
        """Return the traits of one kind, by key."""
        held: Mapping[str, Trait] = getattr(self, KINDS[kind].held)
        return held

    def with_traits(self, kind: TraitKind, traits: Mapping[str, Trait]) -> "CortexCharacter":
        """Return the state with other traits of that kind."""
        return replace(self, **{KINDS[kind].held: traits})  # type: ignore[arg-type]

    @property
    def is_taken_out(self) -> bool:
        """Whether any trait has taken the character out (C4)."""
        return any(trait.out for kind in HARMFUL for trait in self.traits(kind).values())


class CortexTable(Value):
    """The Cortex state of a table."""

    ruleset: Ruleset = PRIME
    rule_changes: Mapping[int, RuleChange] = field(default_factory=dict)
    """What was changed in the ruleset after open rolls were made, by step."""
    first_sheet: Annotated[str, Limit(has_lines=True, longest=LONGEST_FIRST_SHEET)] = ""
    """What the sheet of a new character begins with, as it is typed (D1)."""
    doom: DoomDice = field(default_factory=dict)
    """The doom pool: how many dice of each size (M1)."""
    gm_pp: int = 0
    """The GM's plot points, where the setting says so (P1)."""
    crises: Mapping[str, Crisis] = field(default_factory=dict)
    challenges: Mapping[str, Challenge] = field(default_factory=dict)
    contests: Mapping[int, Contest] = field(default_factory=dict)
    pools: Mapping[str, NamedPool] = field(default_factory=dict)
    """Named pools, by key."""
    order: TurnOrder | None = None
    """Whose turn it is, outside a challenge."""
    split: tuple[tuple[str, ...], ...] = ()
    """The names of who is with whom, while the group is split."""
    rolls: Mapping[int, Roll] = field(default_factory=dict)
    """The rolls of the scene, by number."""
    hidden: Mapping[int, Roll] = field(default_factory=dict)
    """The rolls that the GM made in secret, by number, until they are revealed or dropped (R9)."""
    last_pools: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The pools that each person rolled last, the latest first, by Discord id; `last` takes them again."""
    over: Mapping[str, Ending] = field(default_factory=dict)
    """How the latest opponents since the scene began have ended, by the keys of their names."""


CORTEX = Part("cortex", CortexTable, CortexCharacter, Roll, has_hidden=True)
"""The game's part of a table, of a character, and its rolls."""


def ladder(table: Table) -> Ladder:
    """Return the sizes of the table's dice, each a step above the one before (N13).

    >>> ladder(Table())
    (4, 6, 8, 10, 12)
    """
    return CORTEX.of(table).ruleset.sizes


def with_traits(character: Character, kind: TraitKind, traits: Mapping[str, Trait]) -> Character:
    """Return the character with other traits of that kind."""
    return CORTEX.give(character, CORTEX.has(character).with_traits(kind, traits))


def lowest(rules: Ruleset) -> int:
    """Return the highest face that is a hitch (N14).

    >>> lowest(PRIME)
    1
    >>> lowest(replace(PRIME, hitch_on=HitchOn.TWO))
    2
    """
    return 2 if rules.hitch_on is HitchOn.TWO else 1


def landed(die: Die, face: int, rules: Ruleset) -> RolledDie:
    """Return a die of a pool with the face that it shows, by the table's settings.

    >>> landed(Die(8, "Strong"), 5, PRIME).label
    'Strong'
    """
    is_apart = rules.resources is ResourceUse.APART and is_resource(die)
    return RolledDie(die.size, face, die.label, die.source, low=lowest(rules), safe=die.safe, apart=is_apart)
