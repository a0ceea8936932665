"""What SFX cost and give, read and written as a pair."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cortex.kinds import Sfx
from rules.cortex.sfx import BENEFITS, MOST_PARTS, Act, SfxPart, new_sfx, part, read, write, write_part
from rules.errors import RuleError


@pytest.mark.parametrize(
    ("typed", "means", "written"),
    [
        ("1 PP", SfxPart(Act.PP), "1 PP"),
        ("gain a pp", SfxPart(Act.PP), "1 PP"),
        ("spend 2 PP", SfxPart(Act.PP, number=2), "2 PP"),
        ("3pp", SfxPart(Act.PP, number=3), "3 PP"),
        ("one plot point", SfxPart(Act.PP), "1 PP"),
        ("add 2d6", SfxPart(Act.ADD, die=6, number=2), "add 2d6"),
        ("step up  Sharp", SfxPart(Act.UP, "Sharp"), "up Sharp"),
        ("up", SfxPart(Act.UP), "up"),
        ("down Old Wound", SfxPart(Act.DOWN, "Old Wound"), "down Old Wound"),
        ("Double Sharp", SfxPart(Act.DOUBLE, "Sharp"), "double Sharp"),
        ("down theirs", SfxPart(Act.DOWN_THEIRS), "down theirs"),
        ("step up the opposition", SfxPart(Act.UP_THEIRS), "up theirs"),
        ("add a d6", SfxPart(Act.ADD, die=6), "add d6"),
        ("reroll a die", SfxPart(Act.REROLL), "reroll"),
        ("another effect die", SfxPart(Act.EFFECT), "effect"),
        ("asset", SfxPart(Act.ASSET, die=8), "asset d8"),
        ("asset Cover d10", SfxPart(Act.ASSET, "Cover", 10), "asset d10 Cover"),
        ("d8 complication Webbed", SfxPart(Act.COMPLICATION, "Webbed", 8), "complication d8 Webbed"),
        ("doom", SfxPart(Act.DOOM, die=6), "doom d6"),
        ("shutdown Claws", SfxPart(Act.SHUT, "Claws"), "shut down Claws"),
        ("another die in the total", SfxPart(Act.TOTAL), "total"),
        ("step up the effect", SfxPart(Act.EFFECT_UP), "effect up"),
        ("remove a d8", SfxPart(Act.REMOVE, die=8), "remove d8"),
        ("remove the highest rolling die", SfxPart(Act.REMOVE, "highest"), "remove highest"),
        ("remove all 1s", SfxPart(Act.REMOVE, "1s"), "remove 1s"),
        ("remove the d8", SfxPart(Act.REMOVE, die=8), "remove d8"),
        ("remove Sailor", SfxPart(Act.REMOVE, "Sailor"), "remove Sailor"),
        ("hand over a hitch", SfxPart(Act.HITCH), "hitch"),
        ("down the doom pool", SfxPart(Act.DOWN_DOOM), "down doom"),
        ("step up a doom die", SfxPart(Act.UP_DOOM), "up doom"),
        ("use opportunity", SfxPart(Act.OPPORTUNITY), "opportunity"),
        ("doom die", SfxPart(Act.WORDS, "doom die"), '"doom die"'),
        ("use an opportunity", SfxPart(Act.OPPORTUNITY), "opportunity"),
        ("accept something risky", SfxPart(Act.WORDS, "accept something risky"), '"accept something risky"'),
        ('"up the ante"', SfxPart(Act.WORDS, "up the ante"), '"up the ante"'),
    ],
)
def test_X1_costs_and_benefits_are_read_and_written(typed: str, means: SfxPart, written: str) -> None:
    assert part(typed) == means
    assert write_part(means) == written
    assert part(written) == means


@pytest.mark.parametrize("typed", ["add d7", "asset d20", "doom d3"])
def test_X1_a_die_that_is_none_is_refused(typed: str) -> None:
    with pytest.raises(RuleError, match=r"isn't a die here\. Use"):
        part(typed)


@pytest.mark.parametrize(
    "line",
    [
        "Focus: double Mind, for 1 PP, when angry",
        "Focus (Mind): double Mind",
        "Focus (Rope (the old (red) one)): up",
        "Focus (Left) (and right): up",
        '"Say: it (loud)": up, add d6, for doom d6, complication d8 Hoarse',
        "Fury: add d6, when outnumbered, or alone",
    ],
)
def test_an_sfx_is_one_line_of_a_sheet(line: str) -> None:
    assert write(read(line)) == line


@given(
    st.lists(
        st.sampled_from(["up", "double Mind", "add d6", "1 PP", "asset d8 Cover", '"be brave"']), max_size=4
    ),
    st.lists(
        st.sampled_from(["1 PP", "doom d6", "shut down", "down Mind", '"risk it, for fun"']), max_size=4
    ),
    st.sampled_from(["", "angry", "it rains, and hails"]),
)
def test_what_is_written_reads_back(benefit: list[str], cost: list[str], when: str) -> None:
    try:
        sfx = new_sfx("Fury", ", ".join(benefit), ", ".join(cost), when)
    except RuleError:
        assert not benefit
        return
    assert read(write(sfx)) == sfx
    assert (sfx.benefit, sfx.cost, sfx.when) == (tuple(benefit), tuple(cost), when)


@pytest.mark.parametrize("form", BENEFITS)
def test_what_is_nearly_a_benefit_is_refused_with_the_form_it_is_like(form: str) -> None:
    with pytest.raises(RuleError, match=r"isn't a benefit\. Try ") as refused:
        new_sfx("Focus", f"z{form}")
    assert form in str(refused.value).casefold()
    assert part(form).act is not Act.WORDS


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(RuleError, match="needs a benefit"):
        new_sfx("Focus", " , ")
    with pytest.raises(RuleError, match="Make two SFX"):
        new_sfx("Focus", "up, reroll")
    with pytest.raises(RuleError, match=f"The benefit of an SFX can have at most {MOST_PARTS} parts"):
        new_sfx("Focus", ", ".join(["up"] * (MOST_PARTS + 1)))
    with pytest.raises(RuleError, match="That condition has 201 characters"):
        new_sfx("Focus", "up", when="x" * 201)
    with pytest.raises(RuleError, match="name, a colon"):
        read("Focus double Mind")
    assert new_sfx("Focus", "up", when="when angry") == Sfx("Focus", ("up",), when="angry")


@pytest.mark.parametrize(
    "typed",
    [
        "split Mind",
        "be brave",
        'be "brave"',
        "doom die",
        "asset d8 or d10",
        '"up',
        "add d6 and d8",
        "pay 1 PP",
    ],
)
def test_X1_what_is_no_word_is_refused(typed: str) -> None:
    with pytest.raises(RuleError, match=r"Example|quotation marks"):
        new_sfx("Focus", typed)
    with pytest.raises(RuleError):
        new_sfx("Focus", f"up, {typed}")


def test_mere_words_are_typed_in_quotation_marks_of_either_kind() -> None:
    assert new_sfx("Focus", "“be brave, always”, up").benefit == ('"be brave, always"', "up")
    with pytest.raises(RuleError, match="a benefit"):
        new_sfx("Focus", "up", "gain 1 PP")


def test_words_that_were_kept_without_quotation_marks_are_written_with_them() -> None:
    assert write(Sfx("Old", ("be brave", "up"), ("risk it",))) == 'Old: "be brave", up, for "risk it"'
