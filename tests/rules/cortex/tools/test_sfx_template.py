"""SFX of templates at a table: which there are, what they are for, who is given one."""

from typing import Any

import pytest

from rules.cortex.state.kinds import Kind, Sfx, Trait
from rules.cortex.state.part import CORTEX
from rules.cortex.state.ruleset import PRIME, EffectBy, PushStress
from rules.cortex.state.sfx_template import Place, Template
from rules.cortex.tools import sfx_template
from rules.errors import NotAllowed, TooLate, Unknown
from rules.seats import Actor
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, ZOE, having, table

BENT: dict[Template, dict[str, Any]] = {
    Template.BARGAIN: {"doom": True},
    Template.CALM: {"doom": True},
    Template.SAFE: {"safe_dice": True},
    Template.PUSH: {"push_stress": PushStress.SFX},
}
"""The templates that a setting brings."""


def able(**rules: Any) -> Table:
    """A table where Alice has a trait and an asset, and a complication."""
    at = having(table(replace(PRIME, **rules)), "alice", Kind.TRAIT, Trait("Mind", 10))
    at = having(at, "alice", Kind.ASSET, Trait("Rope", 6))
    return having(at, "alice", Kind.COMPLICATION, Trait("Webbed", 6))


@pytest.mark.parametrize("template", BENT)
def test_X1_what_a_setting_bends_is_offered_while_it_is_on(template: Template) -> None:
    assert template not in sfx_template.offered(able())
    assert template in sfx_template.offered(able(**BENT[template]))


@pytest.mark.parametrize(
    ("effect", "gone"),
    [
        (EffectBy.NONE, {Template.EFFECT, Template.EFFECT_UP}),
        (EffectBy.ALL_DICE, {Template.EFFECT, Template.EFFECT_UP, Template.TOTAL, Template.FLURRY}),
    ],
)
def test_N10_what_no_roll_has_is_not_offered(effect: EffectBy, gone: set[Template]) -> None:
    assert {*sfx_template.offered(able())} - {*sfx_template.offered(able(effect=effect))} == gone


def test_X1_a_place_is_for_ones_own_traits_or_for_trouble() -> None:
    at = able(stress=("Physical", "Mental"))
    at = having(at, "alice", Kind.RESOURCE, Trait("Cut + Run", 6))  # of which an SFX would make two things
    alice = at.characters["alice"]
    assert sfx_template.choices(at, alice, Place.TRAIT) == ("Mind", "Rope")
    assert sfx_template.choices(at, alice, Place.OTHER) == ("Mind", "Rope")
    assert sfx_template.choices(at, alice, Place.TROUBLE) == ("Webbed", "Physical", "Mental")


def test_X1_an_sfx_of_a_template_is_as_one_that_was_typed() -> None:
    step = sfx_template.add(able(), ALICE, Template.DOUBLE, "Focus", ("mind",), "angry")
    kept = CORTEX.has(step.table.characters["alice"]).sfx["focus"]
    assert kept == Sfx("Focus", ("double mind",), ("1 PP",), "angry")
    assert len(step.facts) == 1
    by_gm = sfx_template.add(able(), GRETA, Template.REROLL, "Luck", who="Alice")
    assert "luck" in CORTEX.has(by_gm.table.characters["alice"]).sfx


def test_X1_a_template_is_refused_that_a_setting_has_taken_away() -> None:
    with pytest.raises(TooLate, match="its setting is off"):
        sfx_template.add(able(), ALICE, Template.PUSH, "Rage")


def test_X1_a_trait_that_is_not_there_is_refused() -> None:
    with pytest.raises(
        Unknown, match=r'"double Luck" doesn\'t work: there\'s no "Luck" here\. Try Mind or Rope'
    ):
        sfx_template.add(able(), ALICE, Template.DOUBLE, "Focus", ("Luck",))


@pytest.mark.parametrize("who", [BOB, ZOE])
def test_X1_nobody_gives_others_an_sfx(who: Actor) -> None:
    with pytest.raises(NotAllowed):
        sfx_template.add(able(), who, Template.REROLL, "Luck", who="Alice")
