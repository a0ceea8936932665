"""The table: everything that a group of players shares, as one frozen value.

Names and labels are kept as they were typed; things are found by their key, which is the name
without regard to capitals. Collections that people change one by one are mappings, so that two
steps which touch different things can be told apart (and taken back apart).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.cortex.state.kinds import HARMFUL, KINDS, KeptPool, Kind, NamedPool, Rank, Sfx, Trait
from rules.cortex.state.ruleset import PRIME, RuleChange, Ruleset
from rules.cortex.state.table import Challenge, Contest, Crisis, Order, Roll
from rules.kinds import SCENE, Plan, Rating
from rules.ore.sets import OreRoll
from rules.settings import Settings
from rules.values import replace

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
