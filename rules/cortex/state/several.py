"""Names that bring more than one die: of traits with several, and of parts and their traits (N21, N23)."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.cortex.state.kinds import Kind
from rules.cortex.state.pool import NEW, SOURCES, Die, Pool, Source, Special
from rules.cortex.state.rating import written
from rules.dice import SAFE_WORD
from rules.kinds import key
from rules.values import replace


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
    return f"{SAFE_WORD} {dice}" if die.safe else dice


def alone(known: Mapping[str, Die]) -> dict[str, Die]:
    """Names that bring no other trait along."""
    return {
        name: replace(die, whole=None) if isinstance(die, Several) else die for name, die in known.items()
    }


def firsts(pool: Pool) -> tuple[Pool, int]:
    """A pool without the further dice of its traits, and how many those are (N21)."""
    first = tuple(die for die in pool if not is_further(die))
    return first, len(pool) - len(first)


def is_further(die: Die) -> bool:
    """Whether a die is a further one of a trait (N21)."""
    return die.source.kind in (Special.FURTHER, Special.FURTHER_RESOURCE)


def is_resource(die: Die) -> bool:
    """Whether a die is a resource's, the first one or a further one (C2, N21)."""
    return die.source.kind in (Kind.RESOURCE, Special.FURTHER_RESOURCE)


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
