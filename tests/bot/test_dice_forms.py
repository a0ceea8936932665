"""Forms in which dice are chosen, with a menu that says which of their fields count (R1, T2, T3)."""

import pytest

from bot.loopback.errors import UnknownCommand
from bot.loopback.table import LocalTable
from tests.bot.test_buttons import is_refused
from tests.game import Game


async def test_at_the_local_table_a_number_is_the_choice_that_it_stands_before(table: Game) -> None:
    seats = LocalTable(table.discord)
    await seats.do("as alice")
    table.dice.show((5, 6, 7, 3, 2), (1, 1))
    await seats.do("/roll dice:d8 d8 d10 d6 d4 vs:2d4")
    for chosen, came in (("1, 2", "Total 11"), ("2, d10: 7", "Total 13"), ("5 | 4", "Total 5")):
        await seats.do("press Other dice")
        await seats.do(f"Total: {chosen}")
        await seats.do("Effect: 3" if "7" not in chosen else "Effect: 1")
        await seats.do("send")
        assert came in (await table.says("bob: /log count:1")).text
    await seats.do("press Other dice")
    for number in ("0", "6"):
        with pytest.raises(UnknownCommand, match=f"There's no choice {number}. Choose 1 to 5."):
            await seats.do(f"Total: {number}")


async def test_changed_dice_count_where_what_was_left_as_it_was(table: Game) -> None:
    table.dice.show((4, 3, 2), (8, 7, 2))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:3d8")
    form = (await table.gm.press(rolled, "Oppose")).form
    assert form is not None
    done = await table.gm.submit(form, {"Total": ["d8: 2", "d8: 7"], "Effect": "d8: 8"})
    assert "vs 9" in done.text
    again = (await table.gm.press(rolled, "Oppose")).form
    assert again is not None
    moved = await table.gm.submit(again, {"Total": ["d8: 2", "d8: 8"], "Effect": "d8: 7"})
    assert "vs 10" in moved.text


async def test_changed_dice_and_another_choice_are_asked_about(table: Game) -> None:
    table.dice.show((4, 3, 2), (2, 3, 4, 5))
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:2d6 d8 d10")
    form = (await table.gm.press(rolled, "Oppose")).form
    assert form is not None
    menu = form.field("What")
    other = next(option.label for option in menu.options if option.value != menu.default)
    refused = await table.gm.submit(form, {"What": other, "Total": ["d6: 2", "d6: 3"]})
    assert is_refused(refused)
    assert "You changed Total, but chose something else under What." in refused.text
    assert "Choose Other dice under What, or leave Total as it was." in refused.text
    again = (await table.gm.press(refused, "Try again")).form
    assert again is not None
    done = await table.gm.submit(again, {"What": "Other dice", "Effect": "d8: 4"})
    assert "vs 5" in done.text
