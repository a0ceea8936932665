"""What is done with a shared pool."""

from functools import partial

from bot.views.cortex import builder
from rules.cortex import builder as cortex_builder
from rules.cortex import named_pools
from rules.cortex.builder import Build
from rules.cortex.model import CORTEX
from tests.bot.views.asking import ALICE, BOB, GM, after, answers, begun, newest


def test_a_shared_pool_gets_dice_and_opposition_and_is_rolled() -> None:
    table = begun()
    built = cortex_builder.retype(table, ALICE, Build(), "2d6 d8", "")
    table = after(table, (ALICE, partial(named_pools.share, build=built)))
    (shared,) = CORTEX.of(table).pools.values()
    add, oppose, roll = builder.shared_pool_buttons(shared)
    (added,) = answers(table, BOB, add, dice="d10")
    assert len(CORTEX.of(added.table).pools["alice"].dice) == 4
    (opposed,) = answers(table, GM, oppose, dice="11")
    assert CORTEX.of(opposed.table).pools["alice"].vs == "11"
    (rolled,) = answers(table, ALICE, roll)
    assert newest(rolled.table).who == "Alice"
