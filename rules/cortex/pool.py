"""Dice in a pool: what they stand for, where they come from, and traits with several dice (D2, N21)."""

import unicodedata
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache

from rules.cortex.kinds import Foe, Trait, TraitKind
from rules.cortex.ruleset import Ruleset
from rules.dice import FROM_DOOM, NOTATION, Ladder, down, typable, up, write_dice
from rules.dice import SAFE_WORD as SAFE
from rules.errors import SettingOff
from rules.names import Label, key
from rules.values import Size, StoredAsText, Value, replace


class Special(StrEnum):
    """What a die is if it isn't the (first) die of a trait."""

    SCALE = "scale"
    """The die of D7."""
    SFX = "sfx"
    """An SFX put it there, or is named there and brings no die (X1)."""
    DOUBLED = "double"
    """Doubling or splitting put it beside another one; it is past no limit (D3, D4)."""
    FURTHER = "further"
    """A further die of a trait, which is past no limit beside its first (N21, D3)."""
    FURTHER_RESOURCE = "further resource"
    """A further die of a resource, which is spent with it (N21, C2)."""
    PART = "part"
    """The die of a part, which is no second die of its trait's set (N23, D3)."""
    FROM_DOOM = "from doom"
    """It was taken out of the doom pool (D4)."""
    HANDED = "handed"
    """A hitch that an SFX hands over (H3)."""
    HERO = "hero"
    """A hero die that was rolled into a total (Z2)."""
    OTHER = "other"
    """It was rolled by an older version, which said something else here."""


class TraitUse(StrEnum):
    """How a roll uses one of the roller's own traits (N2, N3, N7)."""

    HELPS = "own"
    """Trouble of d4 helps its owner (N2)."""
    PUSHED = "pushed"
    """Stress or a complication is pushed (N3)."""
    CHALLENGED = "challenged"
    """A trait is challenged, which adds this die (N7)."""


_SET, _SCENE, _SIGNATURE = "set", "scene", "signature"


class Source(StoredAsText):
    """Where a die comes from: a kind of trait, a foe's dice, or something special (D2, D3).

    All fields are empty for a die typed without a name or under a new one. `set` is the trait set of a trait
    of one's own; with `is_scene`, it is a trait of the scene's, with `is_signature` a signature asset of
    one's own (C1). The text that is stored says it all: `set Attributes`, `asset`, `pushed stress`.

    >>> NEW.is_new, SOURCES[TraitKind.ASSET].is_new
    (True, False)
    >>> str(Source(TraitKind.ASSET, is_signature=True))
    'signature asset'
    """

    __slots__ = ("is_scene", "is_signature", "kind", "set", "use")

    def __init__(
        self,
        kind: TraitKind | Foe | Special | None = None,
        set: str = "",
        use: TraitUse | None = None,
        *,
        is_scene: bool = False,
        is_signature: bool = False,
    ) -> None:
        self.kind, self.set, self.use = kind, set, use
        self.is_scene, self.is_signature = is_scene, is_signature
        words = (use, is_scene and _SCENE, is_signature and _SIGNATURE)
        text = f"{_SET} {set}" if set else kind or ""
        super().__init__("".join(f"{word} " for word in words if word) + text)

    @property
    def is_new(self) -> bool:
        """Whether the die has no name, or a name that nothing at the table has."""
        return self.kind is None

    @classmethod
    @lru_cache(maxsize=1024)
    def of_text(cls, text: str) -> "Source":
        """Return the source stored as this text; `Special.OTHER` for text from older versions.

        >>> Source.of_text("pushed stress").use
        <TraitUse.PUSHED: 'pushed'>
        >>> Source.of_text("set Attributes").set
        'Attributes'
        """
        first, _, rest = text.partition(" ")
        use = _USES.get(first)
        word, _, name = (rest if use else text).partition(" ")
        if word == _SET:
            return cls(TraitKind.TRAIT, name, use)
        held = _STORED.get(rest if use else text, SOURCES[Special.OTHER])
        return held.used(use) if use and held.kind is not Special.OTHER else held

    def used(self, use: TraitUse | None) -> "Source":
        """Return the same source with another use."""
        flags = {"is_scene": self.is_scene, "is_signature": self.is_signature}
        return Source(self.kind, self.set, use, **flags)


NEW = Source()
"""The source of a die that was typed without a name, or under a new one."""


_USES = {str(use): use for use in TraitUse}


_SIGNATURE_ASSET = Source(TraitKind.ASSET, is_signature=True)


SOURCES: Mapping[TraitKind | Foe | Special, Source] = {
    kind: Source(kind) for kinds in (TraitKind, Foe, Special) for kind in kinds
}
"""The source of dice of each kind, with nothing more to say of it."""


SCENE_SOURCES = {kind: Source(kind, is_scene=True) for kind in TraitKind}
"""The source of dice of the scene's traits, by their kind."""


_STORED = {
    str(source): source for source in (NEW, *SOURCES.values(), *SCENE_SOURCES.values(), _SIGNATURE_ASSET)
}


