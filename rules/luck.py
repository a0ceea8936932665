"""The faces that people threw, and how far they are from what is expected."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from rules.cortex.outcome import gm_hand
from rules.facts import DiceRerolled
from rules.kinds import key
from rules.result import Fact, RollChanged, RollMade
from rules.roller import GM
from rules.table import Hand, Roll

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
        spread = sqrt(sum(self.count(size) * (size**2 - 1) / 12 for size in self.of))
        return 2 * (1 - NormalDist().cdf(abs(self.beyond) * self.dice / spread))


def faces(steps: Iterable[Sequence[Fact]], who: str | None = None) -> Faces:
    """The faces that somebody threw in rolls of pools, or everybody.

    Dice against a roll are the GM's, as are those of doom, of crises, challenges and GMCs. A die that was
    rolled again counts each time.
    """
    found: dict[int, Counter[int]] = {}
    rolls: dict[int, Roll] = {}

    def threw(names: Iterable[str], dice: Iterable[tuple[int, int]]) -> None:
        for size, face in dice if who is None or key(who) in map(key, names) else ():
            found.setdefault(size, Counter())[face] += 1

    for step in steps:
        for fact in step:
            if isinstance(fact, RollMade) or (isinstance(fact, RollChanged) and fact.roll.number in rolls):
                rolls[fact.roll.number] = fact.roll
            elif isinstance(fact, DiceRerolled):
                threw([fact.who], zip((die.size for die in fact.dice), fact.faces, strict=True))
    for roll in rolls.values():
        threw([roll.who, GM] if roll.gm else [roll.who], _shown(roll.hand))
        against = None if roll.gm else gm_hand(roll)
        if against is not None:
            threw([GM], _shown(against))
    return Faces({size: dict(sorted(found[size].items())) for size in sorted(found)})


def _shown(hand: Hand) -> Iterable[tuple[int, int]]:
    """Each die by its size and face."""
    return ((die.size, die.face) for die in hand.dice)
