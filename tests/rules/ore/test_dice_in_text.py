"""One-Roll dice in what people write."""

import pytest

from rules.campaign.seats import Actor
from rules.ore.game import OreWritten, find_dice
from rules.ore.model import ORE, OneRollRating, OreCharacter
from rules.table import Character, Table

ALICE = Actor(2, "Alice")


@pytest.mark.parametrize(
    ("text", "pool", "is_sure"),
    [
        ("I leap the wall (6d 1w)", "6d 1w", True),
        ("I leap with 6d + 1w, and land", "6d + 1w", True),
        ("7d", "7d", False),
        ("[5d 1h e7] now", "5d 1h e7", True),
        ("(as said) 4d", "4d", False),
        ("5d+1hd+1wd", "5d+1hd+1wd", True),
        ("5d + 2 wiggle dice and a hard die", "5d + 2 wiggle dice and a hard die", True),
        ("7d10, 1hd", "7d10, 1hd", True),
        ("I throw 6d and 1w", "6d and 1w", True),
        ("**6d** + __1wd__", "6d + 1wd", True),
        ("> I leap (6d 1wd)\nI follow: 5d 1h", "5d 1h", True),
        ("~~9d 2w~~ 5d 1h", "5d 1h", True),
        ("I leap: Body 3d + Fight 2d", "Body 3d + Fight 2d", False),
        ("Now Grace 3d + Nerve 2d 1w and land", "Now Grace 3d + Nerve 2d 1w", True),
        ("In the dark, 6d - 2d", "6d - 2d", False),
        ("6d, hard to say", "6d", False),
        ("12d MD", "12d MD", True),
    ],
)
def test_one_roll_dice_are_read_in_what_is_written(text: str, pool: str, is_sure: bool) -> None:
    assert find_dice(Table(), ALICE, text) == OreWritten(pool, is_sure)


@pytest.mark.parametrize(
    ("text", "pool", "left"),
    [
        ("2d penalty, so 5d", "5d", ("2d",)),
        ("6d in Body and 2d from Fight", "2d", ("6d",)),
        ("4d + 3d", "4d + 3d", ()),
        ("4d 1h, then 5d + 1d", "5d + 1d", ("4d 1h",)),
        ("6d vs 4d", "6d", ("4d",)),
        ("6d against 5d 1w", "6d", ("5d 1w",)),
    ],
)
def test_of_several_pools_the_last_counts_and_the_others_are_said(
    text: str, pool: str, left: tuple[str, ...]
) -> None:
    assert find_dice(Table(), ALICE, text) == OreWritten(pool, is_sure=False, left=left)


@pytest.mark.parametrize("text", ["Hello", "99d", "7dice d7 2d6", "6d10 for the jump", "> 6d 1w"])
def test_where_there_are_none_nothing_is_read(text: str) -> None:
    assert find_dice(Table(), ALICE, text) is None


def test_ratings_are_read_in_brackets() -> None:
    ratings = {"body": OneRollRating("Body", "3d"), "fight": OneRollRating("Fight", "2d")}
    table = Table(characters={"alice": ORE.give(Character("Alice", ALICE.id), OreCharacter(ratings=ratings))})
    assert find_dice(table, ALICE, "I strike (Body + Fight)") == OreWritten("Body + Fight", is_sure=False)
    assert find_dice(table, Actor(3, "Bob"), "I strike (Body + Fight)") is None