def source_of(kind: TraitKind, trait: Trait) -> Source:
    """Return the source of a die of the roller's own trait: its kind and trait set (D2, D3).

    >>> source_of(TraitKind.TRAIT, Trait("Mind", 10, set="Attributes")).set
    'Attributes'
    """
    if kind is TraitKind.TRAIT and trait.set:
        return _of_set(trait.set)
    return _SIGNATURE_ASSET if kind is TraitKind.ASSET and trait.signature else SOURCES[kind]


@lru_cache(maxsize=1024)
def _of_set(name: str) -> Source:
    return Source(TraitKind.TRAIT, name)


class Die(Value):
    """A die in a pool: its size, its label, and where it comes from (D2)."""

    size: Size
    label: str = ""
    source: Source = NEW
    safe: bool = False
    """Its hitch counts nowhere and cannot be bought (N14)."""


Pool = tuple[Die, ...]


class NamedPool(Value):
    """Labelled dice that the table has gathered under a name (D2).

    A pool that a player shares before rolling has their character's key in `who`. `vs` is its opposition;
    `hindered` and `sfx` are paid for when the pool is rolled (P1, X1).
    """

    name: Label
    dice: Pool
    who: str = ""
    vs: str = ""
    hindered: tuple[str, ...] = ()
    sfx: tuple[str, ...] = ()
    moved: tuple[Size, ...] = ()
    """The sizes of dice that its SFX move to doom when it is rolled (D4)."""


def write_pool(pool: Iterable[Die]) -> str:
    """Return a pool with its labels as text that can be typed again; dice without a label come last.

    >>> write_pool([Die(6), Die(10, "Mind"), Die(6)])
    'Mind d10, 2d6'
    >>> write_pool([Die(8, "Quick Wits"), Die(6, safe=True)])
    '"Quick Wits" d8, safe d6'
    >>> write_pool([Die(8, "Mind"), Die(8, "Mind", SOURCES[Special.DOUBLED])])
    'double Mind d8'
    """
    parts: list[str] = []
    plain: list[int] = []
    before = Die(0)
    for die in pool:
        kind = die.source.kind
        if kind is Special.FROM_DOOM:
            parts.append(f"{FROM_DOOM} d{die.size}")
        elif kind is Special.DOUBLED and die.label and _is_like(die, before):
            parts[-1] = f"double {parts[-1]}"
        elif die.label or die.safe:
            name = die.label if kind is Special.SCALE else quote_label(die.label) if die.label else ""
            words = (name, SAFE if die.safe else "", f"d{die.size}")
            parts.append(" ".join(word for word in words if word))
        else:
            plain.append(die.size)
        before = die
    return ", ".join(parts + ([write_dice(plain)] if plain or not parts else []))


def _is_like(die: Die, other: Die) -> bool:
    return (die.label, die.size, die.safe) == (other.label, other.size, other.safe)


def quote_label(label: str) -> str:
    """Return a label as it is typed in a pool, in quotation marks if it would be misread without.

    >>> quote_label("Mind"), quote_label("O'Neill"), quote_label("K2"), quote_label("up")
    ('Mind', "O'Neill", '"K2"', '"up"')
    """
    words = typable(label)
    is_plain = words.replace("'", "").isalpha() and unicodedata.is_normalized("NFKC", words)
    return words if is_plain and words.lower() not in NOTATION else f'"{words}"'


class Rating(Value):
    """The dice of a trait, largest first, and whether they are safe."""

    die: int
    more: tuple[int, ...] = ()
    safe: bool = False


def sizes_of(one: Trait) -> tuple[int, ...]:
    """Return the sizes of all dice of a trait, largest first (N21).

    >>> sizes_of(Trait("Crew", 6, more=(8, 6)))
    (8, 6, 6)
    """
    return tuple(sorted((one.die, *one.more), reverse=True)) if one.more else (one.die,)


def dice_of(one: Trait) -> str:
    """Return the dice of a trait as text, without `safe`.

    >>> dice_of(Trait("Mind", 8)), dice_of(Trait("Crew", 10, more=(6, 6)))
    ('d8', 'd10 2d6')
    """
    return write_sizes(sizes_of(one)) if one.more else f"d{one.die}"


def write(one: Trait, *, safe: bool = True) -> str:
    """Return the rating of a trait as it is typed; without `safe`, safe dice aren't marked.

    >>> write(Trait("Luck", 8, safe=True)), write(Trait("Luck", 8, safe=True), safe=False)
    ('safe d8', 'd8')
    """
    return f"{SAFE} {dice_of(one)}" if one.safe and safe else dice_of(one)


def write_sizes(sizes: Iterable[int]) -> str:
    """Return sizes as the text of a rating, largest first.

    >>> write_sizes([6, 10, 6]), write_sizes([8])
    ('d10 2d6', 'd8')
    """
    held = list(sizes)
    counts = [(held.count(size), size) for size in sorted({*held}, reverse=True)]
    return " ".join(f"{count if count > 1 else ''}d{size}" for count, size in counts)


