"""Exact chances of full and quick One-Roll pools (O1 to O3)."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import comb

from rules.ore import pool as ore_pool
from rules.ore.model import HEIGHTS
from rules.ore.pool import SIDES, WIDEST, OrePool
from rules.values import Value

CERTAIN = Fraction(1)


class Chance(Value):
    """A probability from 0 to 1, for the full roll and for the quick one."""

    full: Fraction
    quick: Fraction

    @property
    def gap(self) -> Fraction:
        """How far apart the two probabilities are."""
        return abs(self.full - self.quick)


class OreOdds(Value):
    """The odds of a pool: the widest set has at least each width, the highest set at least each height.

    Wiggle dice and changeable sets of tens are used as suits each goal. Any set at all is width 2 or
    more.
    """

    pool: OrePool
    widths: Mapping[int, Chance]
    heights: Mapping[int, Chance]


def odds(pool: OrePool) -> OreOdds:
    """Return all the odds of a pool (O1 to O3)."""
    widest, highest = dict(_quick_widths(pool)), dict(_quick_heights(pool))
    widths = {n: Chance(full_set(pool, n, 1), _at_least(widest, n)) for n in range(2, WIDEST + 1)}
    heights = {n: Chance(full_set(pool, 2, n), _at_least(highest, n)) for n in HEIGHTS}
    return OreOdds(pool, widths, heights)


def full_set(pool: OrePool, width: int, height: int) -> Fraction:
    """Return the probability of a set at least so wide and high in a full roll, wiggle dice added (O1, O6).

    >>> full_set(OrePool(2), 2, 1), full_set(OrePool(2), 2, 6), full_set(OrePool(2, wiggle=1), 2, 1)
    (Fraction(1, 10), Fraction(1, 20), Fraction(1, 1))
    """
    short = width - 1 - pool.wiggle
    most = [short - pool.fixed(h) if h >= height else pool.rolled for h in HEIGHTS]
    if pool.wiggle == 1:  # it joins no single die but a rolled one (O3)
        most = [limit if pool.fixed(h) > 1 else max(0, limit) for h, limit in zip(HEIGHTS, most, strict=True)]
    return CERTAIN - _none(pool, most)


def set_chances(pool: OrePool, least: Fraction = Fraction(1, 2000)) -> dict[int, dict[int, Fraction]]:
    """Return the chance of a set at least so wide and high, by width from 2 up and then by height.

    Widths that come more rarely than `least` are left out, but for the first.

    >>> set_chances(OrePool(2)).keys(), set_chances(OrePool(2))[2][10]
    (dict_keys([2]), Fraction(1, 100))
    """
    widths = [n for n in range(2, WIDEST + 1) if n == 2 or full_set(pool, n, 1) >= least]
    return {width: {height: full_set(pool, width, height) for height in HEIGHTS} for width in widths}


def _none(pool: OrePool, most: list[int]) -> Fraction:
    """The chance that no height comes up more often than that, the heights taken one after another."""
    ways = [1] + [0] * pool.rolled
    for limit in most:
        ways = [
            sum(comb(count, here) * ways[count - here] for here in range(min(count, limit) + 1))
            for count in range(pool.rolled + 1)
        ]
    return Fraction(ways[pool.rolled], SIDES**pool.rolled)


def _quick_widths(pool: OrePool) -> Iterator[tuple[int, Fraction]]:
    """The widest set of every quick roll, with its chance."""
    found: dict[int, Fraction] = {}
    for wide, height, chance in _sets(pool):
        for joined, share in _joined(pool):
            best = _widest(pool, wide, height, joined)
            found[best] = found.get(best, Fraction(0)) + chance * share
    yield from found.items()


def _widest(pool: OrePool, wide: int, height: int, joined: int) -> int:
    """How wide the widest set can be made; `joined` is the most that a wiggle die finds on a height die."""
    fixed = max(map(pool.fixed, HEIGHTS))
    # A single wiggle die joins no single hard, expert or called die (O3).
    found = [fixed if pool.wiggle != 1 or fixed > 1 else 0, joined]
    if wide:
        found += [wide + pool.fixed(to) for to in _changes(pool, height)]
    elif height and pool.wiggle:
        found.append(1 + pool.fixed(height))
    return max(found) + pool.wiggle


def _changes(pool: OrePool, height: int) -> list[int]:
    """The heights that a set may have: a 10 may be changed to a value (O3)."""
    return [height, *(value for value in (pool.expert, pool.called) if value and height == SIDES)]


def _joined(pool: OrePool) -> Iterator[tuple[int, Fraction]]:
    """The most dice there can be on one of the further height dice, with the chance of it (O3)."""
    if not pool.wiggle or not pool.rolled:
        yield 0, CERTAIN
        return
    below = Fraction(0)
    for fixed in sorted({pool.fixed(height) for height in HEIGHTS}):
        up_to = Fraction(sum(pool.fixed(height) <= fixed for height in HEIGHTS), SIDES) ** pool.wiggle
        yield 1 + fixed, up_to - below
        below = up_to


def _quick_heights(pool: OrePool) -> Iterator[tuple[int, Fraction]]:
    """The highest set of every quick roll, with its chance."""
    if pool.wiggle > 1:
        yield SIDES, CERTAIN
        return
    found: dict[int, Fraction] = {}
    further = list(HEIGHTS) if pool.wiggle and pool.rolled else [0]
    ready = [height for height in HEIGHTS if pool.fixed(height) > 1]
    for wide, height, chance in _sets(pool):
        own = height if wide or pool.wiggle else 0
        for other in further:
            best = max([own, other, *ready])
            found[best] = found.get(best, Fraction(0)) + chance / len(further)
    yield from found.items()


def _sets(pool: OrePool) -> Iterator[tuple[int, int, Fraction]]:
    """Every width with every height, and the chance of the two; 0 for a height that is not rolled."""
    heights = list(HEIGHTS) if pool.rolled else [0]
    for wide, hundredths in ore_pool.chances(pool.rolled).items():
        for height in heights:
            yield wide, height, Fraction(hundredths, SIDES * SIDES * len(heights))


def _at_least(found: Mapping[int, Fraction], least: int) -> Fraction:
    return sum((chance for value, chance in found.items() if value >= least), Fraction(0))
