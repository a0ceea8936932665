"""Where dice come from, and how pools are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cortex.state.kinds import Foe, Kind, Trait
from rules.cortex.state.pool import NEW, Die, Source, Special, TraitUse, source_of, write_pool


@pytest.mark.parametrize(
    ("source", "stored"),
    [
        (NEW, ""),
        (Source(Kind.TRAIT, "Attributes"), "set Attributes"),
        (Source(Kind.TRAIT, "set of pushed stress"), "set set of pushed stress"),
        (Source(Kind.TRAIT), "trait"),
        (Source(Kind.ASSET, is_signature=True), "signature asset"),
        (Source(Kind.COMPLICATION, is_scene=True), "scene complication"),
        (Source(Kind.STRESS, use=TraitUse.HELPS), "own stress"),
        (Source(Kind.STRESS, use=TraitUse.PUSHED), "pushed stress"),
        (Source(Kind.TRAIT, "Values", TraitUse.CHALLENGED), "challenged set Values"),
        (Source(Kind.ASSET, use=TraitUse.CHALLENGED, is_signature=True), "challenged signature asset"),
        (Source(Special.FURTHER_RESOURCE), "further resource"),
        (Source(Special.FROM_DOOM), "from doom"),
        (Source(Foe.CHALLENGE), "challenge"),
    ],
)
def test_D2_where_a_die_comes_from_is_stored_as_it_always_was(source: Source, stored: str) -> None:
    assert (str(source), Source.of_text(stored)) == (stored, source)


@given(st.sampled_from([*Kind, *Foe, *Special]))
def test_every_kind_of_source_is_read_back(kind: Kind | Foe | Special) -> None:
    assert Source.of_text(str(Source(kind))) == Source(kind)


@given(st.text(max_size=12))
def test_what_an_older_version_stored_is_no_new_name(text: str) -> None:
    assert Source.of_text(text).is_new == (text == "")
    for old in ("Rain", "own Rain", "own " * 100_000):
        assert Source.of_text(old) == Source(Special.OTHER)


@pytest.mark.parametrize(
    ("kind", "trait", "source"),
    [
        (Kind.TRAIT, Trait("Mind", 10, set="Attributes"), Source(Kind.TRAIT, "Attributes")),
        (Kind.TRAIT, Trait("Fangs", 10), Source(Kind.TRAIT)),
        (Kind.ASSET, Trait("Rope", 6), Source(Kind.ASSET)),
        (Kind.ASSET, Trait("Blade", 8, signature=8), Source(Kind.ASSET, is_signature=True)),
        (Kind.DISTINCTION, Trait("Bold", 8, set="Attributes"), Source(Kind.DISTINCTION)),
    ],
)
def test_D2_the_die_of_a_trait_comes_from_its_kind_and_set(kind: Kind, trait: Trait, source: Source) -> None:
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
