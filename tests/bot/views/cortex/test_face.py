"""A pool against what the GM brings."""

from functools import partial

import pytest

from bot.views.table import view_rows
from rules.cortex import crisis, gmc
from tests.bot.views.asking import ALICE, GM, after, answers, begun, newest

CRISES, GMCS = {"Crisis Fire", "Crisis Flood"}, {"Rex", "Rats"}


@pytest.mark.parametrize(("view", "names"), [("crisis", CRISES), ("gmc", GMCS)])
def test_a_pool_is_rolled_against_each_that_is_shown(view: str, names: set[str]) -> None:
    table = after(
        begun(),
        *((GM, partial(crisis.new, name=name, dice="2d6")) for name in ("Fire", "Flood")),
        *((GM, partial(gmc.new, name=name, dice="2d6", kind="mob")) for name in ("Rex", "Rats")),
    )
    met = set()
    for button in view_rows(table, view):
        (step,) = answers(table, ALICE, button, dice="2d6 d8")
        against = newest(step.table).against
        met |= {against.label} if against else set()
    assert met == names
