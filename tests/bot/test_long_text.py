"""Long text that people type is read at once, whatever it is made of."""

import pytest

from tests.bot.test_buttons import is_refused
from tests.bot.test_sheets import edited
from tests.bot.test_typing import suggested
from tests.game import Game
from tests.patience import PATIENCE

DICE = ("1d6" * 22 + "z", "3w10" * 20 + "!?", "d12" * 30 + "q", "10d10" * 17 + "kx")
"""Words of dice that are none after all."""
QUESTIONS = ", ".join(f"{number} d{size}" for number in (4, 6, 8, 10, 12) for size in (4, 6, 8, 10, 12))
"""25 dice, each of which can be read in two ways."""
STRUCK = " ".join(f"~~{letter}~~ d8" for letter in "abcdefghijklmnopqrst")
TIMES = ", ".join(f"{number} d6 d8 x{number}" for number in range(13, 33))


@pytest.mark.timeout(PATIENCE)
async def test_words_of_many_dice_are_read_at_once(table: Game, subtests: pytest.Subtests) -> None:
    for dice in DICE:
        for line in (
            f"zoe: /roll dice:{dice}",
            f"alice: /roll dice:2d6 {dice} d8",
            f"zoe: /odds dice:{dice} vs:8",
            f"gm: /doom add dice:{dice}",
            f"alice: /asset add what:Rope {dice}",
            f"gm: /gmc new name:Rex dice:{dice}",
            f"alice: /roll dice:2d6 vs:{dice}",
        ):
            with subtests.test(line=line[:40]):
                assert (await table.says(line)).text
        with subtests.test(dice=dice[:20]):
            assert (await edited(table, f"Attributes: Mind {dice}, Body d8")).text
            assert await suggested(table, f"alice: /roll dice:{dice}") is not None
            message = await table.alice.write(f"I jump with {dice} and d8")
            assert (await table.alice.menu_command("Roll this", message)).text


@pytest.mark.timeout(PATIENCE)
async def test_a_pool_of_many_questions_asks_the_first_at_once(
    table: Game, subtests: pytest.Subtests
) -> None:
    for dice in (QUESTIONS, STRUCK, TIMES):
        for line in (
            f"alice: /roll dice:{dice}",
            f"zoe: /odds dice:{dice} vs:8",
            f"gm: /doom add dice:{dice}",
        ):
            with subtests.test(line=line[:40]):
                assert (await table.says(line)).text


@pytest.mark.timeout(PATIENCE)
async def test_a_sheet_of_one_long_line_is_read_at_once(table: Game) -> None:
    traits = " ".join(f"{name} {size}: d8" for name in ("Mind", "Body") for size in "abcdefghijk")
    assert (await edited(table, f"{traits} as in the book")).text == "Alice's sheet has changed"
    mistakes = "; ".join(f"{number} a" for number in range(500))
    said = (await edited(table, f"Milestone Vengeance: {mistakes}")).text
    assert said.endswith("There are more mistakes.")


async def test_a_session_is_asked_about_at_five_times(table: Game) -> None:
    refused = await table.says(f"gm: /session plan when:{'sat 19:30, ' * 6} zone:Europe/Berlin")
    assert is_refused(refused)
    assert refused.text == "You can ask about at most 5 times at once."
