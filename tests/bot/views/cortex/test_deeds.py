"""What is done below a roll by one press."""

from functools import partial

from rules.cortex import effects, traits
from rules.cortex.gm_pools import add
from rules.cortex.kinds import Foe, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.roll_status import is_in_doubt
from tests.bot.views.asking import ALICE, GM, after, answers, begun, below, highest, newest, rolled


def test_a_heroic_success_banks_its_hero_die() -> None:
    table = rolled(begun("prime"), "2d12 d8", 12, 12, 8, 1, 2, vs="2d6")
    (step,) = answers(table, ALICE, below(table, "bank"))
    assert CORTEX.has(step.table.characters["alice"]).hero


def test_a_doom_die_goes_back() -> None:
    table = rolled(
        after(begun(), (GM, partial(add, foe=Foe.DOOM, dice="d8"))), "2d6 from doom d8", 3, 3, 4, by=GM
    )
    (step,) = answers(table, GM, below(table, "backtodoom"))
    assert newest(step.table).returned


def test_a_recovery_does_what_it_came_to() -> None:
    hurt = partial(traits.add, kind=TraitKind.COMPLICATION, what="Broken Leg", who="Alice", die="d6")
    heal = partial(effects.recover, throw=highest, kinds=(TraitKind.COMPLICATION,), what="Broken Leg")
    heal = partial(heal, dice="2d12 d8", vs="3")
    table = after(begun(), (GM, hurt), (ALICE, heal))
    (step,) = answers(table, ALICE, below(table, "recover"))
    assert not CORTEX.has(step.table.characters["alice"]).complications


def test_a_roll_of_somebody_taken_out_stands_once_the_gm_says_so() -> None:
    hurt = partial(traits.add, kind=TraitKind.COMPLICATION, what="Broken Leg", who="Alice", die="d12")
    worse = partial(traits.step_up, kind=TraitKind.COMPLICATION, what="Broken Leg", who="Alice")
    table = rolled(after(begun(), (GM, hurt), (GM, worse)), "2d6 d8", 3, 3, 4)
    (step,) = answers(table, GM, below(table, "stands"))
    assert is_in_doubt(table, newest(table))
    assert not is_in_doubt(step.table, newest(step.table))
