"""The table: everything that a group of players shares, as one frozen value.

Names and labels are kept as they were typed; things are found by their key, which is the name
without regard to capitals. Collections that people change one by one are mappings, so that two
steps which touch different things can be told apart (and taken back apart).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.cortex.state.ruleset import PRIME, RuleChange, Ruleset
from rules.facts import Event
from rules.kinds import (
    HARMFUL,
    KINDS,
    SCENE,
    KeptPool,
    Kind,
    NamedPool,
    Plan,
    Rank,
    Rating,
    Sfx,
    Target,
    Trait,
)
from rules.ore.sets import OreRoll
from rules.settings import Settings
from rules.values import replace

HANDED = "handed"
"""Where a hitch comes from that an SFX hands over."""
_NOTHING_SET = Settings()


@dataclass(frozen=True, slots=True)
class Character:
    """Somebody in the story, or the scene itself, with what they have."""

    name: str
    player: int = 0
    """The Discord id of who plays them; 0 for nobody."""
    player_name: str = ""
    """What that person goes by."""
    gmc: bool = False
    """A character of the GM."""
    rank: Rank | None = None
    """Which kind of GMC (B1, B2)."""
    away: bool = False
    """Not in the scene."""
    pp: int = 0
    """Plot points (P1)."""
    sheet: Mapping[str, Trait] = field(default_factory=dict)
    """The traits of their trait sets, by key."""
    pool: Mapping[int, int] = field(default_factory=dict)
    """The dice of a boss or a mob: how many of each size (B1, B2)."""
    hero: Mapping[int, int] = field(default_factory=dict)
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
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    """Their ratings in a One-Roll game, by key."""
    owner: int = 0
    """The Discord id of whose character it is, while somebody else plays it."""
    xp: int = 0
    milestones: tuple[str, ...] = ()
    notes: str = ""
    portrait: str = ""
    """The address of a picture."""
    pronouns: str = ""
    picture: str = ""
    """The digest of an uploaded portrait, which is shown before the address."""
    picture_alt: str = ""
    """What it shows, in words."""

    def traits(self, kind: Kind) -> Mapping[str, Trait]:
        """Their traits of one kind, by key."""
        held: Mapping[str, Trait] = getattr(self, KINDS[kind].held)
        return held

    def with_traits(self, kind: Kind, traits: Mapping[str, Trait]) -> "Character":
        """The same character with other traits of that kind."""
        return replace(self, **{KINDS[kind].held: traits})  # type: ignore[arg-type]

    @property
    def is_taken_out(self) -> bool:
        """Whether any trait has taken them out (C4)."""
        return any(trait.out for kind in HARMFUL for trait in self.traits(kind).values())


@dataclass(frozen=True, slots=True)
class RolledDie:
    """A die on the table after a roll."""

    size: int
    face: int
    label: str = ""
    source: str = ""
    """Where it came from (D2); a die of the doom pool has the source `doom`."""
    removed: bool = False
    """It counts for nothing (D8)."""
    used: bool = False
    """A 1 that has been activated (H1, H2)."""
    beside: bool = False
    """A hero die beside the kept ones: it always counts in the total (Z2)."""

    @property
    def is_handed(self) -> bool:
        """A hitch that an SFX handed over: a d6 that nobody rolled and that shows a 1 (H3)."""
        return self.source == HANDED

    @property
    def is_usable(self) -> bool:
        """Rolled, not a 1, not removed, and not counted already (R1, R2)."""
        return self.face > 1 and not self.removed and not self.beside

    @property
    def is_counted(self) -> bool:
        """A hero die that counts in the total (Z2)."""
        return self.beside and self.face > 1 and not self.removed

    @property
    def is_one(self) -> bool:
        """A hitch or an opportunity (R2)."""
        return self.face == 1 and not self.removed


@dataclass(frozen=True, slots=True)
class Hand:
    """Dice that were rolled together, and which of them count."""

    dice: tuple[RolledDie, ...]
    keep: int = 2
    """How many results the total may use (R1)."""
    effects_bought: int = 0
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
    raised: int = 0
    """How many steps of the effect SFX give, beside those of R7 (X1)."""


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
    limits_paid: int = 0
    """How many dice past the usual pool were paid for."""
    rerolls: int = 0
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
    outs: int = 0
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
    round: int = 1


@dataclass(frozen=True, slots=True)
class Crisis:
    """A pool of the GM for one local trouble: so many dice of each size (K1)."""

    name: str
    dice: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Challenge:
    """A trouble that takes rounds (L1)."""

    name: str
    dice: Mapping[int, int]
    """How many of each size."""
    order: Order = Order()
    """Whose turn it is."""
    rounds: int = 0
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
    exchanges: int = 1
    """How many rolls there were."""
    closing: int = 0
    """The number of the roll that failed; 0 while none has."""
    beaten: Hand | None = None
    """The dice that the leader beat, if any."""

    @property
    def waiting(self) -> str:
        """The name of the side that is to answer."""
        return self.sides[1 - self.leader]


@dataclass(frozen=True, slots=True)
class Table:
    """Everything a group shares."""

    number: int = 0
    """The step in the table's history that led here."""
    name: str = ""
    ruleset: Ruleset = PRIME
    rule_changes: Mapping[int, RuleChange] = field(default_factory=dict)
    """What was changed in the ruleset after open rolls were made, by step."""
    settings: Settings = _NOTHING_SET
    gms: Mapping[int, str] = field(default_factory=dict)
    """Who is GM: their names by Discord id."""
    characters: Mapping[str, Character] = field(default_factory=dict)
    """By key."""
    scenery: Character = Character("Scene")
    """What the scene itself has."""
    doom: Mapping[int, int] = field(default_factory=dict)
    """The doom pool: how many dice of each size (M1)."""
    gm_pp: int = 0
    """The GM's plot points, where the setting says so (P1)."""
    crises: Mapping[str, Crisis] = field(default_factory=dict)
    challenges: Mapping[str, Challenge] = field(default_factory=dict)
    contests: Mapping[int, Contest] = field(default_factory=dict)
    pools: Mapping[str, NamedPool] = field(default_factory=dict)
    """Named pools, by key."""
    order: Order | None = None
    """Whose turn it is, outside a challenge."""
    split: tuple[tuple[str, ...], ...] = ()
    """The names of who is with whom, while the group is split."""
    scene: str = ""
    scenes: int = 0
    """How many scenes there were."""
    is_scene: bool = False
    act: int = 0
    is_act: bool = False
    session: int = 0
    is_session: bool = False
    titles: Mapping[int, str] = field(default_factory=dict)
    """The titles of sessions, by number."""
    plan: Plan | None = None
    """When the next session is to be."""
    rolls: Mapping[int, Roll] = field(default_factory=dict)
    """The rolls of the scene, by number."""
    hidden: Mapping[int, Roll] = field(default_factory=dict)
    """The rolls that the GM made in secret, by number, until they are revealed or dropped (R9)."""
    last_pools: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The pools that each person rolled last, the latest first, by Discord id; `last` takes them again."""
    ore: Mapping[int, OreRoll] = field(default_factory=dict)
    """The rolls of One-Roll, by number."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """What is never in play, by key; nobody knows who wished it."""
    veils: Mapping[str, str] = field(default_factory=dict)
    """What nobody describes, by key."""
    archived: bool = False
    lost: int = 0
    """What the last so many steps did is not on the table, since nobody can read it any more."""

    @property
    def is_open(self) -> bool:
        """Whether there is no GM, so that everybody may do everything."""
        return not self.gms

    def owner(self, who: str) -> Character:
        """The character with that key, or the scene."""
        return self.scenery if who == SCENE else self.characters[who]

    def with_owner(self, who: str, owner: Character) -> "Table":
        """The table with that character, or the scene, changed."""
        if who == SCENE:
            return replace(self, scenery=owner)
        return replace(self, characters={**self.characters, who: owner})

    def played_by(self, player: int) -> Character | None:
        """The character that a person plays, if any; nobody, 0, plays none."""
        return next((c for c in self.characters.values() if player and c.player == player), None)
