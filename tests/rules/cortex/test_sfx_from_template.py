"""SFX of templates at a table: which there are, what they are for, who is given one."""

from typing import Any

import pytest

from rules.campaign.seats import Actor
from rules.cortex import sfx_templates
from rules.cortex.kinds import Sfx, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.ruleset import PRIME, EffectBy, PushStress
from rules.cortex.sfx import Placeholder, Template
from rules.errors import NotAllowed, TooLate, Unknown
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
    at = having(table(replace(PRIME, **rules)), "alice", TraitKind.TRAIT, Trait("Mind", 10))
    at = having(at, "alice", TraitKind.ASSET, Trait("Rope", 6))
    return having(at, "alice", TraitKind.COMPLICATION, Trait("Webbed", 6))


@pytest.mark.parametrize("template", BENT)
def test_X1_what_a_setting_bends_is_offered_while_it_is_on(template: Template) -> None:
    assert template not in sfx_templates.offered_templates(able())
    assert template in sfx_templates.offered_templates(able(**BENT[template]))


@pytest.mark.parametrize(
    ("effect", "gone"),
    [
        (EffectBy.NONE, {Template.EFFECT, Template.EFFECT_UP}),
        (EffectBy.ALL_DICE, {Template.EFFECT, Template.EFFECT_UP, Template.TOTAL, Template.FLURRY}),
    ],
)
def test_N10_what_no_roll_has_is_not_offered(effect: EffectBy, gone: set[Template]) -> None:
    assert {*sfx_templates.offered_templates(able())} - {
        *sfx_templates.offered_templates(able(effect=effect))
    } == gone


def test_X1_a_place_is_for_ones_own_traits_or_for_trouble() -> None:
    at = able(stress=("Physical", "Mental"))
    at = having(
        at, "alice", TraitKind.RESOURCE, Trait("Cut + Run", 6)
    )  # of which an SFX would make two things
    alice = at.characters["alice"]
    assert sfx_templates.template_choices(at, alice, Placeholder.TRAIT) == ("Mind", "Rope")
    assert sfx_templates.template_choices(at, alice, Placeholder.OTHER) == ("Mind", "Rope")
    assert sfx_templates.template_choices(at, alice, Placeholder.TROUBLE) == ("Webbed", "Physical", "Mental")


def test_X1_an_sfx_of_a_template_is_as_one_that_was_typed() -> None:
    step = sfx_templates.add_from_template(able(), ALICE, Template.DOUBLE, "Focus", ("mind",), "angry")
    kept = CORTEX.has(step.table.characters["alice"]).sfx["focus"]
    assert kept == Sfx("Focus", ("double mind",), ("1 PP",), "angry")
    assert len(step.facts) == 1
    by_gm = sfx_templates.add_from_template(able(), GRETA, Template.REROLL, "Luck", who="Alice")
    assert "luck" in CORTEX.has(by_gm.table.characters["alice"]).sfx


def test_X1_a_template_is_refused_that_a_setting_has_taken_away() -> None:
    with pytest.raises(TooLate, match="its setting is off"):
        sfx_templates.add_from_template(able(), ALICE, Template.PUSH, "Rage")


def test_X1_a_trait_that_is_not_there_is_refused() -> None:
    with pytest.raises(
        Unknown, match=r'"double Luck" doesn\'t work: there\'s no "Luck" here\. Try Mind or Rope'
    ):
        sfx_templates.add_from_template(able(), ALICE, Template.DOUBLE, "Focus", ("Luck",))


@pytest.mark.parametrize("who", [BOB, ZOE])
def test_X1_nobody_gives_others_an_sfx(who: Actor) -> None:
    with pytest.raises(NotAllowed):
        sfx_templates.add_from_template(able(), who, Template.REROLL, "Luck", who="Alice")
