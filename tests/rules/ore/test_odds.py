"""Exact chances of One-Roll pools, and how near the quick roll's table comes."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.ore import pool as ore_pool
from rules.ore.model import OreHand, sets
from rules.ore.notation import read
from rules.ore.odds import OreOdds, full_set, odds
from rules.ore.placing import change_tens_of, changeable
from rules.ore.pool import WIDEST, OrePool, QuickDice
from rules.values import replace
from tests.rules.ore.hands import pools


def partitions(dice: int, most: int) -> Iterator[tuple[int, ...]]:
    """All ways to part dice into groups, the largest first."""
    if not dice:
        yield ()
    for group in range(min(dice, most), 0, -1):
        yield from ((group, *rest) for rest in partitions(dice - group, group))


def widest(dice: int) -> dict[int, Fraction]:
    """How often each width is the widest, 0 for no set, counted by which dice are equal."""
    found: Counter[int] = Counter()
    for groups in partitions(dice, dice):
        ways = factorial(dice)
        for group in groups:
            ways //= factorial(group)
        left = 10
        for count in Counter(groups).values():
            ways *= comb(left, count)
            left -= count
        if len(groups) <= 10:
            found[groups[0] if groups[0] > 1 else 0] += ways
    assert found.total() == 10**dice
    return {width: Fraction(ways, 10**dice) for width, ways in found.items()}


def best(hands: Counter[OreHand]) -> tuple[Counter[int], Counter[int]]:
    """How often each width is the widest, and each height the highest, that the roller can make of a hand."""
    widths, heights = Counter[int](), Counter[int]()
    for hand, count in hands.items():
        found = [one for end in endings(hand) for one in sets(end)]
        widths[max((one.width for one in found), default=0)] += count
        heights[max((one.height for one in found), default=0)] += count
    return widths, heights


def endings(hand: OreHand) -> Iterator[OreHand]:
    """What a hand can become by changing its tens and placing its wiggle dice, by a rule of its own (O3)."""
    pool = hand.pool
    fixed = [10] * pool.hard + [value for value in (pool.expert, pool.called) if value]
    for one in (hand, *(change_tens_of(hand, height) for height in changeable(hand))):
        rolled = list(one.faces) if one.quick is None else list(one.quick.heights)
        if one.to:
            rolled[0] = one.to
        partners = {*rolled, *(height for height in fixed if fixed.count(height) > 1)}
        ways = combinations_with_replacement(range(1, 11), pool.wiggle)
        allowed = [way for way in ways if all(way.count(h) > 1 or h in partners for h in way)]
        yield from [replace(one, placed=way) for way in allowed] or [one]


def full_hands(pool: OrePool) -> Counter[OreHand]:
    """Every way that the dice can fall, in whatever order."""
    faces = Counter(tuple(sorted(shown)) for shown in product(range(1, 11), repeat=pool.rolled))
    return Counter({OreHand(pool, shown): count for shown, count in faces.items()})


def quick_hands(pool: OrePool) -> Counter[OreHand]:
    """Every way that the dice of a quick roll can fall, each width as often as its share of a hundred."""
    tens = range(1, 11)
    faces = {ore_pool.width(pool.rolled, *face): face for face in product(tens, tens)}
    count = 1 + pool.wiggle if pool.rolled and (pool.wiggle or pool.rolled > 1) else 0
    heights = list(product(tens, repeat=count))
    return Counter(
        {
            OreHand(pool, quick=QuickDice(*faces[width], shown)): share
            for width, share in ore_pool.chances(pool.rolled).items()
            for shown in heights
        }
    )


def share(values: Counter[int], least: int) -> Fraction:
    return Fraction(sum(count for value, count in values.items() if value >= least), values.total())


@pytest.mark.slow
@settings(max_examples=25)
@given(pools(4, wiggles=2).filter(lambda pool: pool.rolled <= 3))
def test_O1_the_odds_of_a_full_roll_are_those_that_brute_force_finds(pool: OrePool) -> None:
    widths, heights = best(full_hands(pool))
    found = odds(pool)
    assert {n: each.full for n, each in found.widths.items()} == {
        n: share(widths, n) for n in range(2, WIDEST + 1)
    }
    assert {n: each.full for n, each in found.heights.items()} == {n: share(heights, n) for n in range(1, 11)}


@settings(max_examples=10)
@given(pools(4, wiggles=2).filter(lambda pool: pool.rolled <= 3), st.integers(2, 5), st.integers(1, 10))
def test_O6_the_odds_of_a_set_so_wide_and_so_high_are_those_that_brute_force_finds(
    pool: OrePool, width: int, height: int
) -> None:
    hands = full_hands(pool)
    found = sum(count for hand, count in hands.items() if is_reached(hand, width, height))
    assert full_set(pool, width, height) == Fraction(found, hands.total())


def is_reached(hand: OreHand, width: int, height: int) -> bool:
    """Whether the roller can make a set so wide and so high of a hand."""
    return any(one.width >= width and one.height >= height for end in endings(hand) for one in sets(end))


@settings(max_examples=8)
@given(pools(6, wiggles=1))
def test_O3_the_odds_of_a_quick_roll_are_those_that_brute_force_finds(pool: OrePool) -> None:
    compare_quick(pool)


@pytest.mark.parametrize(
    "typed",
    [
        "5d 1w 1h e7 c3",
        "4d 1w e10",
        "6d 1h c10",
        "5d e7",
        "1d 2w e7",
        "1d 1w e7",
        "4d 1w 1h",
        "2d 1w 2h",
        "2d 1w 1h e10",
        "3d 1w e7 c7",
        "1d 1w c7 1h",
        "1w 2h",
        "1w 1h e7",
        "1w e7",
    ],
)
def test_O3_the_odds_of_a_quick_roll_with_several_kinds_of_special_dice(typed: str) -> None:
    compare_quick(read(typed))


@pytest.mark.parametrize(
    "typed",
    ["3d 1w e7", "2d 1w 1h", "2d 1w 2h", "2d 1w 1h e10", "3d 1w e7 c7", "1d 1w c7 1h", "1w 2h", "1w e7"],
)
def test_O3_the_odds_of_a_full_roll_with_a_single_wiggle_die(typed: str) -> None:
    pool = read(typed)
    widths, heights = best(full_hands(pool))
    found = odds(pool)
    assert {n: each.full for n, each in found.widths.items()} == {
        n: share(widths, n) for n in range(2, WIDEST + 1)
    }
    assert {n: each.full for n, each in found.heights.items()} == {n: share(heights, n) for n in range(1, 11)}


def compare_quick(pool: OrePool) -> None:
    widths, heights = best(quick_hands(pool))
    found = odds(pool)
    assert {n: each.quick for n, each in found.widths.items()} == {
        n: share(widths, n) for n in range(2, WIDEST + 1)
    }
    assert {n: each.quick for n, each in found.heights.items()} == {
        n: share(heights, n) for n in range(1, 11)
    }


@pytest.mark.parametrize("dice", range(2, 11))
def test_O1_the_widest_sets_are_those_of_the_full_distribution(dice: int) -> None:
    exact = widest(dice)
    for least in range(2, 11):
        assert full_set(OrePool(dice), least, 1) == sum(c for width, c in exact.items() if width >= least)


def test_O2_the_table_is_nowhere_further_from_the_full_distribution_than_this() -> None:
    gaps = {
        (dice, width): abs(widest(dice).get(width, Fraction(0)) - Fraction(shares.get(width, 0), 100))
        for dice in range(2, 11)
        for shares in [ore_pool.chances(dice)]
        for width in range(11)
    }
    worst = max(gaps, key=lambda cell: gaps[cell])
    assert worst == (6, 3)
    assert gaps[worst] == Fraction(1451, 10_000)
    assert max(gap for (dice, _), gap in gaps.items() if dice != 6) == Fraction(119_164, 1_000_000)


@pytest.mark.parametrize(
    ("typed", "any_set", "wide", "ten"),
    [
        ("2d", 0.1, 0, 0.01),
        ("10d", 1 - factorial(10) / 10**10, 0, 0),
        ("2d 1w", 1, 0.1, 0.19),
        ("5d 2w", 1, 1, 1),
        ("2d 2h", 1, 0.19, 1),
        ("10d 10w", 1, 1, 1),
    ],
)
def test_known_chances(typed: str, any_set: float, wide: float, ten: float) -> None:
    pool = read(typed)
    assert float(full_set(pool, 2, 1)) == pytest.approx(any_set)
    if wide:
        assert float(full_set(pool, 3, 1)) == pytest.approx(wide)
    if ten:
        assert float(full_set(pool, 2, 10)) == pytest.approx(ten)


@given(pools())
def test_chances_never_rise_with_what_is_wanted(pool: OrePool) -> None:
    found: OreOdds = odds(pool)
    for chances in (found.widths, found.heights):
        for kind in ("full", "quick"):
            row = [getattr(chance, kind) for _, chance in sorted(chances.items())]
            assert row == sorted(row, reverse=True)
            assert all(0 <= chance <= 1 for chance in row)
    assert found.widths[2] == found.heights[1]
