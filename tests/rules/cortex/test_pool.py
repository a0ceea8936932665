"""Where dice come from, and how pools are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cortex.kinds import Foe, Trait, TraitKind
from rules.cortex.pool import NEW, Die, Source, Special, TraitUse, source_of, write_pool


@pytest.mark.parametrize(
    ("source", "stored"),
    [
        (NEW, ""),
        (Source(TraitKind.TRAIT, "Attributes"), "set Attributes"),
        (Source(TraitKind.TRAIT, "set of pushed stress"), "set set of pushed stress"),
        (Source(TraitKind.TRAIT), "trait"),
        (Source(TraitKind.ASSET, is_signature=True), "signature asset"),
        (Source(TraitKind.COMPLICATION, is_scene=True), "scene complication"),
        (Source(TraitKind.STRESS, use=TraitUse.HELPS), "own stress"),
        (Source(TraitKind.STRESS, use=TraitUse.PUSHED), "pushed stress"),
        (Source(TraitKind.TRAIT, "Values", TraitUse.CHALLENGED), "challenged set Values"),
        (Source(TraitKind.ASSET, use=TraitUse.CHALLENGED, is_signature=True), "challenged signature asset"),
        (Source(Special.FURTHER_RESOURCE), "further resource"),
        (Source(Special.FROM_DOOM), "from doom"),
        (Source(Foe.CHALLENGE), "challenge"),
    ],
)
def test_D2_where_a_die_comes_from_is_stored_as_it_always_was(source: Source, stored: str) -> None:
    assert (str(source), Source.of_text(stored)) == (stored, source)


@given(st.sampled_from([*TraitKind, *Foe, *Special]))
def test_every_kind_of_source_is_read_back(kind: TraitKind | Foe | Special) -> None:
    assert Source.of_text(str(Source(kind))) == Source(kind)


@given(st.text(max_size=12))
def test_what_an_older_version_stored_is_no_new_name(text: str) -> None:
    assert Source.of_text(text).is_new == (text == "")
    for old in ("Rain", "own Rain", "own " * 100_000):
        assert Source.of_text(old) == Source(Special.OTHER)


@pytest.mark.parametrize(
    ("kind", "trait", "source"),
    [
        (TraitKind.TRAIT, Trait("Mind", 10, set="Attributes"), Source(TraitKind.TRAIT, "Attributes")),
        (TraitKind.TRAIT, Trait("Fangs", 10), Source(TraitKind.TRAIT)),
        (TraitKind.ASSET, Trait("Rope", 6), Source(TraitKind.ASSET)),
        (TraitKind.ASSET, Trait("Blade", 8, signature=8), Source(TraitKind.ASSET, is_signature=True)),
        (TraitKind.DISTINCTION, Trait("Bold", 8, set="Attributes"), Source(TraitKind.DISTINCTION)),
    ],
)
def test_D2_the_die_of_a_trait_comes_from_its_kind_and_set(
    kind: TraitKind, trait: Trait, source: Source
) -> None:
    assert source_of(kind, trait) == source


@pytest.mark.parametrize(
    ("pool", "words"),
    [
        ((Die(6), Die(10, "Mind"), Die(6)), "Mind d10, 2d6"),
        ((Die(8, "Quick Wits"),), '"Quick Wits" d8'),
        ((Die(8, "up"),), '"up" d8'),
        ((Die(8, "scale"),), '"scale" d8'),
        ((Die(8, "Scale", Source(Special.SCALE)),), "Scale d8"),
        ((Die(8, "Doom", Source(Special.FROM_DOOM)),), "from doom d8"),
        ((Die(8, 'The "Duke"'),), "\"The 'Duke'\" d8"),
        ((), "empty"),
    ],
)
def test_D2_labels_that_would_be_misread_are_in_quotation_marks(pool: tuple[Die, ...], words: str) -> None:
    assert write_pool(pool) == words
