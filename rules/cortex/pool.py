"""Dice in a pool: what each stands for, where it comes from, and traits of several dice (D2, N21)."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from rules.cortex.kinds import Foe, Trait, TraitKind
from rules.cortex.ruleset import Ruleset
from rules.dice import FROM_DOOM, NOTATION, Ladder, down, typable, up, write_dice
from rules.dice import SAFE_WORD as SAFE
from rules.errors import SettingOff
from rules.names import Label, key
from rules.values import Size, StoredAsText, replace


class Special(StrEnum):
    """What a die is that stands for no trait, or for one a further time."""

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
    """What is done in a roll with a trait of the roller's own (N2, N3, N7)."""

    HELPS = "own"
    """Trouble of d4 helps its owner (N2)."""
    PUSHED = "pushed"
    """Stress or a complication is pushed (N3)."""
    CHALLENGED = "challenged"
    """A trait is challenged, which adds this die (N7)."""


_SET, _SCENE, _SIGNATURE = "set", "scene", "signature"


@dataclass(frozen=True, slots=True)
class Source(StoredAsText):
    """Where a die comes from: the kind of a trait, a foe's dice, or something special (D2, D3).

    All its fields are empty for a die that was typed without a name, or under a new one.
    """

    kind: TraitKind | Foe | Special | None = None
    set: str = ""
    """The trait set of a trait of one's own."""
    use: TraitUse | None = None
    is_scene: bool = False
    """It is a trait of the scene's."""
    is_signature: bool = False
    """It is a signature asset of one's own (C1)."""

    @property
    def is_new(self) -> bool:
        """Whether the die has no name, or one that is known nowhere at the table."""
        return self.kind is None

    @classmethod
    def of_text(cls, text: str) -> "Source":
        """Return the source that is stored as this text; `Special.OTHER` for what older versions wrote.

        >>> Source.of_text("pushed stress").use
        <TraitUse.PUSHED: 'pushed'>
        """
        first, _, rest = text.partition(" ")
        use = _USES.get(first)
        word, _, name = (rest if use else text).partition(" ")
        if word == _SET:
            return cls(TraitKind.TRAIT, name, use)
        held = _STORED.get(rest if use else text, SOURCES[Special.OTHER])
        return replace(held, use=use) if use and held.kind is not Special.OTHER else held

    def __str__(self) -> str:
        """Return the text that is stored: `set Attributes`, `asset`, `pushed stress`; "" for a new name."""
        text = f"{_SET} {self.set}" if self.set else self.kind or ""
        if self.is_signature:
            text = f"{_SIGNATURE} {text}"
        if self.is_scene:
            text = f"{_SCENE} {text}"
        return f"{self.use} {text}" if self.use else text


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
    """Return the source of the die of the roller's own trait: its kind, and its trait set (D2, D3)."""
    if kind is TraitKind.TRAIT and trait.set:
        return _of_set(trait.set)
    return _SIGNATURE_ASSET if kind is TraitKind.ASSET and trait.signature else SOURCES[kind]


@lru_cache(maxsize=1024)
def _of_set(name: str) -> Source:
    return Source(TraitKind.TRAIT, name)


@dataclass(frozen=True, slots=True)
class Die:
    """A die in a pool: its size, what it stands for, and where it came from (D2)."""

    size: Size
    label: str = ""
    source: Source = NEW
    safe: bool = False
    """Its hitch counts nowhere and cannot be bought (N14)."""


Pool = tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class NamedPool:
    """Dice that the table has gathered under a name, each with its label (D2).

    A pool that a player shares before rolling it belongs to `who`, a character's key. `vs` is its opposition;
    `hindered` and `sfx` are paid for when it is rolled (P1, X1).
    """

    name: Label
    dice: Pool
    who: str = ""
    vs: str = ""
    hindered: tuple[str, ...] = ()
    sfx: tuple[str, ...] = ()


