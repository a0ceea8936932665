"""The kinds of things at a Cortex table: traits, GM pools, GMCs, uses of doom dice, results."""

from enum import StrEnum

from rules.names import Label, Note
from rules.terms import later
from rules.text import Words
from rules.values import Size, Value, exhaustive


class TraitKind(StrEnum):
    """The kinds of trait that come and go in play."""

    ASSET = "asset"
    COMPLICATION = "complication"
    STRESS = "stress"
    TRAUMA = "trauma"
    DISTINCTION = "distinction"
    TRAIT = "trait"
    RESOURCE = "resource"


class TraitKindInfo(Value):
    """What all traits of one kind have in common."""

    noun: Words
    one: Words
    """What one adds or takes away."""
    held: str
    """The field of a character in which they are.

    They are fields, and not one mapping by kind, since an undo compares states leaf by leaf: a mapping that
    is not there before the first asset would make the first asset and all later ones one leaf.
    """
    harms: bool = False
    """It stands in its owner's way, and takes them out past d12 (C4); else it lends its owner a die."""
    is_trouble: bool = False
    """It comes by what others do, and steps by what anybody does (H3, X1)."""
    is_track: bool = False
    """Its labels are the ruleset's tracks, and the scene has none (C5)."""
    on_sheet: bool = False
    """A sheet may have it (D1); what none has came in play."""
    first: int = 6
    """The die of one that comes without a size (C1, C3, C5)."""
    section: str = ""
    """Among what can join a pool."""
    called: str = later("{name}")
    """What one is called."""
    again: str = later("Type another label.")
    """What to do instead where one of that label is there already."""

    @property
    def lends(self) -> bool:
        """Whether it lends its owner a die.

        >>> KINDS[TraitKind.ASSET].lends, KINDS[TraitKind.STRESS].lends
        (True, False)
        """
        return not self.harms


_HARMS = later("{complication.Many} and {stress.one}")


KINDS = exhaustive(
    TraitKind,
    {
        TraitKind.TRAIT: TraitKindInfo(
            Words("trait"), Words("a trait"), "sheet", on_sheet=True, section=later("Traits")
        ),
        TraitKind.DISTINCTION: TraitKindInfo(
            Words("{distinction.one}"),
            Words("{distinction.a}"),
            "distinctions",
            on_sheet=True,
            first=8,
            section=later("{distinction.Many}"),
            again=later("Remove that one first. Example: /dist remove what:{old}"),
        ),
        TraitKind.ASSET: TraitKindInfo(
            Words("{asset.one}"),
            Words("{asset.a}"),
            "assets",
            on_sheet=True,
            section=later("{asset.Many}"),
            again=later("Step it up instead. Example: /asset stepup what:{old}"),
        ),
        TraitKind.RESOURCE: TraitKindInfo(
            Words("resource"), Words("a resource"), "resources", on_sheet=True, section=later("Resources")
        ),
        TraitKind.COMPLICATION: TraitKindInfo(
            Words("{complication.one}"),
            Words("{complication.a}"),
            "complications",
            harms=True,
            is_trouble=True,
            section=_HARMS,
        ),
        TraitKind.STRESS: TraitKindInfo(
            Words("{stress.one}"),
            Words("{stress.one}"),
            "stress",
            harms=True,
            is_trouble=True,
            is_track=True,
            section=_HARMS,
            called=later("{name} {stress.one}"),
        ),
        TraitKind.TRAUMA: TraitKindInfo(
            Words("{trauma.one}"),
            Words("{trauma.one}"),
            "trauma",
            harms=True,
            is_track=True,
            section=_HARMS,
            called=later("{name} {trauma.one}"),
        ),
    },
)


LENDING = tuple(kind for kind, of in KINDS.items() if of.lends)
"""The kinds of trait that lend their owner a die."""


ON_SHEET = tuple(kind for kind, of in KINDS.items() if of.on_sheet)
"""The kinds of trait that a sheet has."""


HARMFUL = tuple(kind for kind, of in KINDS.items() if of.harms)
"""What stands in its owner's way, and takes them out past d12 (C4)."""


TROUBLE = tuple(kind for kind, of in KINDS.items() if of.is_trouble)
"""What comes by what others do, and steps by what anybody does (H3, X1)."""


class Rank(StrEnum):
    """The kinds of GMC (B1, B2)."""

    EXTRA = "extra"
    MINOR = "minor"
    MAJOR = "major"
    BOSS = "boss"
    MOB = "mob"


