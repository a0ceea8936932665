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
from rules.values import StoredAsText


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


class Usage(StrEnum):
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

    Nothing for a die that was typed without a name, or under a new one.
    """

    kind: Kind | Foe | Special | None = None
    set: str = ""
    """The trait set of a trait of one's own."""
    usage: Usage | None = None
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
        """The source that is stored so; of the kind OTHER what an older version wrote.

        >>> Source.of_text("pushed stress").usage
        <Usage.PUSHED: 'pushed'>
        """
        return _stored(text)

    def __str__(self) -> str:
        """It as it is stored: `set Attributes`, `asset`, `pushed stress`; nothing for a new name."""
        text = f"{_SET} {self.set}" if self.set else self.kind or ""
        if self.is_signature:
            text = f"{_SIGNATURE} {text}"
        if self.is_scene:
            text = f"{_SCENE} {text}"
        return f"{self.usage} {text}" if self.usage else text


NEW = Source()
"""The source of a die that was typed without a name, or under a new one."""
_USAGES = {str(usage): usage for usage in Usage}
_SIGNATURE_ASSET = Source(Kind.ASSET, is_signature=True)
SOURCES: Mapping[Kind | Foe | Special, Source] = {
    kind: Source(kind) for kinds in (Kind, Foe, Special) for kind in kinds
}
"""Where dice come from of which nothing more is to be said, by the kind."""
SCENE_SOURCES = {kind: Source(kind, is_scene=True) for kind in Kind}
"""Where dice of the scene's traits come from, by their kind."""
_STORED = {
    str(source): source for source in (NEW, *SOURCES.values(), *SCENE_SOURCES.values(), _SIGNATURE_ASSET)
}


def source_of(kind: Kind, trait: Trait) -> Source:
    """Where the die of one's own trait comes from: the kind, of a sheet's also the trait set (D2, D3)."""
    if kind is Kind.TRAIT and trait.set:
        return _of_set(trait.set)
    return _SIGNATURE_ASSET if kind is Kind.ASSET and trait.signature else SOURCES[kind]


@lru_cache(maxsize=1024)
def _of_set(name: str) -> Source:
    return Source(Kind.TRAIT, name)


@lru_cache(maxsize=1024)
def _stored(text: str) -> Source:
    first, _, rest = text.partition(" ")
    if first in _USAGES:
        held = _stored(rest)
        return Source(held.kind, held.set, _USAGES[first], held.is_scene, held.is_signature)
    if first == _SET:
        return Source(Kind.TRAIT, rest)
    return _STORED.get(text, SOURCES[Special.OTHER])


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

    A pool that somebody shares before they roll it is `who`'s, by their key: `vs` is what it is to be rolled
    against, `hindered` and `sfx` what is paid for when it is rolled (P1, X1).
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
