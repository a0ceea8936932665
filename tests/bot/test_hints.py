"""After a first roll outside a table a small line says what a table has."""

import pytest

from tests.game import Game

HINT = "Want sheets and scenes? Use `/campaign new`"


async def test_a_table_is_mentioned_below_a_first_roll_outside_one(game: Game) -> None:
    assert (await game.play("alice: /roll dice:2d6 d8")).text.endswith(HINT)
    assert HINT not in (await game.play("alice: /roll dice:2d6 d8")).text
    assert HINT in (await game.play("bob: /roll dice:2d6 d8")).text
    month = 30 * 24 * 3600
    hints = game.bot.cogs["Rolls"].hints  # type: ignore[attr-defined]
    hints._given = type(hints._given)({who: at - month for who, at in hints._given.items()})
    assert HINT in (await game.play("alice: /roll dice:2d6 d8")).text


async def test_at_a_table_nothing_is_mentioned(table: Game) -> None:
    assert "Want sheets" not in (await table.play("alice: /roll dice:2d6 d8")).text


@pytest.mark.parametrize("line", ["alice: /roll dice:2d7", "alice: /roll dice:build"])
async def test_what_is_no_roll_mentions_nothing(game: Game, line: str) -> None:
    assert "Want sheets" not in (await game.says(line)).text
    assert HINT in (await game.play("alice: /roll dice:2d6 d8")).text
