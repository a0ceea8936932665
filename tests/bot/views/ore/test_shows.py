"""How One-Roll games show what a step did."""

from functools import partial

from bot.views import table as views_table
from rules.ore import gobble, roll
from rules.ore.model import ORE
from rules.ore.notation import read
from tests.bot.views.asking import ALICE, BOB, after, begun


def test_whose_set_is_spoiled_hears_of_it_beside_the_roll() -> None:
    fall = partial(roll.full, throw=lambda sizes: [7, 7, 3, 3, 1], pool=read("5d"))
    wide = partial(roll.full, throw=lambda sizes: [9, 9, 9, 8, 8], pool=read("5d"))
    table = after(begun(), (ALICE, fall), (BOB, wide))
    *_, made = ORE.of(table).rolls.values()
    step = gobble.gobble(table, BOB, made.number, "2x7 by 3x9")
    card = views_table.shown_step(step.table, step)
    assert card is not None
    assert card.roll == ORE.of(step.table).rolls[made.number]
    assert card.news is not None
    assert card.news.calls == (ALICE.id,)
