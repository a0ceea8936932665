"""What an opportunity changes: all that is shown."""

from functools import partial

import pytest

from bot.language.printers import spelled
from bot.views.card import Button, Form
from rules.cortex import gmc, traits
from rules.cortex.kinds import TraitKind
from rules.cortex.model import CORTEX
from rules.errors import NotAllowed, TooLate
from rules.table import Table
from tests.bot.views.asking import ALICE, GM, after, answers, begun, below, newest, opened, reading


def test_an_opportunity_changes_whatever_is_offered_once_or_more() -> None:
    table = after(
        begun(),
        (GM, partial(traits.add, kind=TraitKind.COMPLICATION, what="Broken Leg", who="Alice", die="d8")),
        (ALICE, partial(traits.add_asset, what="Rope")),
        (GM, partial(gmc.roll_doom, throw=lambda sizes: [1 for _ in sizes])),
    )
    steps = answers(table, ALICE, below(table, "seize"))
    assert len(steps) == 4
    assert all(CORTEX.has(step.table.characters["alice"]).pp < 5 for step in steps)
    assert newest(table).hand.dice[0].face == 1


def hurt(*, die: str) -> Table:
    """A complication in the scene, and a roll of the GM with two opportunities."""
    return after(
        begun(),
        (GM, partial(traits.add, kind=TraitKind.COMPLICATION, what="Rain", who="scene", die=die)),
        (GM, partial(gmc.roll_doom, throw=lambda sizes: [1 for _ in sizes])),
    )


@pytest.mark.parametrize(
    ("die", "becomes"),
    [
        ("d4", "Remove Scene · Rain"),
        ("d6", "Step Scene · Rain down (gone if you use all)"),
        ("d8", "Step Scene · Rain down (d4 if you use all)"),
    ],
)
def test_it_is_told_what_all_opportunities_make_of_a_trait(die: str, becomes: str) -> None:
    table = hurt(die=die)
    form = opened(table, ALICE, below(table, "seize"))
    assert isinstance(form, Form)
    assert [spelled(option.label) for option in form.fields[0].options] == [becomes]


def test_what_has_changed_meanwhile_is_not_touched() -> None:
    table = hurt(die="d8")
    asked = reading(table, ALICE, below(table, "seize"))
    table = after(table, (GM, partial(traits.step_up, kind=TraitKind.COMPLICATION, what="Rain", who="scene")))
    for _, rule in asked:
        with pytest.raises(TooLate, match="That trait has changed in"):
            rule(table, ALICE)


def test_an_opportunity_that_can_touch_nothing_opens_no_form() -> None:
    table = hurt(die="d8")
    table = after(table, (GM, partial(traits.remove, kind=TraitKind.COMPLICATION, what="Rain", who="scene")))
    with pytest.raises(NotAllowed, match="There's no complication or stress to step down"):
        opened(table, ALICE, Button("", "seize", newest(table).number))
