"""The faces that people threw, and how far they are from what is expected."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist

from rules.kinds import key
from rules.names import GM, former
from rules.values import replace

LEAST = 20
"""Fewer dice say nothing about luck."""


@dataclass(frozen=True, slots=True)
class Faces:
    """How often each face was thrown, by the size of the dice."""

    of: Mapping[int, Mapping[int, int]]

    def count(self, size: int) -> int:
        """How many dice of that size were thrown."""
        return sum(self.of[size].values())

    def mean(self, size: int) -> float:
        """What dice of that size came to on average."""
        return sum(face * count for face, count in self.of[size].items()) / self.count(size)

    @property
    def dice(self) -> int:
        """How many dice were thrown."""
        return sum(map(self.count, self.of))

    @property
    def beyond(self) -> float:
        """By how much a die came to more than expected, on average over all dice."""
        more = sum(self.count(size) * (self.mean(size) - (size + 1) / 2) for size in self.of)
        return more / self.dice

    @property
    def chance(self) -> float:
        """How often fair dice are at least as far from what is expected, above or below.

        It is the normal distribution's, which sums of `LEAST` dice come near.
        """
        # That part is the variance of a fair die of that size.
        spread = sqrt(sum(self.count(size) * (size**2 - 1) / 12 for size in self.of))
        return 2 * (1 - NormalDist().cdf(abs(self.beyond) * self.dice / spread))

    @property
    def uneven(self) -> float:
        """How unevenly the dice are spread over the faces of their sizes: the sum of their chi-squares."""
        return sum(
            (self.of[size].get(face, 0) - expected) ** 2 / expected
            for size in self.of
            for expected in [self.count(size) / size]
            for face in range(1, size + 1)
        )

    @property
    def uneven_expected(self) -> int:
        """How unevenly fair dice are spread on average: by their degrees of freedom."""
        return sum(size - 1 for size in self.of)

    @property
    def uneven_chance(self) -> float:
        """How often fair dice are spread at least as unevenly, as Wilson and Hilferty come near it."""
        expected = self.uneven_expected
        variance = 2 / (9 * expected)
        return 1 - NormalDist(1 - variance, sqrt(variance)).cdf((self.uneven / expected) ** (1 / 3))


Shown = tuple[tuple[int, int], ...]
"""Dice, each by its size and the face that it showed."""


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice that somebody threw; the GM's as well as a GMC's where it is `gm`.

    Those that bear a `mark` take the place of dice with the same one that were thrown before; they are new,
    or nothing where there were none.
    """

    who: str
    dice: Shown
    gm: bool = False
    mark: str = ""
    is_new: bool = True

    def is_by(self, who: str | None) -> bool:
        """Whether that person threw them; everybody did for None."""
        return who is None or key(who) == key(self.who) or (self.gm and key(who) == key(GM))


@dataclass(slots=True)
class Throws:
    """The dice that were thrown, while they are counted step by step."""

    marked: dict[str, Thrown] = field(default_factory=dict)
    others: list[Thrown] = field(default_factory=list)

    def hear(self, dice: Thrown, of: str) -> None:
        """Dice of a game that were thrown."""
        mark = f"{of} {dice.mark}"
        if not dice.mark:
            self.others.append(dice)
        elif dice.is_new or mark in self.marked:
            self.marked[mark] = dice

    def rename(self, was: str, name: str) -> None:
        """Whoever was called so has another name, and has thrown what they threw under that."""
        known = {key(each.who) for each in self.thrown()}
        if key(name) != was and key(name) in known:
            self.rename(key(name), former(name))
        self.marked = {mark: _named(each, was, name) for mark, each in self.marked.items()}
        self.others = [_named(each, was, name) for each in self.others]

    def thrown(self) -> Iterator[Thrown]:
        """All dice as they were in the end."""
        yield from self.others
        yield from self.marked.values()


def _named(dice: Thrown, was: str, name: str) -> Thrown:
    return replace(dice, who=name) if key(dice.who) == was else dice


def counted(throws: Throws, who: str | None = None) -> Faces:
    """The faces that somebody threw, or everybody; whoever was renamed threw them under both names.

    Dice against a roll are the GM's, as are those of doom, of crises, challenges and GMCs. A die that was
    rolled again counts each time. Dice of One-Roll games that are chosen were not thrown (O3).
    """
    found: dict[int, Counter[int]] = {}
    for each in throws.thrown():
        for size, face in each.dice if each.is_by(who) else ():
            found.setdefault(size, Counter())[face] += 1
    return Faces({size: dict(sorted(found[size].items())) for size in sorted(found)})
