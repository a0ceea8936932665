"""Dice of One-Roll Engine games on the table, and the sets that they make (O1, O3)."""

from dataclasses import dataclass
from enum import StrEnum

from rules.every import every
from rules.ore import quick
from rules.ore.pool import SIDES, OrePool
from rules.ore.quick import QuickDice
from rules.texts import Name

HEIGHTS = range(1, SIDES + 1)
"""All heights that a set can have."""


class OreKind(StrEnum):
    """How a One-Roll pool was rolled."""

    FULL = "full"
    QUICK = "quick"
    ACTIONS = "actions"
    CROWD = "crowd"


PARTS = every(
    OreKind, {OreKind.FULL: "", OreKind.QUICK: "", OreKind.ACTIONS: "action", OreKind.CROWD: "pool"}
)
"""What each of several pools that were rolled at once is called; nothing where there is but one."""


@dataclass(frozen=True, slots=True)
class OreSet:
    """A set: `2×6` is two dice that show 6."""

    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.width}×{self.height}"


@dataclass(frozen=True, slots=True)
class OreHand:
    """The dice of one pool, and what has been done with them.

    `faces` are those of a full roll, `quick` the dice of a quick one. `to` is the value that a set of
    height 10 was changed to (O3), `placed` the heights of the wiggle dice, none while they wait. `spoiled`
    are the heights of dice that another roll has gobbled, `spent` those of dice that have gobbled.
    """

    pool: OrePool
    faces: tuple[int, ...] = ()
    quick: QuickDice | None = None
    to: int = 0
    placed: tuple[int, ...] = ()
    spoiled: tuple[int, ...] = ()
    spent: tuple[int, ...] = ()

    @property
    def waiting(self) -> int:
        """How many wiggle dice are still to be placed."""
        return 0 if self.placed else self.pool.wiggle

    @property
    def is_settled(self) -> bool:
        """Whether dice of it have gobbled or been gobbled, so that it stays as it is."""
        return bool(self.spoiled or self.spent)


@dataclass(frozen=True, slots=True)
class OreRoll:
    """A roll of one pool, of several actions, or of a crowd. Its number is the step that made it.

    `player` is who rolled, `who` the name they rolled as, `gm` marks a roll of the GM.
    """

    number: int
    player: int
    who: Name
    hands: tuple[OreHand, ...]
    kind: OreKind = OreKind.FULL
    gm: bool = False
    note: str = ""


def sets(hand: OreHand) -> tuple[OreSet, ...]:
    """Every set, the widest first, of equal widths the highest (O1, O3)."""
    found = [OreSet(count, height) for height, count in counts(hand).items() if count > 1]
    return tuple(sorted(found, key=order, reverse=True))


def order(one: OreSet) -> tuple[int, int]:
    """By what sets come to act: the wider first, then the higher."""
    return one.width, one.height


def loose(hand: OreHand) -> tuple[int, ...]:
    """The dice in no set, the lowest first."""
    return tuple(height for height, count in counts(hand).items() if count == 1)


def counts(hand: OreHand) -> dict[int, int]:
    """How many dice there are at each height, the spoiled ones gone."""
    shown, width = heights(hand), wide(hand)

    def rolled(height: int) -> int:
        if hand.quick is None:
            return hand.faces.count(height)
        if width and shown[0] == height:
            return width
        return int(height in shown and height in hand.placed)  # a loose die that a wiggle die joins

    return {
        height: max(
            0,
            rolled(height) + hand.pool.fixed(height) + hand.placed.count(height) - hand.spoiled.count(height),
        )
        for height in HEIGHTS
    }


def wide(hand: OreHand) -> int:
    """How wide the set is that the width die of a quick roll gave, 0 for none (O2)."""
    dice = hand.quick
    return quick.width(hand.pool.rolled, dice.width, dice.second) if dice else 0


def heights(hand: OreHand) -> tuple[int, ...]:
    """The heights of a quick roll, that of its set first, changed where its 10 was changed (O3)."""
    shown = hand.quick.heights if hand.quick else ()
    return (hand.to, *shown[1:]) if hand.to else shown
