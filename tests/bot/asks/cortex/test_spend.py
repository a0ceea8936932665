"""What is bought for a roll: all that is offered, for whichever die pays."""

from functools import partial

import pytest

from bot.asks.question import Rule
from rules.cortex.gm import gm_roll
from rules.cortex.state.kinds import Foe
from rules.cortex.state.part import CORTEX
from rules.cortex.tools import crisis, sfx_use
from rules.cortex.traits import hero, plot
from rules.errors import NotAllowed, TooLate
from rules.seats import Actor
from tests.bot.asks.asking import (
    ALICE,
    GM,
    after,
    answers,
    begun,
    below,
    highest,
    opened,
    reading,
    rolled,
)


def test_a_player_buys_whatever_is_offered() -> None:
    table = after(
        begun("prime", reroll_for_pp=True),
        (GM, partial(hero.give, who="Alice", die="d8")),
        (GM, partial(hero.give, who="Alice", die="d10")),
        (ALICE, partial(sfx_use.add, name="Focus", benefit="double", cost="1 PP")),
        (ALICE, partial(sfx_use.add, name="Lucky", benefit="1 PP")),
    )
    table = rolled(table, "4d6 2d8", 5, 4, 3, 2, 6, 4, vs="9")
    steps = answers(table, ALICE, below(table, "spend"))
    assert len(steps) > 15
    assert all(step.table != table for step in steps)


@pytest.mark.parametrize("foe", [Foe.CRISIS, None])
def test_the_gm_pays_with_whatever_die_is_offered(foe: Foe | None) -> None:
    throws: Rule = partial(gm_roll.roll_doom, throw=highest)
    if foe:
        throws = partial(gm_roll.roll_pool, throw=highest, foe=foe)
    table = after(begun(), (GM, partial(crisis.new, name="Fire", dice="2d6 2d8")), (GM, throws))
    here = CORTEX.of(table)
    for _, rule in reading(table, GM, below(table, "spend")):
        step = rule(table, GM)
        assert (CORTEX.of(step.table).doom, CORTEX.of(step.table).crises) != (here.doom, here.crises)


@pytest.mark.parametrize("actor", [ALICE])
def test_what_was_bought_meanwhile_is_not_bought_again(actor: Actor) -> None:
    table = rolled(begun(), "4d6 2d8", 5, 4, 3, 2, 6, 4, vs="9")
    bought = reading(table, actor, below(table, "spend"))
    after_one = bought[0][1](table, actor).table
    for _, rule in bought:
        with pytest.raises((TooLate, NotAllowed)):
            rule(after_one, actor)


@pytest.mark.parametrize(
    ("pp", "hears"), [(0, "Alice has no PP to spend"), (1, "No die of that roll is left")]
)
def test_who_can_buy_nothing_is_told_why_where_the_gm_could(pp: int, hears: str) -> None:
    table = after(begun("heroic"), (GM, partial(plot.put, who="Alice", number=pp)))
    table = rolled(table, "2d6 d8", 5, 1, 1, 8, 8, vs="2d10")
    with pytest.raises(NotAllowed, match=hears):
        opened(table, ALICE, below(table, "spend"))
    assert opened(table, GM, below(table, "spend"))
