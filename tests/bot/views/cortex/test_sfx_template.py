"""Which SFX template somebody takes: the menu, the form, and what it means."""

import re

import pytest

from bot.language.printers import spelled
from bot.views.card import Form
from bot.views.cortex import sheet
from bot.views.cortex.sheet import TEMPLATES
from bot.views.question import Fields
from rules.campaign.seats import Actor
from rules.cortex.kinds import Sfx, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.ruleset import PushStress
from rules.cortex.sfx import Template
from rules.errors import NotAllowed, TooLate, Unknown
from rules.table import Table
from rules.values import replace
from tests.bot.views.asking import ALICE, BOB, GM, begun
from tests.rules.people import having

TITLE = 45
"""A form's title has at most so many characters."""
NEW = Actor(9, "Dan")


def able(*more: Trait) -> Table:
    """A table where all templates are there, and Alice has a few traits."""
    at = begun(safe_dice=True, push_stress=PushStress.ONE_PP)
    return having(at, "alice", TraitKind.TRAIT, Trait("Mind", 10), Trait("Body", 8), *more)


def opened(table: Table, template: Template, actor: Actor = ALICE, who: str | None = None) -> Form:
    """The form of a template that was chosen in the menu."""
    (menu,) = sheet.menu(table, actor, who).menus
    assert re.fullmatch(sheet.CHOSEN, menu.subject)
    assert template in [option.value for option in menu.options]
    return sheet.form(table, actor, menu.subject, template)


def filled(form: Form, **typed: str) -> Fields:
    return Fields({**{field.key: field.value for field in form.fields}, **typed})


@pytest.mark.parametrize("template", Template)
def test_every_template_opens_a_form_that_gives_an_sfx(template: Template) -> None:
    form = opened(able(), template)
    assert form.subject is not None
    assert re.fullmatch(sheet.CHOSEN, form.subject)
    title = spelled(form.title)
    assert len(title) <= TITLE
    rule = sheet.read(form.subject, filled(form, name="Ace", when="up high"))
    kept = CORTEX.has(rule(able(), ALICE).table.characters["alice"]).sfx["ace"]
    assert kept.when == "up high"


def test_the_menu_has_all_that_there_is_and_a_menu_has_room() -> None:
    card = sheet.menu(able(), ALICE)
    assert card.private
    assert [option.value for option in card.menus[0].options] == list(TEMPLATES)
    assert len(TEMPLATES) <= 25


def test_a_place_is_a_menu_of_ones_own_traits() -> None:
    form = opened(able(), Template.TRADE)
    assert [field.key for field in form.fields] == ["name", "trait", "other", "when"]
    assert [(field.value, len(field.options)) for field in form.fields[1:3]] == [("Mind", 2), ("Body", 2)]


@pytest.mark.parametrize("count", [0, 26])
def test_a_place_is_typed_where_a_menu_would_not_do(count: int) -> None:
    traits = [Trait(f"Knack {n}", 8) for n in range(count)]
    form = opened(having(begun(), "alice", TraitKind.TRAIT, *traits), Template.DOUBLE)
    assert not form.fields[1].options
    assert spelled(form.fields[1].hint) == f"Example: {'Knack 0' if count else 'Mind'}"


def test_what_always_would_do_says_when() -> None:
    needs = {each for each in TEMPLATES if opened(able(), each).fields[-1].required}
    assert needs == {Template.TRIGGER}


def test_the_gm_gives_a_player_an_sfx_and_nobody_else_does() -> None:
    form = opened(able(), Template.REROLL, GM, "Alice")
    rule = sheet.read(str(form.subject), filled(form, name="Luck"))
    assert "luck" in CORTEX.has(rule(able(), GM).table.characters["alice"]).sfx
    for forbidden in (lambda: sheet.menu(able(), BOB, "Alice"), lambda: rule(able(), BOB)):
        with pytest.raises(NotAllowed):
            forbidden()


def test_who_has_no_character_yet_gets_one_with_the_sfx() -> None:
    form = opened(able(), Template.REROLL, NEW)
    rule = sheet.read(str(form.subject), filled(form, name="Luck"))
    agreed = replace(NEW, agreed=("new dan",))
    assert CORTEX.has(rule(able(), agreed).table.characters["dan"]).sfx["luck"] == Sfx(
        "Luck", ("reroll",), ("1 PP",)
    )


def test_what_is_gone_since_is_refused() -> None:
    form = opened(able(), Template.PUSH)
    with pytest.raises(TooLate, match="its setting is off"):
        sheet.form(begun(), ALICE, str(form.subject), "")
    with pytest.raises(Unknown):
        sheet.form(Table(), ALICE, str(form.subject), Template.REROLL)
    with pytest.raises(TooLate):
        sheet.form(able(), ALICE, "", "no such thing")


def test_the_templates_are_offered_to_who_plays_somebody() -> None:
    assert [each.verb for each in sheet.templates_button(able(), ALICE)] == [sheet.OFFER]
    assert sheet.templates_button(able(), GM) == sheet.templates_button(able(), None) == ()
