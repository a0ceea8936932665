"""Throwing the dice of One-Roll Engine games (O1, O2, O4, O5)."""

from collections.abc import Iterator, Sequence
from itertools import islice

from rules.dice import Throw
from rules.ore import quick
from rules.ore.pool import MOST, SIDES, OrePool
from rules.ore.quick import FEWEST, QuickDice
from rules.ore.sets import OreHand, wide
from rules.values import replace


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
    (second,) = tens(throw, 1) if quick.is_again(pool.rolled, width) else (0,)
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
    again = [quick.is_again(pool.rolled, face) for pool, face in zip(pools, first, strict=True)]
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
