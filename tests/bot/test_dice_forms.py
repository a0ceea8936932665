"""Forms in which dice are chosen, with a menu that says which of their fields count (R1, T2, T3)."""

import pytest

from bot.local.errors import UnknownCommand
from bot.local.table import Table as LocalTable
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
        with pytest.raises(UnknownCommand, match=f"There is no choice {number}. There are 1 to 5."):
            await seats.do(f"Total: {number}")
