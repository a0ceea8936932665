"""The state of a One-Roll table: dice, sets, rolls and facts, and how dice are thrown (O1 to O5)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice

from rules.dice import Throw
from rules.facts import Event, Told
from rules.game import Tag
from rules.names import Label, Name
from rules.ore import pool as ore_pool
from rules.ore.pool import FEWEST, MOST, SIDES, OrePool, QuickDice
from rules.table import Part, Table
from rules.values import exhaustive, replace

HEIGHTS = range(1, SIDES + 1)
"""All heights that a set can have."""


class OreKind(StrEnum):
    """How a One-Roll pool was rolled."""

    FULL = "full"
    QUICK = "quick"
    ACTIONS = "actions"
    CROWD = "crowd"


PARTS = exhaustive(
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
    return ore_pool.width(hand.pool.rolled, dice.width, dice.second) if dice else 0


def heights(hand: OreHand) -> tuple[int, ...]:
    """The heights of a quick roll, that of its set first, changed where its 10 was changed (O3)."""
    shown = hand.quick.heights if hand.quick else ()
    return (hand.to, *shown[1:]) if hand.to else shown


def full(pool: OrePool, throw: Throw) -> OreHand:
    """Every normal die is rolled (O1)."""
    return OreHand(pool, tuple(sorted(tens(throw, pool.rolled))))


def fast(pool: OrePool, throw: Throw) -> OreHand:
    """A width die and a height die, and a height die more for each wiggle die (O2, O3).

    Under two normal dice there is no width to read, and heights only for wiggle dice to join.
    """
    widths = int(pool.rolled >= FEWEST)
    faces = tens(throw, widths + max(widths, _joinable(pool)))
    width = faces[0] if widths else 0
    (second,) = tens(throw, 1) if ore_pool.is_again(pool.rolled, width) else (0,)
    return OreHand(pool, quick=QuickDice(width, second, tuple(faces[widths:])))


def _joinable(pool: OrePool) -> int:
    """How many height dice wiggle dice can join: the usual one too, though there be no width (O3)."""
    return pool.wiggle + 1 if pool.wiggle and pool.rolled else 0


def crowd(pools: Sequence[OrePool], throw: Throw) -> tuple[OreHand, ...]:
    """Many pools: all width dice, then all second ones, then heights for those with a set (O5).

    A pool with wiggle dice has heights for them to join as well (O3). One with more normal dice than the
    quick roll knows is rolled die by die, before the others.
    """
    large = {place: full(pool, throw) for place, pool in enumerate(pools) if pool.dice > MOST}
    hands = iter(_quick_crowd([pool for pool in pools if pool.dice <= MOST], throw))
    return tuple(large.get(place) or next(hands) for place in range(len(pools)))


def _quick_crowd(pools: Sequence[OrePool], throw: Throw) -> Iterator[OreHand]:
    able = [pool for pool in pools if pool.rolled >= FEWEST]
    widths = iter(tens(throw, len(able)))
    first = [next(widths) if pool.rolled >= FEWEST else 0 for pool in pools]
    again = [ore_pool.is_again(pool.rolled, face) for pool, face in zip(pools, first, strict=True)]
    seconds = iter(tens(throw, sum(again)))
    dice = [QuickDice(face, next(seconds) if more else 0) for face, more in zip(first, again, strict=True)]
    hands = [OreHand(pool, quick=each) for pool, each in zip(pools, dice, strict=True)]
    counts = [max(int(bool(wide(hand))), _joinable(hand.pool)) for hand in hands]
    heights = iter(tens(throw, sum(counts)))
    shown = [tuple(islice(heights, count)) for count in counts]
    rolled = zip(hands, dice, shown, strict=True)
    return (replace(hand, quick=replace(each, heights=row)) for hand, each, row in rolled)


def tens(throw: Throw, count: int) -> Sequence[int]:
    """So many d10; nothing is thrown for none."""
    return throw([SIDES] * count) if count else ()


@dataclass(frozen=True, slots=True)
class OneRollRating:
    """What somebody has in a One-Roll game, as dice of a pool: `3d`, `2d 1w` (O1)."""

    label: Label
    dice: str


@dataclass(frozen=True, slots=True)
class OreCharacter:
    """What a character has of a One-Roll game."""

    ratings: Mapping[str, OneRollRating] = field(default_factory=dict)
    """By key."""


@dataclass(frozen=True, slots=True)
class OreTable:
    """What a table has of a One-Roll game."""

    rolls: Mapping[int, OreRoll] = field(default_factory=dict)
    """By number."""


ORE = Part("ore", OreTable, OreCharacter, OreRoll)
"""Where it is found."""


@dataclass(frozen=True, slots=True)
class Acting:
    """A set in the order of action: its place, equal sets sharing one, and of which pool of a roll it is."""

    place: int
    roll: OreRoll
    hand: int
    made: OreSet


def acting(table: Table) -> list[Acting]:
    """The sets of everybody's latest roll, in the order in which they act."""
    found = [
        (made, roll, number)
        for roll in latest(table)
        for number, hand in enumerate(roll.hands)
        for made in sets(hand)
    ]
    found.sort(key=lambda each: order(each[0]), reverse=True)
    kinds = [made for made, *_ in found]
    return [Acting(kinds.index(made) + 1, roll, hand, made) for made, roll, hand in found]


def idle(table: Table) -> list[str]:
    """Who has rolled and has no set."""
    return [roll.who for roll in latest(table) if not any(map(sets, roll.hands))]


def latest(table: Table) -> list[OreRoll]:
    """The latest roll of everybody; of the GM, and of crowds, the latest of each note."""
    newest: dict[tuple[str, str], OreRoll] = {}
    for _, roll in sorted(ORE.of(table).rolls.items()):
        is_many = roll.gm or roll.kind is OreKind.CROWD
        newest[roll.who, roll.note if is_many else ""] = roll
    return list(newest.values())


def set_owner(roll: OreRoll, number: int) -> str:
    """Whose set it is: of a crowd which pool, of several actions which one."""
    of = f" ({roll.note})" if roll.note else ""
    part = PARTS[roll.kind]
    return f"{roll.who}{of}, {part} {number + 1}" if part else f"{roll.who}{of}"


@dataclass(frozen=True, slots=True)
class OreClosed(Event):
    """A new round of a One-Roll game: the rolls of these are closed."""

    who: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class OreRolled(Told):
    """Dice of a One-Roll game were rolled (O1, O2, O4, O5)."""

    roll: OreRoll


@dataclass(frozen=True, slots=True)
class OreChanged(Told):
    """A One-Roll roll was changed by its roller: wiggle dice at heights, or its 10 at another height."""

    roll: OreRoll
    placed: tuple[int, ...] = ()
    tens: int = 0


@dataclass(frozen=True, slots=True)
class OreGobbled(Told):
    """Dice of one's set spoiled dice of somebody's set; `after` is what is left of it, if it is one still.

    `roll` is the roll that gobbled, `prey` that of the spoiled set, which is of its pool `hand`.
    """

    roll: OreRoll
    own: OreSet
    prey: OreRoll
    hand: int
    spoiled: OreSet
    count: int
    after: OreSet | None = None


OreFact = OreClosed | OreRolled | OreChanged | OreGobbled
"""The facts of One-Roll games."""


TAGS: tuple[Tag, ...] = (
    (OreClosed, "ore closed", "OreClosed"),
    (OreRolled, "ore", "OreRolled"),
    (OreChanged, "ore changed", "OreChanged"),
    (OreGobbled, "ore gobbled", "OreGobbled"),
)
"""Rows are only ever added, and none is ever changed."""
