"""What is bought for a roll: all that is offered, for whichever die pays."""

from functools import partial

import pytest

from bot.language.printers import spelled
from bot.views.card import Form
from bot.views.game import Rule
from rules.campaign.seats import Actor
from rules.cortex import crisis, gm_pools, gmc, points, sfx_use
from rules.cortex.kinds import Foe
from rules.cortex.model import CORTEX
from rules.errors import NotAllowed, TooLate
from rules.table import Table
from tests.bot.views.asking import (
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
        (GM, partial(points.give, who="Alice", die="d8")),
        (GM, partial(points.give, who="Alice", die="d10")),
        (ALICE, partial(sfx_use.add, name="Focus", benefit="double", cost="1 PP")),
        (ALICE, partial(sfx_use.add, name="Lucky", benefit="1 PP")),
    )
    table = rolled(table, "4d6 2d8", 5, 4, 3, 2, 6, 4, vs="9")
    steps = answers(table, ALICE, below(table, "spend"))
    assert len(steps) > 15
    assert all(step.table != table for step in steps)


@pytest.mark.parametrize("foe", [Foe.CRISIS, None])
def test_the_gm_pays_with_whatever_die_is_offered(foe: Foe | None) -> None:
    throws: Rule = partial(gmc.roll_doom, throw=highest)
    if foe:
        throws = partial(gmc.roll_pool, throw=highest, foe=foe)
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


@pytest.mark.parametrize(("pp", "hears"), [(0, "Alice has no PP to spend"), (1, "to buy for that roll, and")])
def test_who_can_buy_nothing_is_told_why_where_the_gm_could(pp: int, hears: str) -> None:
    table = after(begun("heroic"), (GM, partial(points.set_points, who="Alice", number=pp)))
    table = rolled(table, "2d6 d8", 5, 1, 1, 8, 8, vs="2d10")
    with pytest.raises(NotAllowed, match=hears):
        opened(table, ALICE, below(table, "spend"))
    assert opened(table, GM, below(table, "spend"))


def form_of(table: Table, actor: Actor) -> Form:
    """What somebody is offered below the last roll."""
    form = opened(table, actor, below(table, "spend"))
    assert isinstance(form, Form)
    return form


def test_the_gm_pays_for_the_opposition_of_a_player() -> None:
    table = after(begun(), (GM, partial(gm_pools.add, foe=Foe.DOOM, dice="4d6")))
    table = rolled(table, "2d6 d8", 5, 4, 3, vs="doom")
    offered = [spelled(option.label) for option in form_of(table, GM).fields[0].options][:3]
    assert offered == [
        "Another die in the opposition's total",
        "Another effect die for the opposition",
        "Add the spent die to the opposition",
    ]
    assert all(step.table != table for step in answers(table, GM, below(table, "spend")))


def test_what_fits_no_menu_is_bought_by_name() -> None:
    table = rolled(begun("prime", reroll_for_pp=True), "28d6")
    (what,) = form_of(table, ALICE).fields
    assert len(what.options) == 25
    assert spelled(what.hint) == "For more choices, use a command: /reroll dice:d8, /sfx use name:Focus"


def test_an_sfx_that_is_removed_meanwhile_is_not_used() -> None:
    table = after(begun(), (ALICE, partial(sfx_use.add, name="Lucky", benefit="1 PP")))
    table = rolled(table, "2d6 d8", 5, 4, 3)
    asked = reading(table, ALICE, below(table, "spend"))
    offered = [rule for fields, rule in asked if "use" in fields["what"]]
    table = after(table, (ALICE, partial(sfx_use.remove, name="Lucky")))
    assert offered
    for rule in offered:
        with pytest.raises(TooLate, match="That SFX is gone"):
            rule(table, ALICE)
