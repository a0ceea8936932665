"""The table: everything that a group of players shares, as one frozen value.

Names and labels are kept as they were typed; things are found by their key, which is the name
without regard to capitals. Collections that people change one by one are mappings, so that two
steps which touch different things can be told apart (and taken back apart).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.cortex.ruleset import Ruleset
from rules.facts import Event
from rules.kinds import SCENE as SCENE
from rules.kinds import Foe as Foe
from rules.kinds import Kind as Kind
from rules.kinds import NamedPool as NamedPool
from rules.kinds import Rank as Rank
from rules.kinds import Sfx as Sfx
from rules.kinds import Target as Target
from rules.kinds import Trait as Trait
from rules.kinds import key as key
from rules.ore.sets import OreRoll


@dataclass(frozen=True, slots=True)
class Character:
    """Somebody in the story, or the scene itself, with what they have.

    `player` is the Discord id of who plays them, 0 for nobody, `player_name` what they go by. `gmc` marks
    a character of the GM, `rank` says of which kind, `away` that they are not in the scene. `sheet` has
    the traits of its trait sets, `pool` the dice of a boss or a mob, by size (B1, B2), `hero` the hero
    dice (Z1). `owner` is the Discord id of whose character it is, while somebody else plays it.
    """

    name: str
    player: int = 0
    player_name: str = ""
    gmc: bool = False
    rank: Rank | None = None
    away: bool = False
    pp: int = 0
    sheet: Mapping[str, Trait] = field(default_factory=dict)
    pool: Mapping[int, int] = field(default_factory=dict)
    hero: Mapping[int, int] = field(default_factory=dict)
    distinctions: Mapping[str, Trait] = field(default_factory=dict)
    assets: Mapping[str, Trait] = field(default_factory=dict)
    complications: Mapping[str, Trait] = field(default_factory=dict)
    stress: Mapping[str, Trait] = field(default_factory=dict)
    trauma: Mapping[str, Trait] = field(default_factory=dict)
    resources: Mapping[str, Trait] = field(default_factory=dict)
    sfx: Mapping[str, Sfx] = field(default_factory=dict)
    owner: int = 0
    xp: int = 0
    milestones: tuple[str, ...] = ()
    notes: str = ""
    portrait: str = ""
    pronouns: str = ""

    def traits(self, kind: Kind) -> Mapping[str, Trait]:
        """Their traits of one kind, by key."""
        match kind:
            case Kind.ASSET:
                return self.assets
            case Kind.COMPLICATION:
                return self.complications
            case Kind.STRESS:
                return self.stress
            case Kind.TRAUMA:
                return self.trauma
            case Kind.DISTINCTION:
                return self.distinctions
            case Kind.TRAIT:
                return self.sheet
            case Kind.RESOURCE:
                return self.resources

    def with_traits(self, kind: Kind, traits: Mapping[str, Trait]) -> "Character":
        """The same character with other traits of that kind."""
        match kind:
            case Kind.ASSET:
                return replace(self, assets=traits)
            case Kind.COMPLICATION:
                return replace(self, complications=traits)
            case Kind.STRESS:
                return replace(self, stress=traits)
            case Kind.TRAUMA:
                return replace(self, trauma=traits)
            case Kind.DISTINCTION:
                return replace(self, distinctions=traits)
            case Kind.TRAIT:
                return replace(self, sheet=traits)
            case Kind.RESOURCE:
                return replace(self, resources=traits)

    @property
    def is_taken_out(self) -> bool:
        """Whether any trait has taken them out (C4)."""
        held = (self.complications, self.stress, self.trauma)
        return any(trait.out for traits in held for trait in traits.values())


@dataclass(frozen=True, slots=True)
class RolledDie:
    """A die on the table after a roll.

    `source` says where it came from (D2); a die of the doom pool has the source `doom`. A removed die
    counts for nothing (D8). `used` marks a 1 that has been activated (H1, H2). A die that is `beside` the
    kept ones, a hero die, always counts in the total (Z2).
    """

    size: int
    face: int
    label: str = ""
    source: str = ""
    removed: bool = False
    used: bool = False
    beside: bool = False

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
    """Dice that were rolled together, and which of them count.

    `keep` is how many results the total may use (R1), `effects_bought` how many effect dice beyond the
    first were paid for (R3), `hero` the size of a hero die taken as the effect die (Z2). `total` and
    `effects` are places in `dice`. The total has `least` results while so many are usable.
    """

    dice: tuple[RolledDie, ...]
    keep: int = 2
    effects_bought: int = 0
    total: tuple[int, ...] = ()
    effects: tuple[int, ...] = ()
    chosen: bool = False
    hero: int = 0
    least: int = 2


@dataclass(frozen=True, slots=True)
class Against:
    """What a roll has to beat: a number, or dice that were rolled (T1, T2).

    `plus` is what is in the way of a static difficulty (T3), already part of `number`. `target` is what
    those dice are of. Where it `acts`, the roll is the reaction: the dice have to beat it (T6, L4).
    """

    label: str
    number: int = 0
    hand: Hand | None = None
    plus: tuple[str, ...] = ()
    roll: int = 0
    target: Target | None = None
    acts: bool = False


@dataclass(frozen=True, slots=True)
class Recovery:
    """The trait that a roll tries to lose (T5); `said` is its owner and label, for when it is gone."""

    owner: str
    kind: Kind
    trait: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll on the table. Its number is the step that made it.

    `player` is who rolled, `who` the name they rolled as; `gm` marks a roll of the GM, whose 1s are
    opportunities. `rules` are the settings it was made with, where
    they have changed since. `applied` lists the places of effect dice
    already used, `bought` the ways in which its hitches were bought, `limits_paid` the dice past the
    usual pool that were paid for, `rerolls` how often dice of it were rolled again, `on` whom it concerns
    alone, `after` what followed from it, by step, and `doers` who last bought its hitches, used its
    opportunities, opposed it, or applied its effect. `target` is what a GM rolled for, `struck` the sizes
    of dice that its effects left (K3), `traded` the steps of R7 that became effect dice (L3), `contest` the
    contest that it belongs to (T4), `answered` says that the other side has rolled against it, `banked`
    that its hero die is banked (Z1). `sfx` are those used on it
    after it was made (X1). `steps_to` is how many steps of R7 go to each effect die, where the roller has
    picked that (R3), `returned` the places of dice that have gone back to doom (D4).
    """

    number: int
    player: int
    who: str
    hand: Hand
    gm: bool = False
    against: Against | None = None
    recovery: Recovery | None = None
    rules: Ruleset | None = None
    note: str = ""
    applied: tuple[int, ...] = ()
    bought: tuple[str, ...] = ()
    limits_paid: int = 0
    rerolls: int = 0
    on: tuple[str, ...] = ()
    after: Mapping[int, tuple[Event, ...]] = field(default_factory=dict)
    doers: Mapping[str, str] = field(default_factory=dict)
    target: Target | None = None
    struck: tuple[int, ...] = ()
    traded: int = 0
    contest: int = 0
    answered: bool = False
    banked: bool = False
    sfx: tuple[str, ...] = ()
    steps_to: tuple[int, ...] = ()
    returned: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Order:
    """Whose turn it is, handed from one to the next (L2).

    All are keys of characters: `turn` whose turn it is, `acted` who has had theirs in this round, `absent`
    who is passed over, `last` who acted last in the round before and names the first of this one.
    """

    turn: str = ""
    acted: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    last: str = ""
    round: int = 1


