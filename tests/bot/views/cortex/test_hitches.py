"""What the GM buys with hitches: every way that is offered is sold."""

from functools import partial

import pytest

from rules.cortex import traits
from rules.cortex.kinds import TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.ruleset import HitchesBuy
from tests.bot.views.asking import ALICE, GM, after, answers, begun, below, newest, rolled


@pytest.mark.parametrize("buys", HitchesBuy)
@pytest.mark.parametrize("faces", [(1, 5, 4), (1, 1, 4), (1, 1, 1)])
def test_every_way_is_sold_for_each_count(buys: HitchesBuy, faces: tuple[int, ...]) -> None:
    hurt = partial(traits.add, kind=TraitKind.COMPLICATION, what="Broken Leg", who="Alice")
    table = rolled(after(begun(hitches_buy=buys), (GM, hurt)), "2d6 d8", *faces)
    for step in answers(table, GM, below(table, "hitches")):
        assert newest(step.table).bought


def test_a_complication_that_is_there_is_stepped_up() -> None:
    hurt = partial(traits.add, kind=TraitKind.COMPLICATION, what="Broken: Leg", who="Alice", die="d6")
    table = rolled(after(begun(), (GM, hurt)), "2d6 d8", 1, 5, 4, by=ALICE)
    steps = answers(table, GM, below(table, "hitches"))
    assert 8 in {
        CORTEX.has(step.table.characters["alice"]).complications["broken: leg"].die for step in steps
    }
