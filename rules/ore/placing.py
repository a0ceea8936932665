"""Where wiggle dice go, and what tens count as: every useful way, the best ones first (O1, O3)."""

from collections.abc import Iterable

from rules.errors import NotAllowed
from rules.names import one_of
from rules.ore.model import (
    HEIGHTS,
    OreHand,
    OreSet,
    joinable,
    order,
    sets,
    wide,
)
from rules.ore.pool import SIDES, special
from rules.text import Words
from rules.values import replace

MOST_OFFERED = 7
"""So many ways to place wiggle dice are offered; any other can be typed."""


def offered(hand: OreHand) -> list[tuple[int, ...]]:
    """Return ways to place all wiggle dice to make sets, without duplicates.

    The widest set comes first, then the highest, then the other ways with all dice together, then those
    that split them.
    """
    if not hand.pool.wiggle:
        return []
    found = [*best(hand), *_of_use(hand, _together(hand)), *_of_use(hand, _parted(hand))]
    return [way for way in dict.fromkeys(found) if way][:MOST_OFFERED]


def best(hand: OreHand) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the placement of all wiggle dice that makes the widest set, and the one for the highest.

    Both are empty if no placement makes a set, because the dice to join are spoiled.
    """
    together = _of_use(hand, _together(hand))
    return (together[0], max(together, key=lambda way: _height(hand, way))) if together else ((), ())


def placed(hand: OreHand, where: Iterable[int]) -> OreHand:
    """Return the hand with all its wiggle dice placed at those heights.

    Raises NotAllowed if the number doesn't match, a single die has nothing to join there, or nothing
    would change.
    """
    ways = tuple(sorted(where, reverse=True))
    pool = hand.pool
    if not pool.wiggle:
        raise NotAllowed("That roll has no wiggle dice.")
    example = " ".join(["6"] * pool.wiggle)
    if len(ways) != pool.wiggle or any(height not in HEIGHTS for height in ways):
        raise NotAllowed(
            "Give each {wiggle_name} die a height from 1 to {sides} ({wiggle} in all). Example: {example}",
            sides=SIDES,
            wiggle=pool.wiggle,
            wiggle_name=special(pool.wiggle_name),
            example=example,
        )
    lost = [height for height in ways if not _may_be_at(hand, height, ways.count(height))]
    if lost:
        raise NotAllowed(
            "You can't set a single {wiggle_name} die to {lost}: no rolled die shows that height. {instead}",
            wiggle_name=special(pool.wiggle_name),
            lost=lost[0],
            instead=Words("Try {shown}, or set two or more to the same height.", shown=one_of(shown))
            if (shown := joinable(hand))
            else Words("Set two or more to the same height."),
        )
    after = replace(hand, placed=ways)
    if hand.placed == ways:
        raise NotAllowed(
            "The {wiggle_name} dice are already at those heights.", wiggle_name=special(pool.wiggle_name)
        )
    return after


def changeable(hand: OreHand) -> list[int]:
    """Return the heights that a quick set of tens may be changed to, or back to (O3)."""
    if not hand.quick or not wide(hand) or hand.quick.heights[0] != SIDES or hand.is_settled:
        return []
    now = hand.to or SIDES
    values = (SIDES, hand.pool.expert, hand.pool.called)
    return [value for value in dict.fromkeys(values) if value and value != now]


def change_tens_of(hand: OreHand, height: int) -> OreHand:
    """Return the hand with its set of tens at another height, and its wiggle dice to be placed again.

    Raises NotAllowed if the set can't have that height.
    """
    if height not in changeable(hand):
        raise NotAllowed("That set already has that height, or can't change to it.")
    return replace(hand, to=0 if height == SIDES else height, placed=())


def _may_be_at(hand: OreHand, height: int, count: int) -> bool:
    return count > 1 or height in joinable(hand)


def _together(hand: OreHand) -> Iterable[tuple[int, ...]]:
    """All wiggle dice at one height."""
    return ((height,) * hand.pool.wiggle for height in reversed(HEIGHTS))


def _parted(hand: OreHand) -> Iterable[tuple[int, ...]]:
    """The wiggle dice at two heights."""
    count = hand.pool.wiggle
    return (
        tuple(sorted((one,) * some + (other,) * (count - some), reverse=True))
        for one in reversed(HEIGHTS)
        for other in range(one - 1, 0, -1)
        for some in range(count - 1, 0, -1)
    )


def _of_use(hand: OreHand, ways: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Those ways that put every wiggle die into a set, the one with the best sets first."""
    allowed = [way for way in ways if all(_may_be_at(hand, height, way.count(height)) for height in {*way})]
    made = {way: sets(replace(hand, placed=way)) for way in allowed}
    useful = [way for way in allowed if {one.height for one in made[way]}.issuperset(way)]
    return sorted(useful, key=lambda way: list(map(order, made[way])), reverse=True)


def _height(hand: OreHand, way: tuple[int, ...]) -> tuple[int, int, list[tuple[int, int]]]:
    made = sets(replace(hand, placed=way))
    best = max(made, key=lambda one: (one.height, one.width), default=OreSet(0, 0))
    return best.height, best.width, list(map(order, made))
