"""The quick roll: a width die read from a table, and a height die (O2)."""

from collections import Counter
from dataclasses import dataclass

from rules.ore.pool import SIDES

TWO_FROM = {2: 10, 3: 8, 4: 6, 5: 4, 6: 2, 7: 2, 8: 2, 9: 1, 10: 1}
"""For each number of dice, the face of the width die from which the set is two wide."""
THREE_FROM = {5: 10, 6: 8, 7: 8, 8: 7, 9: 6, 10: 5}
"""And from which it is three wide."""
AGAIN = {3: (2, 10), 4: (2, 8), 6: (3, 10), 7: (3, 9), 8: (3, 7), 9: (4, 10), 10: (4, 9)}
"""Where a 10 is rolled again: how wide the set is, and the face of the second die that adds one."""
FEWEST = min(TWO_FROM)
"""Fewer normal dice than this make no set."""


@dataclass(frozen=True, slots=True)
class QuickDice:
    """The dice of a quick roll: the width die, its second roll, 0 where there is none, and height dice.

    The first height is the usual one, the others come with wiggle dice (O3).
    """

    width: int = 0
    second: int = 0
    heights: tuple[int, ...] = ()

    @property
    def thrown(self) -> tuple[int, ...]:
        """The faces of all of them."""
        return tuple(face for face in (self.width, self.second, *self.heights) if face)


def is_again(dice: int, face: int) -> bool:
    """Whether the width die is rolled a second time."""
    return face == SIDES and dice in AGAIN


def width(dice: int, face: int, second: int = 0) -> int:
    """How wide the set is that the width die gives so many normal dice; 0 is no set.

    >>> width(7, 5)
    2
    """
    if is_again(dice, face):
        wide, more_from = AGAIN[dice]
        return wide + (second >= more_from)
    if face >= THREE_FROM.get(dice, SIDES + 1):
        return 3
    return 2 if dice >= FEWEST and face >= TWO_FROM[dice] else 0


def chances(dice: int) -> dict[int, int]:
    """How many of a hundred throws give each width."""
    if dice < FEWEST:
        return {0: SIDES * SIDES}
    faces = range(1, SIDES + 1)
    return dict(sorted(Counter(width(dice, face, second) for face in faces for second in faces).items()))
