"""The quick roll: its table cell by cell, and the rules for special dice."""

from collections import Counter
from collections.abc import Sequence
from itertools import product

import pytest

from rules.dice import Throw
from rules.errors import NotAllowed
from rules.ore import model, pool
from rules.ore.model import OreHand, OreSet, sets
from rules.ore.notation import read
from rules.ore.placing import change_tens_of, changeable, offered, placed
from rules.ore.pool import SIDES, OrePool
from rules.values import replace
from tests.rules.people import faces, never

TABLE = {
    2: "0 0 0 0 0 0 0 0 0",
    3: "0 0 0 0 0 0 0 2 2",
    4: "0 0 0 0 0 2 2 2 2",
    5: "0 0 0 2 2 2 2 2 2",
    6: "0 2 2 2 2 2 2 3 3",
    7: "0 2 2 2 2 2 2 3 3",
    8: "0 2 2 2 2 2 3 3 3",
    9: "2 2 2 2 2 3 3 3 3",
    10: "2 2 2 2 3 3 3 3 3",
}
"""The width for each face of the width die from 1 to 9, by the number of dice."""
TEN = {
    2: "2 2 2 2 2 2 2 2 2 2",
    3: "2 2 2 2 2 2 2 2 2 3",
    4: "2 2 2 2 2 2 2 3 3 3",
    5: "3 3 3 3 3 3 3 3 3 3",
    6: "3 3 3 3 3 3 3 3 3 4",
    7: "3 3 3 3 3 3 3 3 4 4",
    8: "3 3 3 3 3 3 4 4 4 4",
    9: "4 4 4 4 4 4 4 4 4 5",
    10: "4 4 4 4 4 4 4 4 5 5",
}
"""The width for a 10, by the second roll from 1 to 10."""


def hand(pool: str, *given: int) -> OreHand:
    """A quick roll with these faces, every one of which is thrown."""
    left = list(given)

    def throw(sizes: object) -> list[int]:
        return [left.pop(0) for _ in sizes]  # type: ignore[attr-defined]

    made = model.fast(read(pool), throw)
    assert left == []
    return made


def written(of: OreHand) -> list[str]:
    return [str(one) for one in sets(of)]


@pytest.mark.parametrize("dice", TABLE)
def test_O2_every_cell_of_the_table(dice: int) -> None:
    assert [pool.width(dice, face) for face in range(1, 10)] == [int(n) for n in TABLE[dice].split()]


@pytest.mark.parametrize("dice", TEN)
def test_O2_every_cell_of_the_second_roll(dice: int) -> None:
    assert [pool.width(dice, 10, second) for second in range(1, 11)] == [int(n) for n in TEN[dice].split()]
    assert pool.is_again(dice, 10) is (len(set(TEN[dice].split())) > 1)
    assert not pool.is_again(dice, 9)


@pytest.mark.parametrize("dice", [0, 1])
def test_O2_under_two_dice_there_is_no_set(dice: int) -> None:
    assert {pool.width(dice, face, 10) for face in range(1, 11)} == {0}
    assert pool.chances(dice) == {0: 100}


@pytest.mark.parametrize("dice", range(2, 11))
def test_O2_thrown_often_enough_each_width_is_as_frequent_as_its_cells(dice: int) -> None:
    pool = OrePool(dice)
    # However the width die, the height die and the second die fall, each in all ways.
    found = Counter(
        next((one.width for one in sets(model.fast(pool, shows(*shown)))), 0)
        for shown in product(range(1, 11), repeat=3)
    )
    cells = [int(n) for n in TABLE[dice].split()] * 10 + [int(n) for n in TEN[dice].split()]
    assert found == {width: count * 10 for width, count in Counter(cells).items()}


def shows(*given: int) -> Throw:
    """Ten-sided dice that show these faces, of which some may not be thrown."""
    left = list(given)

    def throw(sizes: Sequence[int]) -> list[int]:
        assert set(sizes) == {SIDES}
        return [left.pop(0) for _ in sizes]

    return throw


def test_O2_the_sources_example() -> None:
    assert written(hand("7d", 5, 6)) == ["2×6"]


def test_O2_the_second_die_is_rolled_after_both_first_ones() -> None:
    assert written(hand("8d", 10, 6, 7)) == ["4×6"]


def test_O2_without_a_width_there_is_no_set() -> None:
    assert written(hand("4d", 5, 6)) == []


def test_O2_under_two_dice_nothing_is_thrown() -> None:
    assert sets(model.fast(read("1d 1h"), never)) == ()
    assert sets(model.fast(read("2h"), never)) == (OreSet(2, 10),)


@pytest.mark.parametrize(
    ("pool", "thrown", "where", "made"),
    [
        ("5d 1w", (4, 6, 3), (6,), ["3×6"]),
        ("5d 1w", (4, 6, 3), (3,), ["2×6", "2×3"]),
        ("5d 2w", (4, 6, 3, 8), (3, 3), ["3×3", "2×6"]),
        ("5d 2w", (4, 6, 3, 8), (8, 3), ["2×8", "2×6", "2×3"]),
        ("5d 2w", (4, 6, 3, 8), (10, 10), ["2×10", "2×6"]),
        ("5d 2w", (4, 6, 6, 6), (6, 6), ["4×6"]),
        ("4d 1w", (1, 6, 3), (6,), ["2×6"]),
        ("4d 2w", (1, 6, 3, 3), (3, 3), ["3×3"]),
        ("5d 1w 2h", (4, 6, 3), (10,), ["3×10", "2×6"]),
        ("5d 1w 1h", (4, 10, 3), (10,), ["4×10"]),
        ("4d 1w 1h", (1, 10, 3), (10,), ["3×10"]),
        ("5d 1w e8", (4, 6, 8), (8,), ["3×8", "2×6"]),
        ("6d 1w e8 c8", (4, 6, 3), (8,), ["3×8", "2×6"]),
        ("5d 2w e8", (4, 6, 3, 2), (8, 8), ["3×8", "2×6"]),
        ("2w", (), (9, 9), ["2×9"]),
        ("1d 1w", (4, 7), (7,), ["2×7"]),
    ],
)
def test_O3_wiggle_dice_widen_a_set_join_a_height_or_make_a_set(
    pool: str, thrown: tuple[int, ...], where: tuple[int, ...], made: list[str]
) -> None:
    assert written(placed(hand(pool, *thrown), where)) == made


