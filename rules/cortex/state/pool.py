"""Dice in a pool: what each stands for, where it comes from, and how they are written (D2)."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from rules.cortex.state.kinds import Foe, Kind, Trait
from rules.dice import FROM_DOOM, NOTATION, SAFE_WORD, typable, write
from rules.limits import Size
from rules.texts import Label
from rules.values import StoredAsText, replace


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

    kind: Kind | Foe | Special | None = None
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
            return cls(Kind.TRAIT, name, use)
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
_SIGNATURE_ASSET = Source(Kind.ASSET, is_signature=True)
SOURCES: Mapping[Kind | Foe | Special, Source] = {
    kind: Source(kind) for kinds in (Kind, Foe, Special) for kind in kinds
}
"""The source of dice of each kind, with nothing more to say of it."""
SCENE_SOURCES = {kind: Source(kind, is_scene=True) for kind in Kind}
"""The source of dice of the scene's traits, by their kind."""
_STORED = {
    str(source): source for source in (NEW, *SOURCES.values(), *SCENE_SOURCES.values(), _SIGNATURE_ASSET)
}


def source_of(kind: Kind, trait: Trait) -> Source:
    """Return the source of the die of the roller's own trait: its kind, and its trait set (D2, D3)."""
    if kind is Kind.TRAIT and trait.set:
        return _of_set(trait.set)
    return _SIGNATURE_ASSET if kind is Kind.ASSET and trait.signature else SOURCES[kind]


@lru_cache(maxsize=1024)
def _of_set(name: str) -> Source:
    return Source(Kind.TRAIT, name)


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
            words = (name, SAFE_WORD if die.safe else "", f"d{die.size}")
            parts.append(" ".join(word for word in words if word))
        else:
            plain.append(die.size)
        before = die
    return ", ".join(parts + ([write(plain)] if plain or not parts else []))


def _is_like(die: Die, other: Die) -> bool:
    return (die.label, die.size, die.safe) == (other.label, other.size, other.safe)


def quoted(label: str) -> str:
    """A label as it is typed: in quotation marks where it would be read as something else without them."""
    words = typable(label)
    is_plain = words.replace("'", "").isalpha() and unicodedata.is_normalized("NFKC", words)
    return words if is_plain and words.lower() not in NOTATION else f'"{words}"'
