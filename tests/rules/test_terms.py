"""The terms of the game: what stands in their places, in plain English, with own words, and in a language."""

from gettext import NullTranslations

import pytest

from rules import terms
from rules.custom_terms import missing_forms
from rules.terms import ENGLISH, STANDARD, Term, base_of, in_terms, worded
from rules.text import Words, counted

OWN = {
    Term.DOOM_POOL: missing_forms("Threat", "Threats", "T"),
    Term.PLOT_POINT: missing_forms("Hero Point", "Hero Points", "HP"),
    Term.ASSET: missing_forms("Boon"),
    Term.HITCH: missing_forms("Omen"),
    Term.STRESS: missing_forms("Strain"),
    Term.GM: missing_forms("keeper"),
}
TABLE = worded(ENGLISH, tuple(OWN.items()))


def every_form(term: Term) -> str:
    forms = ("one", "many", "short", "a", "a_short", "One", "Many", "Short", "A", "A_short")
    return ", ".join(f"{{{term.name.lower()}.{form}}}" for form in forms)


def test_in_plain_english_a_term_is_its_standard_word() -> None:
    assert in_terms(every_form(Term.PLOT_POINT)) == (
        "plot point, plot points, PP, a plot point, a PP, Plot point, Plot points, PP, A plot point, A PP"
    )
    assert str(Words("{asset.A} for {who}", who="Bo")) == "An asset for Bo"
    assert str(counted(2, "{count} {hitch.one}", "{count} {hitch.many}")) == "2 hitches"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{doom_pool.One}: 2d6 d8", "Threat: 2d6 d8"),
        ("Back to {doom_pool.short}", "Back to T"),
        ("3 {plot_point.short}", "3 HP"),
        ("a new {plot_point.one}, {plot_point.a_short}", "a new hero point, an HP"),
        ("{asset.a}, {asset.Many}", "a boon, Boons"),
        ("{hitch.a}, {hitch.many}", "an omen, omens"),
        ("Physical {stress.one}, {stress.a}", "Physical strain, strain"),
        ("the {gm.one}. {gm.One}", "the keeper. Keeper"),
        ("{crisis.a} and {no.term}", "a crisis and {no.term}"),
    ],
)
def test_a_table_says_its_own_words(text: str, said: str) -> None:
    assert in_terms(text, TABLE) == said
    assert Words(text).said(TABLE) == said


def test_a_value_is_never_read_as_a_term() -> None:
    assert Words("{who} has {asset.a}", who="{asset.one}").said(TABLE) == "{asset.one} has a boon"


def test_a_language_has_its_own_standard_words() -> None:
    class German(NullTranslations):
        def gettext(self, message: str) -> str:
            return {"asset": "Vorteil", "an asset": "ein Vorteil", "a {word}": "ein(e) {word}"}.get(
                message, message
            )

    language = German()
    assert in_terms("{asset.a}, {asset.one}", language) == "ein Vorteil, Vorteil"
    own = worded(language, ((Term.ASSET, missing_forms("Trumpf", "Trümpfe")),))
    assert in_terms("{asset.a}, {asset.many}", own) == "ein(e) Trumpf, Trümpfe"
    assert base_of(own) is language


@pytest.mark.parametrize("term", Term)
def test_every_form_of_every_term_is_a_word_in_any_language(term: Term) -> None:
    assert "{" not in in_terms(every_form(term), NullTranslations())
    assert "{" not in in_terms(every_form(term), TABLE)
    assert STANDARD[term].one == term


def test_texts_that_are_known_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terms, "_MOST_KNOWN", 2)
    known = terms._Known()
    assert [known[text, ENGLISH] for text in ("{asset.One}", "Rope", "{hitch.One}")] == [
        "Asset",
        "Rope",
        "Hitch",
    ]
    assert len(known) == 1
