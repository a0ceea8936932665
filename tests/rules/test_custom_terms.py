"""A table's own words: how they are typed, written and refused, and what is understood by them."""

from functools import partial

import pytest

from rules import custom_terms
from rules.campaign import lifecycle
from rules.campaign.files import check
from rules.custom_terms import as_standard, means, missing_forms
from rules.errors import NotAllowed, RuleError, Unreadable
from rules.table import Settings, Table
from rules.terms import Term, Wording
from tests.bot.views.asking import GM, after, begun

THREAT = "doom pool = Threat, Threats, T; plot point = Hero Point, Hero Points, HP"


def set_to(value: str, table: Table | None = None) -> Table:
    return after(table or begun(), (GM, partial(lifecycle.change, setting="words", value=value)))


def shown(table: Table) -> str:
    return lifecycle.setting_value(table, "words")


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("Strain", Wording("Strain", "Strains", "Strain")),
        *((word, Wording(word, f"{word}es", word)) for word in ("Boss", "Hex", "Glitch", "Rush", "Blitz")),
        ("Story", Wording("Story", "Stories", "Story")),
        ("Day", Wording("Day", "Days", "Day")),
        ("Peril, Perils", Wording("Peril", "Perils", "Peril")),
        ("Glück, Glück, G", Wording("Glück", "Glück", "G")),
    ],
)
def test_what_is_left_out_is_made_of_the_first_word(typed: str, word: Wording) -> None:
    assert custom_terms.wording(typed) == word


def test_what_is_written_is_read_again() -> None:
    table = set_to(f"{THREAT}; hitches = Glitch, Glitches; gm = Keeper")
    assert shown(table) == "; ".join(
        (
            "plot point = Hero Point, Hero Points, HP",
            "doom pool = Threat, Threats, T",
            "hitch = Glitch",
            "GM = Keeper",
        )
    )
    assert set_to(shown(table)).settings == table.settings


def test_a_value_changes_only_the_terms_that_it_names() -> None:
    table = set_to("plot point = ; asset = Boon", set_to(THREAT))
    assert shown(table) == "doom pool = Threat, Threats, T; asset = Boon"
    assert shown(set_to("off", table)) == "off"
    assert shown(set_to("asset = asset", table)) == "doom pool = Threat, Threats, T"


@pytest.mark.parametrize(
    "value",
    [
        "doom pool = d6",
        "doom pool = Up",
        "asset = Safe",
        "asset = push",
        "asset = Boon, less one",
        "doom pool = asset",
        "asset = Boon; complication = boon",
        "asset = {0}",
        "asset = 🎯",
        "asset = " + "x" * 25,
        "asset = a, b, c, d",
        "Threat",
        "luck = Fate",
        ";",
    ],
)
def test_a_word_that_means_something_else_is_refused(value: str) -> None:
    with pytest.raises(RuleError) as refused:
        set_to(value)
    assert str(refused.value)


def test_a_picture_may_stand_behind_the_short_word_for_plot_points() -> None:
    assert shown(set_to("PP = Fate, Fates, F 🎯")) == "plot point = Fate, Fates, F 🎯"
    with pytest.raises(NotAllowed):
        set_to("asset = Boon, Boons, B 🎯")


def test_a_word_is_understood_without_its_picture() -> None:
    table = set_to("PP = Fate, Fates, F 🎯")
    assert as_standard(table, "1 f") == as_standard(table, "1 F 🎯") == "1 PP"


def test_words_of_a_file_are_checked() -> None:
    check(Table(settings=Settings(words={Term.ASSET: missing_forms("Boon")})))
    with pytest.raises(Unreadable, match=r"words\.asset"):
        check(Table(settings=Settings(words={Term.ASSET: missing_forms("d6")})))


def test_what_is_typed_with_own_words_is_understood() -> None:
    table = set_to(THREAT)
    assert means(table, Term.DOOM_POOL, "threat")
    assert not means(table, Term.ASSET, "asset")
    assert as_standard(table, '1 hp, threat d6, "Threat"') == '1 PP, doom d6, "Threat"'
    assert as_standard(begun(), "threat") == "threat"
