"""Each game shows its own rolls."""

import pytest

from bot.games import GAMES
from bot.views import table
from rules.table import Table


class Other:
    """A roll of a game that nobody plays here."""

    number, player, who, gm, note = 1, 2, "Alice", False, ""


def test_every_game_with_rolls_shows_them() -> None:
    assert all(game.rolls.kind is game.game.part.rolls for game in GAMES)


def test_a_roll_of_no_game_is_not_shown_as_another() -> None:
    with pytest.raises(LookupError, match="Other"):
        table.roll_card(Table(), Other())