@pytest.mark.parametrize("how", ["quick", "full"])
@pytest.mark.parametrize(
    ("pool", "height", "shown"),
    [
        ("3d 1w 1h", 10, "3 or 6"),
        ("3d 1w e8", 8, "3 or 6"),
        ("4d 1w c8", 8, "3 or 6"),
        ("3d 1w 1h e8", 8, "3 or 6"),
        ("3d 1w 1h e8", 10, "3 or 6"),
        ("3d 1w 2h e8", 8, "3, 6 or 10"),
        ("3d 2w e8", 8, "3 or 6"),
        ("3d 1w", 5, "3 or 6"),
    ],
)
def test_O3_a_single_wiggle_die_joins_no_single_die_that_nobody_rolled(
    how: str, pool: str, height: int, shown: str
) -> None:
    of = read(pool)
    if how == "quick":
        made = hand(pool, 10, 6, *[3] * of.wiggle, 1)
    else:
        made = model.full(of, faces(*[3, 6, 6][: of.rolled]))
    where = (height, 3)[: of.wiggle]
    with pytest.raises(
        NotAllowed, match=f"die to {height}: no rolled die shows that height. Try {shown}, or"
    ):
        placed(made, where)
    assert not [way for way in offered(made) if way.count(height) == 1]


@pytest.mark.parametrize("pool", ["1w 1h", "1w e7", "1w 1h e7"])
def test_O3_a_single_wiggle_die_without_any_partner_waits_for_nothing(pool: str) -> None:
    for made in (model.full(read(pool), never), model.fast(read(pool), never)):
        assert (made.waiting, offered(made), sets(made)) == (0, [], ())


@pytest.mark.parametrize(
    ("pool", "thrown", "made"),
    [
        ("5d 1h", (4, 10), ["3×10"]),
        ("5d 3h", (4, 10), ["5×10"]),
        ("5d 1h", (4, 6), ["2×6"]),
        ("5d 2h", (4, 6), ["2×10", "2×6"]),
        ("4d 2h", (1, 10), ["2×10"]),
        ("5d e6", (4, 6), ["3×6"]),
        ("5d e7", (4, 6), ["2×6"]),
        ("4d e6", (1, 6), []),
        ("6d c6", (4, 6), ["3×6"]),
        ("6d c6", (3, 6), []),
        ("5d e10 1h", (4, 10), ["4×10"]),
        ("6d e6 c6", (4, 6), ["4×6"]),
    ],
)
def test_O3_hard_expert_and_called_dice(pool: str, thrown: tuple[int, ...], made: list[str]) -> None:
    assert written(hand(pool, *thrown)) == made


def test_O3_a_set_of_tens_may_be_changed_to_the_value_and_back() -> None:
    rolled = hand("5d e7 1h", 4, 10)
    assert (written(rolled), changeable(rolled)) == (["3×10"], [7])
    seven = change_tens_of(rolled, 7)
    assert (written(seven), changeable(seven)) == (["3×7"], [10])
    assert change_tens_of(seven, 10) == rolled


def test_O3_a_changed_set_lets_hard_dice_make_their_own() -> None:
    assert written(change_tens_of(hand("5d e7 2h", 4, 10), 7)) == ["3×7", "2×10"]


def test_O3_changing_the_tens_takes_the_wiggle_dice_back() -> None:
    rolled = placed(hand("5d 1w e7", 4, 10, 2), (10,))
    assert change_tens_of(rolled, 7).placed == ()


@pytest.mark.parametrize(("pool", "thrown"), [("5d e7", (4, 9)), ("4d e7", (1, 10)), ("5d", (4, 10))])
def test_O3_nothing_else_may_be_changed(pool: str, thrown: tuple[int, ...]) -> None:
    assert changeable(hand(pool, *thrown)) == []


def test_O5_a_crowd_rolls_width_first_and_heights_only_for_sets() -> None:
    rolled = model.crowd([OrePool(4)] * 3 + [OrePool(1, hard=1)], faces(10, 5, 6, 8, 3, 9))
    assert [written(one) for one in rolled] == [["3×3"], [], ["2×9"], []]
    assert [one.quick.heights for one in rolled if one.quick] == [(3,), (), (9,), ()]


def test_O5_pools_of_a_crowd_have_heights_for_their_wiggle_dice() -> None:
    pools = [OrePool(4, wiggle=1), OrePool(4), OrePool(4, wiggle=2)]
    rolled = model.crowd(pools, faces(10, 5, 6, 8, 3, 9, 2, 7, 7))
    assert [hand.quick and hand.quick.heights for hand in rolled] == [(3, 9), (), (2, 7, 7)]


def test_O5_a_crowds_pool_reads_as_a_quick_roll() -> None:
    (one,) = model.crowd([read("6d 1h e10")], faces(5, 10))
    assert one == replace(hand("6d 1h e10", 5, 10))
    assert written(one) == ["4×10"]