@dataclass(frozen=True, slots=True)
class Crisis:
    """A pool of the GM for one local trouble: so many dice of each size (K1)."""

    name: str
    dice: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Challenge:
    """A trouble that takes rounds: its dice, the order of turns, and after how many rounds it is lost.

    `rounds` is 0 for no limit. `against` is the key of whom it acts against and who has not rolled yet (L4).
    """

    name: str
    dice: Mapping[int, int]
    order: Order = field(default_factory=Order)
    rounds: int = 0
    against: str = ""


@dataclass(frozen=True, slots=True)
class Contest:
    """Two sides that roll against each other until one fails or gives in (T4).

    `sides` are their names, the initiator's first, and `leader` the place of the one whose roll stands.
    `roll` is the number of that roll and `hand` its dice; `exchanges` counts the rolls. `closing` is the
    number of the roll that failed. `beaten` are the dice that the leader beat, if any.
    """

    sides: tuple[str, str]
    leader: int
    roll: int
    hand: Hand
    note: str = ""
    exchanges: int = 1
    closing: int = 0
    beaten: Hand | None = None

    @property
    def waiting(self) -> str:
        """The name of the side that is to answer."""
        return self.sides[1 - self.leader]


@dataclass(frozen=True, slots=True)
class Table:
    """Everything a group shares. `number` is the step in the table's history that led here.

    What the last `lost` steps did is not on the table, since nobody can read it any more.
    """

    number: int = 0
    name: str = ""
    ruleset: Ruleset = field(default_factory=Ruleset)
    gms: Mapping[int, str] = field(default_factory=dict)
    characters: Mapping[str, Character] = field(default_factory=dict)
    scenery: Character = field(default_factory=lambda: Character("Scene"))
    doom: Mapping[int, int] = field(default_factory=dict)
    crises: Mapping[str, Crisis] = field(default_factory=dict)
    challenges: Mapping[str, Challenge] = field(default_factory=dict)
    contests: Mapping[int, Contest] = field(default_factory=dict)
    pools: Mapping[str, NamedPool] = field(default_factory=dict)
    order: Order | None = None
    split: tuple[tuple[str, ...], ...] = ()
    scene: str = ""
    scenes: int = 0
    is_scene: bool = False
    act: int = 0
    is_act: bool = False
    session: int = 0
    is_session: bool = False
    rolls: Mapping[int, Roll] = field(default_factory=dict)
    last_pools: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    ore: Mapping[int, OreRoll] = field(default_factory=dict)
    archived: bool = False
    lost: int = 0

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
