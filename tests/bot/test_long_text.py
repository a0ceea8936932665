"""Long text that people type is read at once, whatever it is made of."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.loopback.reply import BotReply
from bot.worker import WorkerThread
from tests.bench.pump import follow
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


MANY_DICE = ", ".join(f"The {letter * 30} d8" for letter in "ABCDEFGHIJKLMNO")
LONG = {
    "dice": f"alice: /roll dice:{MANY_DICE}",
    "vs": f"alice: /roll dice:2d6 vs:{MANY_DICE}",
    "doom": f"gm: /doom add dice:{MANY_DICE}",
    "distinctions": f"gm: /scene start name:Dock distinctions:{MANY_DICE}",
    "another game": f"alice: /ore roll dice:{MANY_DICE}",
}
SHORT = ("alice: /roll dice:3d6 vs:8", "alice: /asset add what:Rope d6", "gm: /scene start name:Dock")


@pytest.fixture
def aside(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is computed beside the event loop."""
    found, run = list[object](), WorkerThread.do

    async def watched(self: WorkerThread, work: Callable[..., Any], *args: Any, **options: Any) -> Any:
        found.append(work)
        return await run(self, work, *args, **options)

    monkeypatch.setattr(WorkerThread, "do", watched)
    return found


@pytest.mark.parametrize("line", SHORT)
async def test_what_is_short_is_read_at_once(table: Game, aside: list[object], line: str) -> None:
    assert (await table.says(line)).text
    assert aside == []


@pytest.mark.parametrize("name", LONG)
async def test_long_options_hold_nobody_up(table: Game, aside: list[object], name: str) -> None:
    assert (await table.says(LONG[name])).text
    assert len(aside) == 1


async def test_a_long_form_and_a_long_message_hold_nobody_up(table: Game, aside: list[object]) -> None:
    assert (await edited(table, f"Skills: {MANY_DICE}")).text
    assert len(aside) == 1
    message = await table.alice.write(f"I roll {MANY_DICE}")
    assert (await table.alice.menu_command("Roll this", message)).text
    assert len(aside) == 2
    _, opened = await follow(table, "alice: /roll dice:3d6; gm: Oppose")
    assert (await table.gm.submit(opened.form, {"Dice": MANY_DICE})).text
    assert len(aside) == 3


async def test_a_long_text_is_read_beside_the_loop_again_after_a_question(
    table: Game, aside: list[object]
) -> None:
    asked = await table.says(f"alice: /roll dice:4 d8, {MANY_DICE}")
    assert asked.text.endswith("can be read in two ways. Which do you mean?")
    assert len(aside) == 1
    answered = await table.alice.press(asked, asked.buttons[0].label)
    assert answered.text != asked.text
    assert len(aside) == 2


async def test_personal_dice_that_are_long_hold_nobody_up(game: Game, aside: list[object]) -> None:
    game.discord.install(game.alice)
    reply: BotReply = await game.alice.slash(
        LONG["dice"].partition(": ")[2], channel=game.discord.elsewhere()
    )
    assert reply.text
    assert len(aside) == 1


async def test_a_long_refused_text_is_answered_in_the_tables_words(table: Game, aside: list[object]) -> None:
    await table.play(
        "gm: /campaign set setting:words value:doom = Threat",
    )
    refused = await table.says(f"gm: /doom add dice:d4{' ' * 600}+ d6")
    assert is_refused(refused)
    assert refused.text == "The threat can't hold a d4. Use d6 or larger."
    assert len(aside) == 1
