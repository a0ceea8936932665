"""Pools of One-Roll games as people type them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotAllowed, Unreadable
from rules.ore.notation import read
from rules.ore.pool import OrePool, write
from tests import strategies
from tests.rules import people
from tests.rules.ore.hands import pools


@pytest.mark.parametrize(
    ("typed", "pool"),
    [
        ("7d", OrePool(7)),
        ("7", OrePool(7)),
        ("7d10", OrePool(7)),
        ("7 D", OrePool(7)),
        ("5d 2w 1h e7 c3", OrePool(5, 1, 2, 7, 3)),
        ("5d+2w", OrePool(5, wiggle=2)),
        ("5d, 2 wiggle dice and 1 hard die", OrePool(5, 1, 2)),
        ("4d 2wd 1hd ed 7", OrePool(4, 1, 2, 7)),
        ("5d trump", OrePool(5, wiggle=1, wiggle_name="trump")),
        ("5d 1m", OrePool(5, wiggle=1, wiggle_name="master")),
        ("5d awesome x2", OrePool(5, wiggle=1, wiggle_name="awesome ×2")),
        ("5d 2 awesome ×2", OrePool(5, wiggle=2, wiggle_name="awesome ×2")),
        ("5d awesome 7", OrePool(5, expert=7, expert_name="awesome")),
        ("5d expert: 10 called:1", OrePool(5, expert=10, called=1)),
        ("2w", OrePool(wiggle=2)),
        ("3d 4d", OrePool(7)),
    ],
)
def test_O1_a_pool_is_read_with_its_special_dice_by_their_names_in_each_game(
    typed: str, pool: OrePool
) -> None:
    assert read(typed) == pool


def test_O1_options_add_to_what_is_typed() -> None:
    assert read("5d 1w", hard=1, wiggle=1, expert=7, called=3) == OrePool(5, 1, 2, 7, 3)


@given(pools())
def test_what_is_written_reads_back_as_the_same_pool(pool: OrePool) -> None:
    assert read(write(pool)) == pool


@pytest.mark.parametrize(
    ("typed", "options", "because"),
    [
        ("1d", {}, "That's 1 die. A pool needs at least 2 dice"),
        ("0d", {}, "That's 0 dice. A pool needs at least 2 dice"),
        ("31d", {}, '"31d" is too many dice; the limit is 30'),
        ("5d - 4d", {}, "That's 1 die. A pool needs at least 2 dice"),
        ("2d c3 - 2d", {}, "A called shot needs a normal die, and this pool has none"),
        ("1w", {}, "That's 1 die. A pool needs at least 2 dice"),
        ("2w 11h", {}, "That's 11 hard dice; a pool can have at most 10 of a kind"),
        ("10d 9w 1h", {"wiggle": 2}, "That's 11 wiggle dice; a pool can have at most 10 of a kind"),
        ("5d", {"hard": -1}, "A pool can't have -1 hard dice"),
        ("5d", {"wiggle": -1}, "A pool can't have -1 wiggle dice"),
        ("2w c3", {}, "A called shot needs a normal die, and this pool has none"),
        ("1d c3", {}, "That's 1 die. A pool needs at least 2 dice"),
        ("5d e11", {}, "The expert die can show 1 to 10, not 11"),
        ("5d awesome 11", {}, "The awesome die can show 1 to 10, not 11"),
        ("5d", {"called": 0}, "The called die can show 1 to 10, not 0"),
        ("5d", {"expert": -3}, "The expert die can show 1 to 10, not -3"),
        ("5d e7", {"expert": 3}, "one expert die, not 7 and 3"),
        ("5d c7 c3", {}, "A pool can have only one called die, not 7 and 3"),
        ("5d e7 e7", {}, "one expert die, not 7 and 7"),
    ],
)
def test_a_pool_out_of_range_is_refused_with_what_is_possible(
    typed: str, options: dict[str, Any], because: str
) -> None:
    with pytest.raises(NotAllowed) as refusal:
        read(typed, **options)
    said, has_example, example = str(refusal.value).partition("Example: ")
    assert because in said
    assert not has_example or read(example)


@pytest.mark.parametrize(
    ("typed", "dice", "special"),
    [
        ("10d 10w", 10, 10),
        ("10d c3 2w 1h e7", 10, 4),
        ("2d 2w", 2, 2),
        ("2d 1w e7", 2, 2),
        ("1d 10h", 1, 10),
        ("1d e7", 1, 1),
        ("10w", 0, 10),
    ],
)
def test_O3_special_dice_are_beside_the_normal_ones(typed: str, dice: int, special: int) -> None:
    assert (read(typed).dice, read(typed).special) == (dice, special)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("2d6", '"2d6" isn\'t a One-Roll die: One-Roll dice are all d10\\. Example: 5d 2w'),
        ("d8", '"d8" isn\'t a One-Roll die: One-Roll dice are all d10\\. Example: 5d 2w'),
        ("5d!", r'"!" isn\'t a One-Roll die\. Use 5d, 2w, 1h, e7 or c3'),
        ("5d vs 4d", r'A One-Roll pool has no opposition\. Leave out "vs"'),
        ("x" * 201, "That's 201 characters; the limit is 200"),
        ("", r"That pool has no dice\. Example: 5d 2w"),
        (" , ", r"That pool has no dice\. Example: 5d 2w"),
    ],
)
def test_what_is_no_die_of_these_games_is_refused_with_those_that_are(typed: str, says: str) -> None:
    with pytest.raises(Unreadable, match=says):
        read(typed)


@given(strategies.typed() | st.text("0123456789dwhec ,+x-", max_size=30))
def test_whatever_is_typed_is_a_pool_in_range_or_a_refusal(typed: str) -> None:
    pool = people.tried(lambda: read(typed))
    if pool:
        assert pool.dice + pool.special >= 2
        assert pool.rolled >= 0
        assert max(pool.dice, pool.special) <= 10
        assert pool.dice < 2 or pool.special <= pool.dice
