"""SFX templates: filled in, they are SFX like any other."""

import pytest

from rules.cortex import sfx
from rules.cortex.kinds import Sfx
from rules.cortex.sfx import TEMPLATES, Placeholder, Template, fill_template
from rules.errors import NotAllowed, Unreadable

STANDS = {Placeholder.TRAIT: "Quick Wits", Placeholder.OTHER: "Body", Placeholder.TROUBLE: "Physical"}


@pytest.mark.parametrize("template", Template)
def test_X1_every_template_reads_back_as_it_is_written(template: Template) -> None:
    names = [STANDS[place] for place in TEMPLATES[template].places]
    filled = fill_template(template, "Ace: high", names, "up high")
    assert sfx.read(sfx.write(filled)) == filled
    acts = [each.act for each in sfx.parts_of(filled)]
    assert sfx.Act.WORDS not in acts
    written = [each.label for each in sfx.parts_of(filled) if each.label in STANDS.values()]
    assert {*written} == {*names}


def test_X1_a_template_is_named_filled_and_given_its_condition() -> None:
    assert fill_template(Template("trade"), "All in", ["Mind", " Body "], "when alone") == Sfx(
        "All in", ("up Mind",), ("down Body",), "alone"
    )


def test_N13_an_asset_has_a_die_of_the_table() -> None:
    assert fill_template(Template.ASSET, "Cover").benefit == ("asset d8",)
    assert fill_template(Template.ASSET, "Cover", sizes=(4, 6, 12)).benefit == ("asset d6",)


@pytest.mark.parametrize(
    ("template", "names", "because"),
    [
        (Template.DOUBLE, (), r"Twice needs 1 trait, but 0 are named\."),
        (Template.TRADE, ("Mind", " "), r"Twice needs 2 traits, but 1 is named\."),
        (Template.REROLL, ("Mind",), r"Twice needs 0 traits, but 1 is named\."),
    ],
)
def test_X1_as_many_traits_as_there_are_places(
    template: Template, names: tuple[str, ...], because: str
) -> None:
    with pytest.raises(Unreadable, match=because):
        fill_template(template, "Twice", names)


def test_X1_a_trait_is_not_traded_for_itself() -> None:
    with pytest.raises(NotAllowed, match="so name two"):
        fill_template(Template.TRADE, "All in", ("Mind", "mind"))


@pytest.mark.parametrize("trait", ["Cut + Run", "It's, me", 'The "Q', "theirs", "doom", "L" * 76, "a\nb"])
def test_X1_what_means_something_else_in_an_sfx_is_no_trait_of_one(trait: str) -> None:
    with pytest.raises(NotAllowed, match="An SFX can't name"):
        fill_template(Template.STEP_UP, "Ace", (trait,))


@pytest.mark.parametrize("when", [None, "", "  "])
def test_X1_what_has_no_price_says_when(when: str | None) -> None:
    with pytest.raises(Unreadable, match="Say when the SFX gives a PP"):
        fill_template(Template.TRIGGER, "Past", when=when)
