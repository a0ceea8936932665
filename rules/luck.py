"""The faces that people threw, and how far they are from what is expected."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist

from rules.causes import Seat
from rules.cortex.state.facts import DiceRerolled
from rules.cortex.state.outcome import gm_hand
from rules.cortex.state.rolled import RollChanged, RollMade
from rules.cortex.state.table import Hand, Roll
from rules.fact import Fact
from rules.facts import Seated
from rules.kinds import key
from rules.names import former
from rules.ore.facts import OreRolled
from rules.ore.pool import SIDES
from rules.ore.sets import OreRoll
from rules.roller import GM
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


@dataclass(slots=True)
class _Thrown:
    """Dice that somebody threw, each by its size and face; the GM's as well as a GMC's where it is `gm`."""

    who: str
    gm: bool
    dice: Sequence[tuple[int, int]]

    def is_by(self, who: str | None) -> bool:
        """Whether that person threw them; everybody did for None."""
        return who is None or key(who) == key(self.who) or (self.gm and key(who) == key(GM))


@dataclass(slots=True)
class _Counter:
    """The dice that were thrown, while they are counted step by step."""

    rolls: dict[int, Roll] = field(default_factory=dict)
    others: list[_Thrown] = field(default_factory=list)
    """Dice that were rolled again, and those of One-Roll games."""

    def hear(self, step: Sequence[Fact]) -> None:
        """What a step threw."""
        for fact in step:
            match fact:
                case RollMade():
                    self.rolls[fact.roll.number] = fact.roll
                case RollChanged() if fact.roll.number in self.rolls:
                    self.rolls[fact.roll.number] = fact.roll
                case DiceRerolled():
                    sizes = (die.size for die in fact.dice)
                    self.others.append(_Thrown(fact.who, False, list(zip(sizes, fact.faces, strict=True))))
                case OreRolled():
                    self.others.append(_Thrown(fact.roll.who, fact.roll.gm, _tens(fact.roll)))
                case Seated(seat=Seat.RENAMED):
                    self._renamed(key(fact.was), fact.who)

    def _is_known(self, who: str) -> bool:
        return who in map(key, (*(each.who for each in self.others), *(r.who for r in self.rolls.values())))

    def _renamed(self, was: str, name: str) -> None:
        if key(name) != was and self._is_known(key(name)):
            self._renamed(key(name), former(name))
        self.rolls = {n: replace(r, who=name) if key(r.who) == was else r for n, r in self.rolls.items()}
        for each in self.others:
            if key(each.who) == was:
                each.who = name

    def thrown(self) -> Iterator[_Thrown]:
        """All dice as they were in the end."""
        yield from self.others
        for roll in self.rolls.values():
            yield _Thrown(roll.who, roll.gm, _shown(roll.hand))
            against = None if roll.gm else gm_hand(roll)
            if against is not None:
                yield _Thrown(GM, True, _shown(against))


def faces(steps: Iterable[Sequence[Fact]], who: str | None = None) -> Faces:
    """The faces that somebody threw, or everybody; whoever was renamed threw them under both names.

    Dice against a roll are the GM's, as are those of doom, of crises, challenges and GMCs. A die that was
    rolled again counts each time. Dice of One-Roll games that are chosen were not thrown (O3).
    """
    counter = _Counter()
    for step in steps:
        counter.hear(step)
    found: dict[int, Counter[int]] = {}
    for each in counter.thrown():
        for size, face in each.dice if each.is_by(who) else ():
            found.setdefault(size, Counter())[face] += 1
    return Faces({size: dict(sorted(found[size].items())) for size in sorted(found)})


def _shown(hand: Hand) -> list[tuple[int, int]]:
    """Each die by its size and face; a hitch that an SFX handed over was not thrown (H3)."""
    return [(die.size, die.face) for die in hand.dice if not die.is_handed]


def _tens(roll: OreRoll) -> list[tuple[int, int]]:
    """Each die that was thrown for a One-Roll roll."""
    hands = [(*each.faces, *(each.quick.thrown if each.quick else ())) for each in roll.hands]
    return [(SIDES, face) for hand in hands for face in hand]
