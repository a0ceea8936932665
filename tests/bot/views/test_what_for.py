"""The question what a roll was for: where it stands below the roll."""

import pytest

from bot.views.card import Button
from bot.views.question import WHAT_FOR, asking
from rules.cortex.model import Hand, Roll

ROLL = Roll(8, 2, "Alice", Hand(()))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((), (1,)),
        ((3,), (4,)),
        ((3, 2), (4, 2)),
        ((5,), (5, 1)),
        ((5, 2), (5, 3)),
        ((5, 5), (5, 5)),
    ],
)
def test_it_is_last_in_the_main_row_else_among_the_choices_and_never_in_a_third(
    before: tuple[int, ...], after: tuple[int, ...]
) -> None:
    rows = tuple((Button("Spend", "spend", 8),) * count for count in before)
    found = asking(rows, ROLL)
    assert tuple(map(len, found)) == after
    asked = [row[-1] for row in found if row[-1].verb == WHAT_FOR]
    assert [each.number for each in asked] == ([] if before == after else [8])
    assert all(each.verb != WHAT_FOR for row in found for each in row[:-1])
