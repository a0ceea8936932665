"""What an opportunity changes: all that is shown."""

from functools import partial

from rules.cortex.gm import gm_roll
from rules.cortex.state.kinds import Kind
from rules.cortex.state.part import CORTEX
from rules.cortex.traits import traits
from tests.bot.asks.asking import ALICE, GM, after, answers, begun, below, newest


def test_an_opportunity_changes_whatever_is_offered_once_or_more() -> None:
    table = after(
        begun(),
        (GM, partial(traits.add, kind=Kind.COMPLICATION, what="Broken Leg", who="Alice", die="d8")),
        (ALICE, partial(traits.add_asset, what="Rope")),
        (GM, partial(gm_roll.roll_doom, throw=lambda sizes: [1 for _ in sizes])),
    )
    steps = answers(table, ALICE, below(table, "seize"))
    assert len(steps) == 4
    assert all(CORTEX.has(step.table.characters["alice"]).pp < 5 for step in steps)
    assert newest(table).hand.dice[0].face == 1
