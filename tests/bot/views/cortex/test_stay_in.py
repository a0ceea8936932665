"""Staying in, for its price or, by the GM, for nothing."""

from functools import partial

import pytest

from bot.language.printers import spelled
from bot.views.card import Form
from bot.views.cortex import effects
from rules.campaign.seats import Actor
from rules.cortex import gmc, traits
from rules.cortex.kinds import TraitKind
from rules.cortex.model import CORTEX
from tests.bot.views.asking import ALICE, GM, after, answers, begun, opened


@pytest.mark.parametrize(("actor", "left"), [(ALICE, {4}), (GM, {4, 5})])
def test_who_was_taken_out_stays_in(actor: Actor, left: set[int]) -> None:
    hurt = partial(traits.add, kind=TraitKind.COMPLICATION, what="Broken Leg", who="Alice", die="d12")
    worse = partial(traits.step_up, kind=TraitKind.COMPLICATION, what="Broken Leg")
    table = after(begun(), (GM, hurt), (GM, worse))
    assert CORTEX.has(table.characters["alice"]).is_taken_out
    (button,) = effects.stay_in_buttons(table, ["Alice"])
    steps = answers(table, actor, button, name="Limp")
    assert {CORTEX.has(step.table.characters["alice"]).pp for step in steps} == left
    assert all("limp" in CORTEX.has(step.table.characters["alice"]).complications for step in steps)


def test_a_gmc_stays_in_for_a_doom_die() -> None:
    hurt = partial(traits.add, kind=TraitKind.COMPLICATION, what="Broken Leg", who="Rex", die="d12")
    worse = partial(traits.step_up, kind=TraitKind.COMPLICATION, what="Broken Leg", who="Rex")
    table = after(begun(), (GM, partial(gmc.new, name="Rex", dice="Fangs d8")), (GM, hurt), (GM, worse))
    (button,) = effects.stay_in_buttons(table, ["Rex"])
    form = opened(table, GM, button)
    assert isinstance(form, Form)
    assert spelled(form.title) == "Stay in for a doom die"
