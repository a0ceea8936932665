"""Dice in a message, of whichever game they are."""

import pytest

from bot.games import GAMES, ONE_ROLL_READS
from bot.services.play import Read, find_dice
from rules.campaign.seats import Actor
from rules.errors import NotAllowed, Unknown
from rules.table import Table

ALICE = Actor(2, "Alice")
READS = [game.reads for game in GAMES if game.reads]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Strong d10 + d6", Read("Strong d10 + d6")),
        ("I leap (6d 1wd)", Read("6d 1wd", (), True, "ore")),
        ("5d, d8", Read("d8", left=("5d",))),
        ("6d 1wd and Body d6", Read("6d 1wd", ("Body d6",), True, "ore")),
        ("6d against 5d", Read("6d", ("5d",), False, "ore")),
    ],
)
def test_what_is_of_the_other_game_is_said(text: str, read: Read) -> None:
    assert find_dice(READS, Table(), ALICE, text) == read


def test_what_has_no_dice_of_either_or_too_many_is_refused() -> None:
    with pytest.raises(Unknown):
        find_dice(READS, Table(), ALICE, "Hello")
    with pytest.raises(NotAllowed):
        find_dice(READS, Table(), ALICE, "40d6")


def test_where_no_game_has_dice_in_a_text_it_says_so() -> None:
    with pytest.raises(Unknown, match="That message has no dice to roll"):
        find_dice([ONE_ROLL_READS], Table(), ALICE, "Hello")