def require_safe(rules: Ruleset) -> None:
    """Check that the table has safe dice (N14). Raises SettingOff if it hasn't."""
    if not rules.safe_dice:
        raise SettingOff("Safe dice are off in this campaign.", setting="safe dice")


def stepped(one: Trait, steps: int, sizes: Ladder, named: int = 0) -> Trait | None:
    """Return a trait with its largest die, or its die of size `named`, stepped up or down (N21).

    Negative steps step down. Each step of a trait with several dice affects the die that is largest by
    then, unless one is named. Returns None once the last die is gone.

    >>> crew = Trait("Crew", 8, more=(6, 6))
    >>> sizes_of(stepped(crew, 1, (4, 6, 8, 10, 12))), sizes_of(stepped(crew, -2, (4, 6, 8, 10, 12), 6))
    ((10, 6, 6), (8, 6))
    >>> stepped(Trait("Rope", 4), -1, (4, 6, 8, 10, 12)) is None
    True
    """
    if not one.more:
        size = up(one.die, steps, sizes) if steps > 0 else down(one.die, -steps, sizes)
        return replace(one, die=size) if size else None
    dice = list(sizes_of(one))
    for _ in range(abs(steps)):
        place = dice.index(named or max(dice))
        size = up(dice[place], 1, sizes) if steps > 0 else down(dice[place], 1, sizes)
        dice[place : place + 1] = [size] if size else []
        named = size if named else 0
        if not dice:
            return None
    return with_dice(one, dice)


def with_dice(one: Trait, dice: Iterable[int]) -> Trait:
    """Return a trait with these dice in place of its own, at least one (N21).

    >>> sizes_of(with_dice(Trait("Crew", 6), [6, 8]))
    (8, 6)
    """
    held = sorted(dice, reverse=True)
    return replace(one, die=held[0], more=tuple(held[1:]))


def without_die_near(one: Trait, size: int) -> Trait:
    """Return a trait that has lost one die for good: the one closest to this size (N21).

    >>> sizes_of(without_die_near(Trait("Crew", 10, more=(8, 6)), 8))
    (10, 6)
    """
    held = _but_one(sizes_of(one), size)
    usual = _but_one((one.signature, *one.usual), size) if one.signature and one.usual else ()
    left = with_dice(one, held)
    return replace(left, signature=usual[0], usual=usual[1:]) if usual else left


def _but_one(dice: tuple[int, ...], size: int) -> tuple[int, ...]:
    left = list(dice)
    left.remove(min(left, key=lambda each: abs(each - size)))
    return tuple(left)


class MultiDieName(Die):
    """A named die that brings others: the further dice of its trait (N21), or its whole's die (N23)."""

    more: tuple[int, ...] = ()
    whole: Die | None = None


def brought(die: Die) -> Pool:
    """Return the dice that a name brings, without those of the whole that its trait is a part of (N21).

    >>> [die.size for die in brought(MultiDieName(8, "Crew", more=(6, 6)))]
    [8, 6, 6]
    """
    if not isinstance(die, MultiDieName):
        return (die,)
    return tuple(Die(size, die.label, die.source, die.safe) for size in (die.size, *die.more))


def rating_of(die: Die) -> str:
    """Return the rating that a name stands for, as its sheet has it (N21, N14).

    >>> rating_of(MultiDieName(6, "Crew", more=(6, 6))), rating_of(Die(8, "Luck", safe=True))
    ('3d6', 'safe d8')
    """
    dice = write_sizes(each.size for each in brought(die))
    return f"{SAFE} {dice}" if die.safe else dice


def alone(known: Mapping[str, Die]) -> dict[str, Die]:
    """Return the same names, none of which brings along the whole that its trait is a part of (N23)."""
    return {
        name: replace(die, whole=None) if isinstance(die, MultiDieName) else die
        for name, die in known.items()
    }


def is_further(die: Die) -> bool:
    """Return whether a die is a further die of a trait (N21)."""
    return die.source.kind in (Special.FURTHER, Special.FURTHER_RESOURCE)


def is_resource(die: Die) -> bool:
    """Return whether a die comes from a resource, as its first or a further die (C2, N21)."""
    return die.source.kind in (TraitKind.RESOURCE, Special.FURTHER_RESOURCE)


def as_one(row: list[Die], several: Mapping[str, tuple[Source, int]]) -> list[Die]:
    """Return dice with the second and later dice of each trait marked as further ones (N21, D3).

    `several` maps the key of each trait with several dice to their source and number.

    >>> dice = [Die(8, "Crew"), Die(6, "Crew"), Die(6)]
    >>> [is_further(die) for die in as_one(dice, {"crew": (NEW, 2)})]
    [False, True, False]
    """
    seen: dict[str, int] = {}
    found = []
    for die in row:
        name = key(die.label)
        source, count = several.get(name, (NEW, 0))
        if count and die.source == source:
            seen[name] = seen.get(name, 0) + 1
            if 1 < seen[name] <= count:
                further = Special.FURTHER_RESOURCE if is_resource(die) else Special.FURTHER
                die = replace(die, source=SOURCES[further])
        found.append(die)
    return found
