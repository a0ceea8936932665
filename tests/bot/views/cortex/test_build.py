"""The builder: everything in its menus and below can be pressed."""

import re
from functools import partial

import pytest

from bot.language.printers import spelled
from bot.views.card import Card, mark
from bot.views.cortex import builder
from bot.views.cortex.builder import BuildShown
from bot.views.question import Fields
from rules.cortex import builder as cortex_builder
from rules.cortex import characters, sfx_use, traits
from rules.cortex.builder import Build, look
from rules.cortex.model import CORTEX
from rules.cortex.pool_resolver import likeliest
from rules.errors import TooLate
from rules.table import Table
from rules.values import replace
from tests.bot.views.asking import ALICE, GM, after, begun, highest, newest


def filled() -> Table:
    """Alice with something in most menus."""
    skill = partial(characters.put, die="d8", trait_set="Skills")
    return after(
        begun(),
        *((ALICE, partial(skill, trait=f"Trait {n}")) for n in range(30)),
        (ALICE, partial(traits.add_asset, what="Rope")),
        (ALICE, partial(sfx_use.add, name="Focus", benefit="double", cost="1 PP")),
    )


def shown(table: Table, built: Build, at: BuildShown = builder.TRAITS) -> Card:
    return builder.build_card(table, look(table, ALICE, built), at)


@pytest.mark.parametrize("at", [builder.TRAITS, BuildShown(1), BuildShown(is_die=True)])
def test_every_option_of_every_menu_and_every_button_changes_what_is_built(at: BuildShown) -> None:
    table = filled()
    built = cortex_builder.retype(table, ALICE, Build(), "2d6, Trait 1, d8, d10", "")
    card = shown(table, built, at)
    for menu in card.menus:
        assert re.fullmatch(builder.CHANGES[menu.verb], menu.subject)
        there = tuple(option.value for option in menu.options)
        for option in menu.options:
            change = builder.read(menu.verb, menu.subject, (option.value,), there)
            after_ = builder.shown_after(menu.verb, menu.subject)
            assert after_ == at
            now = shown(table, change(table, ALICE, built), after_)
            same = next(each for each in now.menus if (each.verb, each.subject) == (menu.verb, menu.subject))
            assert same.chosen == ((option.value,) if option.value != builder.NOTHING else ())
    for button in (button for row in card.rows for button in row):
        if button.verb in builder.CHANGES:
            assert re.fullmatch(builder.CHANGES[button.verb], button.subject)
            now_built = builder.read(button.verb, button.subject, ())(table, ALICE, built)
            now = shown(table, now_built, builder.shown_after(button.verb, button.subject))
            assert now != card


def test_a_menu_changes_nothing_that_it_did_not_offer() -> None:
    table = filled()
    built = cortex_builder.retype(table, ALICE, Build(), "Trait 1, Trait 29, Rope", "")
    offered = tuple(mark(f"Trait {n}") for n in range(10))
    now = builder.read("buildpick", "0", (mark("Trait 2"),), offered)(table, ALICE, built)
    assert now.text == '"Trait 29", Rope, "Trait 2"'
    with pytest.raises(
        TooLate,
        match=(r"Something you chose is gone\. Open the builder again\. Example: /pool build"),
    ):
        builder.read("buildpick", "0", (mark("Trait 11"),), offered)(table, ALICE, built)


def test_of_thirty_dice_each_can_be_chosen() -> None:
    table = filled()
    built = cortex_builder.retype(table, ALICE, Build(), ", ".join(["d6"] * 30), "")
    reached = {built.chosen}
    while True:
        (menu,) = shown(table, built, BuildShown(is_die=True)).menus
        assert menu.chosen[0] in [each.value for each in menu.options]
        reached |= {int(each.value) for each in menu.options}
        if menu.options[0].value == "0":
            break
        built = builder.read("buildchoose", "", (menu.options[0].value,))(table, ALICE, built)
    assert reached == set(range(30))


def test_what_is_built_can_be_typed_on_and_is_rolled() -> None:
    table = filled()
    built = cortex_builder.retype(table, ALICE, Build(), "Trait 1, 2d6", "11")
    fields = Fields({field.key: field.value for field in builder.roll_form(table, ALICE, built).fields})
    assert (fields["dice"], fields["vs"]) == ('"Trait 1", 2d6', "11")
    fields["note"] = "the door"
    made = newest(builder.read_typed(fields, highest)(table, ALICE).table)
    assert (made.who, made.note, made.against and made.against.number) == ("Alice", "the door", 11)


def test_a_first_pool_has_the_likeliest_traits_and_later_ones_what_was_left() -> None:
    table = filled()
    first = cortex_builder.opened(table, ALICE, Build())
    assert first.text == likeliest(table, table.characters["alice"]) != ""
    emptied = cortex_builder.cleared(replace(first, version=1))
    assert cortex_builder.opened(table, ALICE, emptied) == emptied


def test_it_is_rolled_or_shared() -> None:
    table = filled()
    built = cortex_builder.retype(table, ALICE, Build(), "2d6, d8", "")
    verbs = [button.verb for button in shown(table, built).rows[0] if button.verb in builder.FINISHES]
    assert verbs == ["buildroll", "buildshare"]
    assert CORTEX.of(builder.read_finish("buildshare", highest)(built)(table, ALICE).table).pools
    assert newest(builder.read_finish("buildroll", highest)(built)(table, ALICE).table).who == "Alice"


def test_a_pool_for_somebody_else_says_for_whom_it_is() -> None:
    table = filled()
    built = cortex_builder.retype(table, GM, Build(who="Bob"), "2d6", "")
    assert spelled(builder.build_card(table, look(table, GM, built)).lines[1]) == "Bob's pool: 2d6"


def test_what_has_ended_meanwhile_is_not_rolled_against() -> None:
    table = filled()
    with pytest.raises(TooLate, match="The opposition you chose is gone"):
        builder.read("buildvs", "", (mark("Fire"),))(table, ALICE, Build())
