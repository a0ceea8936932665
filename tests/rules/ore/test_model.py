"""Sets of full rolls, and what wiggle dice make of rolls: laws that hold for every hand."""

from collections import Counter
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotAllowed, RuleError
from rules.ore import model
from rules.ore.model import OreHand, loose, order, sets
from rules.ore.notation import read
from rules.ore.placing import MOST_OFFERED, best, offered, placed
from rules.values import replace
from tests.rules.ore.hands import fast, full
from tests.rules.people import faces

HANDS = full() | fast()


def rolled(pool: str, *given: int) -> OreHand:
    return model.full(read(pool), faces(*given))


@pytest.mark.parametrize(
    ("pool", "thrown", "made", "single"),
    [
        ("7d", (3, 6, 6, 9, 1, 2, 10), ["2×6"], (1, 2, 3, 9, 10)),
        ("7d", (3, 6, 6, 9, 9, 3, 9), ["3×9", "2×6", "2×3"], ()),
        ("2d", (3, 4), [], (3, 4)),
        ("3d 2h", (3, 4, 10), ["3×10"], (3, 4)),
        ("3d 1h", (3, 4, 5), [], (3, 4, 5, 10)),
        ("3d e3", (3, 4, 5), ["2×3"], (4, 5)),
        ("3d c3", (3, 4), ["2×3"], (4,)),
        ("10h", (), ["10×10"], ()),
    ],
)
def test_O1_every_set_and_the_loose_dice_apart(
    pool: str, thrown: tuple[int, ...], made: list[str], single: tuple[int, ...]
) -> None:
    hand = rolled(pool, *thrown)
    assert [str(one) for one in sets(hand)] == made
    assert loose(hand) == single


@given(full(), st.lists(st.integers(1, 10), min_size=10, max_size=10))
def test_O1_no_die_is_in_two_sets_and_all_dice_add_up(hand: OreHand, where: list[int]) -> None:
    pool = hand.pool
    all_dice = replace(hand, placed=tuple(where[: pool.wiggle]))
    shown = [*hand.faces, *all_dice.placed, *[10] * pool.hard, *(v for v in (pool.expert, pool.called) if v)]
    heights = [one.height for one in sets(all_dice)]
    assert len(set(heights)) == len(heights)
    assert {one.height: one.width for one in sets(all_dice)} == {
        height: count for height, count in Counter(shown).items() if count > 1
    }
    assert sum(one.width for one in sets(all_dice)) + len(loose(all_dice)) == pool.dice + pool.special


@given(HANDS)
def test_wiggle_dice_never_lower_the_best_set(hand: OreHand) -> None:
    before = sets(hand)[:1]
    for way in offered(hand):
        after = sets(placed(hand, way))
        assert all(order(after[0]) >= order(one) for one in before)
        assert max(one.height for one in after) >= max((one.height for one in sets(hand)), default=0)


@given(HANDS.filter(lambda hand: hand.pool.wiggle <= 3 and bool(offered(hand))))
def test_the_best_width_and_the_best_height_are_offered_first(hand: OreHand) -> None:
    every = [after for after in map(sets, ways(hand)) if after]
    widest, highest = best(hand)
    assert order(sets(placed(hand, widest))[0]) == max(order(after[0]) for after in every)
    top = max((one.height, one.width) for after in every for one in after)
    assert max((one.height, one.width) for one in sets(placed(hand, highest))) == top
    assert offered(hand)[: len({widest, highest})] == list(dict.fromkeys((widest, highest)))


def ways(hand: OreHand) -> list[OreHand]:
    """The hand with its wiggle dice placed in every way that the rules allow."""
    found = []
    for where in combinations_with_replacement(range(1, 11), hand.pool.wiggle):
        try:
            found.append(placed(hand, where))
        except RuleError:
            continue
    return found


@given(HANDS)
def test_what_is_offered_fits_a_menu_and_is_allowed(hand: OreHand) -> None:
    found = offered(hand)
    assert len(found) == len(set(found)) <= MOST_OFFERED
    assert bool(found) is bool(ways(hand))
    for way in found:
        made = {one.height for one in sets(placed(hand, way))}
        assert made.issuperset(way)


@given(HANDS.filter(lambda hand: bool(offered(hand))), st.data())
def test_wiggle_dice_can_be_placed_anew(hand: OreHand, data: st.DataObject) -> None:
    one, other = (data.draw(st.sampled_from(offered(hand))) for _ in range(2))
    once = placed(hand, one)
    if one != other:
        assert placed(once, other) == placed(hand, other)
    else:
        with pytest.raises(NotAllowed, match="already at those heights"):
            placed(once, other)


@pytest.mark.parametrize(
    ("pool", "thrown", "where", "because"),
    [
        ("5d", (1, 2, 3, 4, 5), (6,), "no wiggle dice"),
        ("3d 2w", (1, 2, 3), (6,), r"each wiggle die a height from 1 to 10 \(2 in all\)\. Example: 6 6"),
        ("3d 1m", (1, 2, 3), (6, 6), "each master die a height from 1 to 10"),
        ("3d 1w", (1, 2, 3), (11,), "from 1 to 10"),
    ],
)
def test_O1_all_wiggle_dice_are_placed_together(
    pool: str, thrown: tuple[int, ...], where: tuple[int, ...], because: str
) -> None:
    with pytest.raises(NotAllowed, match=because):
        placed(rolled(pool, *thrown), where)


def test_O3_a_single_wiggle_die_needs_a_die_to_join() -> None:
    hand = model.fast(read("5d 2w"), faces(4, 6, 3, 8))
    with pytest.raises(
        NotAllowed,
        match=(
            r"set a single wiggle die to 9: no rolled die shows that height\. Try 3, 6 or "
            r"8"
        ),
    ):
        placed(hand, (9, 6))


def test_the_largest_pool_makes_the_widest_set() -> None:
    hand = rolled("10d 10w", *[10] * 10)
    assert offered(hand)[0] == (10,) * 10
    assert [str(one) for one in sets(placed(hand, (10,) * 10))] == ["20×10"]
