"""Cortex's part of a table, and of each character there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from rules.cortex.state.kinds import HARMFUL, KINDS, KeptPool, Kind, Rank, Sfx, Trait
from rules.cortex.state.origin import Aside, Origin
from rules.cortex.state.pool import NamedPool
from rules.cortex.state.ruleset import PRIME, RuleChange, Ruleset
from rules.cortex.state.table import Challenge, Contest, Crisis, Order, Roll
from rules.dice import Ladder
from rules.limits import DiceBySize, DoomDice, Limit
from rules.part import Part
from rules.table import Character, Table
from rules.values import replace

MOST_XP = 9999
"""Nobody holds more XP than this."""
LONGEST_FIRST_SHEET = 3500  # one field of a form, of 4000, with room left to type into
"""The sheet that new characters begin with has at most this many characters."""
MOST_CONTESTS = 20
"""A table has at most this many contests that go on."""


@dataclass(frozen=True, slots=True)
class CortexCharacter:
    """What a character has of Cortex, or the scene itself."""

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
    xp: int = 0
    milestones: tuple[str, ...] = ()
    asides: tuple[Aside, ...] = ()
    """What another program's sheet says beside its traits: it never joins a pool."""
    origin: Origin | None = None
    """The file that they came from, where another program wrote it."""

    def traits(self, kind: Kind) -> Mapping[str, Trait]:
        """Their traits of one kind, by key."""
        held: Mapping[str, Trait] = getattr(self, KINDS[kind].held)
        return held

    def with_traits(self, kind: Kind, traits: Mapping[str, Trait]) -> "CortexCharacter":
        """The same with other traits of that kind."""
        return replace(self, **{KINDS[kind].held: traits})  # type: ignore[arg-type]

    @property
    def is_taken_out(self) -> bool:
        """Whether any trait has taken them out (C4)."""
        return any(trait.out for kind in HARMFUL for trait in self.traits(kind).values())


@dataclass(frozen=True, slots=True)
class CortexTable:
    """What a table has of Cortex."""

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
    order: Order | None = None
    """Whose turn it is, outside a challenge."""
    split: tuple[tuple[str, ...], ...] = ()
    """The names of who is with whom, while the group is split."""
    rolls: Mapping[int, Roll] = field(default_factory=dict)
    """The rolls of the scene, by number."""
    hidden: Mapping[int, Roll] = field(default_factory=dict)
    """The rolls that the GM made in secret, by number, until they are revealed or dropped (R9)."""
    last_pools: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The pools that each person rolled last, the latest first, by Discord id; `last` takes them again."""


CORTEX = Part("cortex", CortexTable, CortexCharacter, Roll, has_hidden=True)
"""Where it is found."""


def ladder(table: Table) -> Ladder:
    """The sizes of the table's dice, each a step above the one before (N13)."""
    return CORTEX.of(table).ruleset.sizes


def with_traits(character: Character, kind: Kind, traits: Mapping[str, Trait]) -> Character:
    """The character with other traits of that kind."""
    return CORTEX.give(character, CORTEX.has(character).with_traits(kind, traits))
