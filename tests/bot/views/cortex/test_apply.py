"""What an effect die becomes: everything that is offered can be done."""

from functools import partial

import pytest

from bot.views.game import Rule
from rules.cortex import crisis, gmc
from rules.cortex.model import CORTEX
from rules.cortex.roll_status import resolve
from rules.game import Step
from rules.table import Table
from tests.bot.views.asking import ALICE, GM, after, answers, begun, below, newest, opened, rolled

FIRE: tuple[Rule, ...] = (partial(crisis.new, name="Fire", dice="2d6 d8"),)
REX: tuple[Rule, ...] = (partial(gmc.new, name="Rex", dice="4d6", kind="boss"),)


def test_an_effect_becomes_whatever_is_offered() -> None:
    table = rolled(begun(), "2d6 d8", 5, 6, 4, vs="3")
    steps = answers(table, ALICE, below(table, "apply"), on="Bob")
    assert len(steps) > 3
    assert all(newest(step.table).applied for step in steps)


def test_an_effect_past_d12_takes_out_whoever_it_hits() -> None:
    table = rolled(begun(), "2d12 d12", 12, 12, 12, vs="3")
    assert any(effect.past for effect in resolve(table, newest(table)).effects)
    steps = answers(table, ALICE, below(table, "apply"), on="Bob")
    assert any(CORTEX.has(step.table.characters["bob"]).is_taken_out for step in steps)


def test_the_gm_adds_an_effect_to_doom() -> None:
    table = rolled(begun(), "2d6 d8", 5, 6, 4, vs="3", by=GM)
    steps = answers(table, GM, below(table, "apply"), what="doom", on="")
    assert any(CORTEX.of(step.table).doom != CORTEX.of(table).doom for step in steps)


def test_an_effect_hits_somebody_new() -> None:
    table = rolled(begun(), "2d6 d8", 5, 6, 4, vs="3")
    for step in answers(table, ALICE, below(table, "apply"), what="complication", on="", new="Zoe"):
        assert CORTEX.has(step.table.characters["zoe"]).complications


def test_each_die_of_a_crisis_can_be_hit() -> None:
    table = rolled(after(begun(), *((GM, rule) for rule in FIRE)), "2d6 d8", 6, 5, 4, 1, 2, vs="Fire")
    left = {
        tuple(CORTEX.of(step.table).crises["fire"].dice)
        for step in answers(table, ALICE, below(table, "apply"))
    }
    assert len(left) == 2


@pytest.mark.parametrize("verb", ["apply", "applyas"])
def test_a_boss_is_hit_at_once_or_as_something_else(verb: str) -> None:
    table: Table = rolled(after(begun(), *((GM, rule) for rule in REX)), "2d6 d12", 6, 6, 12, vs="Rex")
    assert isinstance(opened(table, ALICE, below(table, verb)), Step) == (verb == "apply")
    assert all(newest(step.table).applied for step in answers(table, ALICE, below(table, verb)))
