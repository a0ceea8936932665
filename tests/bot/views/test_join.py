"""Joining: who can be chosen, and how the form for a new character is read."""

from functools import partial

import pytest

from bot.language.printers import spelled
from bot.views import join
from bot.views.question import MOST_IN_MENU, Fields
from rules.campaign.seats import Actor, with_new
from rules.cortex import characters, points, sheet
from rules.cortex.model import CORTEX
from rules.cortex.ruleset import PROFILES
from rules.errors import Unreadable
from rules.ore import sheet as ore_sheet
from rules.values import replace
from tests.bot.views.asking import GM, after, begun

CAROL = Actor(9, "carol")


def test_only_characters_that_nobody_plays_can_be_chosen() -> None:
    assert join.choosing(begun()) is None
    table = after(
        begun(),
        *((with_new(begun(), GM, name), partial(points.give_points, who=name)) for name in ("Ada", "Zoe")),
    )
    card = join.choosing(table)
    assert card is not None
    assert [option.value for menu in card.menus for option in menu.options] == ["Ada", "Zoe"]


def test_a_menu_of_characters_says_how_to_play_those_without_a_place() -> None:
    names = [f"Ada {number}" for number in range(MOST_IN_MENU + 2)]
    agreed = replace(GM, agreed=tuple(f"new {name.lower()}" for name in names))
    card = join.choosing(after(begun(), *((agreed, partial(points.give_points, who=name)) for name in names)))
    assert card is not None
    assert len(card.menus[0].options) == MOST_IN_MENU
    assert spelled(card.lines[-1]) == "There are 2 more. To play one: /character play"


@pytest.mark.parametrize("ruleset", PROFILES)
def test_the_form_of_a_new_character_works_as_it_is_opened(ruleset: str) -> None:
    table = begun(ruleset)
    shown = {field.key: field.value for field in join.form(table, CAROL).fields}
    played = join.read(Fields(shown))(table, CAROL).table.played_by(CAROL.id)
    assert played is not None
    assert sheet.write(sheet.of(played)) == sheet.write(characters.typed_sheet(table, shown["sheet1"]))
    assert CORTEX.has(played).distinctions


def test_the_form_of_a_one_roll_character_works_as_it_is_opened() -> None:
    shown = {field.key: field.value for field in join.form(begun("one-roll"), CAROL).fields}
    played = join.read(Fields(shown))(begun("one-roll"), CAROL).table.played_by(CAROL.id)
    assert played is not None
    assert ore_sheet.write_sheet(ore_sheet.of(played)) == shown["sheet1"]


def test_a_new_character_needs_a_name() -> None:
    with pytest.raises(Unreadable):
        join.read(Fields(name=""))(begun(), CAROL)
