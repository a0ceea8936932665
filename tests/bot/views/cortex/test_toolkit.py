"""The menus in the preview of another program's sheet."""

from typing import Any

from bot.views.cortex.toolkit import menus
from bot.views.question import MOST_IN_MENU
from rules.cortex.formats import toolkit_form, toolkit_reader
from rules.cortex.formats.toolkit_form import TraitSetUse


def read(*names: str) -> toolkit_reader.ReadCharacter:
    sets: list[Any] = [{"name": name, "traits": []} for name in names]
    (form,) = toolkit_form.read({"traitSets": sets})
    return toolkit_reader.read(form)


def test_a_sheet_without_sets_has_nothing_to_choose() -> None:
    assert menus([read()], (), "0", "", "import", 7) == ()


def test_fifty_characters_stand_in_two_menus_and_the_chosen_one_in_its_own() -> None:
    names = [f"N{number}" for number in range(50)]
    first, second = menus([read()], names, "30", "", "importone", 7)
    assert [each.verb for each in (first, second)] == ["importonewho"] * 2
    assert (first.chosen, second.chosen) == ((), ("30",))
    assert [each.value for each in second.options] == [str(number) for number in range(25, 50)]
    assert first.subject != second.subject


def test_no_menu_has_more_than_discord_shows() -> None:
    (menu,) = menus([read(*(f"Set {number}" for number in range(40)))], (), "0", "", "import", 7)
    assert len(menu.options) == MOST_IN_MENU


def test_the_open_set_shows_what_it_is_taken_as() -> None:
    _, menu = menus([read("Stress", "XP")], (), "0", "stress", "import", 7)
    assert menu.chosen == (TraitSetUse.STRESS,)
    assert [each.value for each in menu.options] == [
        each for each in TraitSetUse if each is not TraitSetUse.XP
    ]
    _, menu = menus([read("XP")], (), "0", "xp", "import", 7)
    assert menu.chosen == (TraitSetUse.XP,)
