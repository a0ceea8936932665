"""Each game shows its own rolls."""

from dataclasses import replace

import pytest

from bot.games import GAMES
from bot.views import table
from bot.views.game import FactWords
from rules.ore.game import GAME as ONE_ROLL
from rules.table import Table


class Other:
    """A roll of a game that nobody plays here."""

    number, player, who, gm, note = 1, 2, "Alice", False, ""


def test_every_game_with_rolls_shows_them() -> None:
    assert all(game.rolls.kind is game.game.part.rolls for game in GAMES)


def test_a_game_without_words_for_one_of_its_facts_cannot_be_presented() -> None:
    with pytest.raises(LookupError, match="OreRolled"):
        replace(next(game for game in GAMES if game.game is ONE_ROLL), words=FactWords())


def test_a_roll_of_no_game_is_not_shown_as_another() -> None:
    with pytest.raises(LookupError, match="Other"):
        table.roll_card(Table(), Other())