def write_pool(pool: Iterable[Die]) -> str:
    """A pool with its labels, as it can be typed again.

    >>> write_pool([Die(6), Die(10, "Mind"), Die(6)])
    'Mind d10, 2d6'
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
            name = die.label if kind is Special.SCALE else quoted(die.label) if die.label else ""
            words = (name, SAFE if die.safe else "", f"d{die.size}")
            parts.append(" ".join(word for word in words if word))
        else:
            plain.append(die.size)
        before = die
    return ", ".join(parts + ([write_dice(plain)] if plain or not parts else []))


def _is_like(die: Die, other: Die) -> bool:
    return (die.label, die.size, die.safe) == (other.label, other.size, other.safe)


def quoted(label: str) -> str:
    """A label as it is typed: in quotation marks where it would be read as something else without them."""
    words = typable(label)
    is_plain = words.replace("'", "").isalpha() and unicodedata.is_normalized("NFKC", words)
    return words if is_plain and words.lower() not in NOTATION else f'"{words}"'


@dataclass(frozen=True, slots=True)
class Rating:
    """The dice of a trait, the largest first, and whether they are safe."""

    die: int
    more: tuple[int, ...] = ()
    safe: bool = False


def sizes_of(one: Trait) -> tuple[int, ...]:
    """All dice of a trait, the largest first, also where a step was undone by itself (N21)."""
    return tuple(sorted((one.die, *one.more), reverse=True)) if one.more else (one.die,)


def dice_of(one: Trait) -> str:
    """The dice of a trait in words: `d8`, `3d6`, `d10 2d6`."""
    return written(sizes_of(one)) if one.more else f"d{one.die}"


def write(one: Trait, *, safe: bool = True) -> str:
    """The rating of a trait as it is typed: `d8`, `3d6`, `safe d8`."""
    return f"{SAFE} {dice_of(one)}" if one.safe and safe else dice_of(one)


def written(sizes: Iterable[int]) -> str:
    """Sizes as a rating has them, the largest first."""
    held = list(sizes)
    counts = [(held.count(size), size) for size in sorted({*held}, reverse=True)]
    return " ".join(f"{count if count > 1 else ''}d{size}" for count, size in counts)


def require_safe(rules: Ruleset) -> None:
    """Refuse safe dice where the table has none (N14)."""
    if not rules.safe_dice:
        raise SettingOff("Safe dice are off in this campaign.", setting="safe dice")


def stepped(one: Trait, steps: int, sizes: Ladder, named: int = 0) -> Trait | None:
    """A trait whose largest die, or the one that is named, steps; None where its last die has gone (N21).

    Steps down are less than nothing; each is taken by itself.
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
    """A trait with these dice, one at least (N21)."""
    held = sorted(dice, reverse=True)
    return replace(one, die=held[0], more=tuple(held[1:]))


def without(one: Trait, size: int) -> Trait:
    """A trait that has lost one of its dice for good, the one nearest to that size (N21)."""
    held = _but_one(sizes_of(one), size)
    usual = _but_one((one.signature, *one.usual), size) if one.signature and one.usual else ()
    left = with_dice(one, held)
    return replace(left, signature=usual[0], usual=usual[1:]) if usual else left


def _but_one(dice: tuple[int, ...], size: int) -> tuple[int, ...]:
    left = list(dice)
    left.remove(min(left, key=lambda each: abs(each - size)))
    return tuple(left)


@dataclass(frozen=True, slots=True)
class Several(Die):
    """A name that brings more than its die: `more` of its trait (N21), `whole`, what it is of (N23)."""

    more: tuple[int, ...] = ()
    whole: Die | None = None


def brought(die: Die) -> Pool:
    """The dice that a name brings, without those of the trait that it is a part of (N21)."""
    if not isinstance(die, Several):
        return (die,)
    return tuple(Die(size, die.label, die.source, die.safe) for size in (die.size, *die.more))


def rating_of(die: Die) -> str:
    """The rating that a name stands for, as it is on its sheet: `3d6`, `safe d8` (N21, N14)."""
    dice = written(each.size for each in brought(die))
    return f"{SAFE} {dice}" if die.safe else dice


def alone(known: Mapping[str, Die]) -> dict[str, Die]:
    """Names that bring no other trait along."""
    return {
        name: replace(die, whole=None) if isinstance(die, Several) else die for name, die in known.items()
    }


def is_further(die: Die) -> bool:
    """Whether a die is a further one of a trait (N21)."""
    return die.source.kind in (Special.FURTHER, Special.FURTHER_RESOURCE)


def is_resource(die: Die) -> bool:
    """Whether a die is a resource's, the first one or a further one (C2, N21)."""
    return die.source.kind in (TraitKind.RESOURCE, Special.FURTHER_RESOURCE)


def as_one(row: list[Die], several: Mapping[str, tuple[Source, int]]) -> list[Die]:
    """Dice of which those of a trait with several are one trait, as many as it has (N21, D3).

    `several` says of each trait, by its key, where its dice come from, and how many it has.
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
