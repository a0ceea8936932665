"""What opposes a roll, and who rolls against one."""

from functools import partial

from rules.cortex import crisis, gm_roll, gmc
from tests.bot.asks.asking import ALICE, GM, after, answers, begun, below, highest, newest, rolled


def test_every_opposition_that_is_offered_opposes() -> None:
    foes = (crisis.new, "Fire"), (gmc.new, "Rex " + "x" * 70)
    there = [(GM, partial(new, name=name, dice="2d6")) for new, name in foes]
    table = rolled(after(begun(), *there), "2d6 d8", 3, 3, 4)
    steps = answers(table, GM, below(table, "oppose"))
    assert len(steps) == 8
    assert all(newest(step.table).against for step in steps)


def test_what_is_typed_counts_more() -> None:
    table = rolled(begun(), "2d6 d8", 3, 3, 4)
    for step in answers(table, GM, below(table, "oppose"), dice="17"):
        against = newest(step.table).against
        assert against is not None
        assert against.number == 17


def test_a_pool_is_rolled_against_a_roll_of_the_gm() -> None:
    table = after(begun(), (GM, partial(gm_roll.roll_doom, throw=highest)))
    (step,) = answers(table, ALICE, below(table, "against"), dice="2d6 d8")
    assert newest(step.table).who == "Alice"