class GmcKind(Value):
    """What all GMCs of one kind have in common (B1, B2)."""

    noun: Words
    dice: str
    """The dice that make one, as a refusal of others says it."""
    has_pool: bool = False
    """It has dice of one size without labels, which are what is left of it; else each die is a trait."""
    most: int = 0
    """So many traits are the most, and the least; 0 for any number."""


_LABELLED = later("Each die of a {rank} {gmc.one} needs a label. Example: dice:Fangs d10, Swift d8")


_OF_ONE_SIZE = later("A {rank} needs unlabeled dice, all the same size. Example: dice:Fangs d8, 4d10")


RANKS = exhaustive(
    Rank,
    {
        Rank.EXTRA: GmcKind(
            Words("extra"), later("An extra needs exactly one trait. Example: dice:Brawler d8"), most=1
        ),
        Rank.MINOR: GmcKind(Words("minor"), _LABELLED),
        Rank.MAJOR: GmcKind(Words("major"), _LABELLED),
        Rank.BOSS: GmcKind(Words("boss"), _OF_ONE_SIZE, has_pool=True),
        Rank.MOB: GmcKind(Words("mob"), _OF_ONE_SIZE, has_pool=True),
    },
)


class Foe(StrEnum):
    """The GM's kinds of pools that roll against the players."""

    DOOM = "doom"
    CRISIS = "crisis"
    CHALLENGE = "challenge"
    GMC = "gmc"


class Target(Value):
    """The doom pool, or a crisis, challenge or GMC by its key: it rolls, and is rolled against."""

    foe: Foe
    key: str = ""


MOST_RATING = 10
"""A rating has at most so many dice (N21)."""


LONGEST_STATEMENT = 200
"""A statement has so many characters (N7)."""


class Trait(Value):
    """A label with its rating (D1).

    `die` is the size of the die, `more` are further dice that are not larger (N21), and `safe` says
    that they are safe dice (N14). `set` is its trait set, `part_of` the label of the trait that it is a
    part of (N23), `note` its player's note.

    `signature` is the rating that a signature asset returns to, 0 for a temporary one (C1), and `usual`
    are its further dice then (N21). `lasts` says that an asset stays until the session ends. `spent`
    says that a resource has been used (C2), `shut` that an SFX has shut the trait down (X1).

    `barred` says that it cannot be recovered again until time passes (T5), `out` that it has taken its
    owner out (C4). `statement` is the sentence that belongs to it, `was` its rating before it was first
    challenged, else 0 (N7).
    """

    label: Label
    die: Size
    signature: int = 0
    barred: bool = False
    out: bool = False
    spent: bool = False
    shut: bool = False
    lasts: bool = False
    set: str = ""
    note: str = ""
    more: tuple[Size, ...] = ()
    part_of: str = ""
    statement: Note = ""
    was: int = 0
    safe: bool = False
    usual: tuple[Size, ...] = ()


class Sfx(Value):
    """A special effect or limit: what it costs, what it gives, and when (X1).

    `trait` is the label of the trait that it belongs to, empty if it is the character's own.
    """

    name: Label
    benefit: tuple[str, ...]
    cost: tuple[str, ...] = ()
    when: str = ""
    trait: str = ""


class KeptPool(Value):
    """A pool that somebody saved by name: its dice as typed, and its usual opposition (D2)."""

    name: Label
    dice: Note
    vs: Note = ""


class Use(StrEnum):
    """What a doom die can be spent for (M4, M5)."""

    TOTAL = "total"
    EFFECT = "effect"
    DIE = "die"
    SFX = "sfx"
    COMPLICATION = "complication"
    ASSET = "asset"
    DISTINCTION = "distinction"
    EXTRA = "extra"
    GMC = "gmc"
    SPLIT = "split"
    END_SCENE = "end scene"


class Ending(StrEnum):
    """How a crisis, a challenge or a boss ended."""

    ENDED = "ended"
    RESOLVED = "resolved"
    WON = "won"
    LOST = "lost"
    DEFEATED = "defeated"


class Result(StrEnum):
    """How a roll against a difficulty went (R5 to R7)."""

    FAILURE = "failure"
    SUCCESS = "success"
    HEROIC = "heroic success"


class Verdict(Value):
    """The result of a roll against its difficulty, its margin, and the steps R7 gives the effect."""

    difficulty: int
    result: Result
    margin: int
    steps: int
