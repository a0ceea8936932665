"""Phrases: data that is put into words in the language of whoever reads it."""

from gettext import NullTranslations

import pytest

from rules.text import COMMA, NO_WORDS, OR, SEMICOLON, Row, Words, counted, join_phrases


class Backwards(NullTranslations):
    """A language that joins names the other way round, and has one word for any number."""

    def gettext(self, message: str) -> str:
        texts = {"{first} and {last}": "{last} und {first}", "a {foe}": "ein {foe}", "crisis": "KRISE"}
        return texts.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return "{count} WÜRFEL"


def test_a_phrase_is_plain_english_for_whoever_asks_no_language() -> None:
    phrase = Words("a {foe} of {dice}", foe=Words("crisis"), dice=counted(2, "{count} die", "{count} dice"))
    assert str(phrase) == f"{phrase}" == "a crisis of 2 dice"
    assert f"{Words('Rope'):>6}" == "  Rope"


def test_all_phrases_in_a_phrase_are_said_in_its_language() -> None:
    inner = Row((Words("crisis"), "Rex", counted(3, "{count} die", "{count} dice")))
    assert Words("a {foe}", foe=inner).said(Backwards()) == "ein 3 WÜRFEL und KRISE, Rex"


@pytest.mark.parametrize(
    ("names", "words"),
    [([], ""), (["Rope"], "Rope"), (["Rope", "Map"], "Rope and Map"), (["a", "b", "c"], "a, b and c")],
)
def test_names_are_listed_as_one_says_them(names: list[str], words: str) -> None:
    assert str(Row(names)) == words


def test_a_row_is_joined_in_other_ways_too() -> None:
    assert str(Row((4, 6, 8), OR)) == "4, 6 or 8"
    assert str(Row((4, 6, 8), COMMA)) == "4, 6, 8"
    assert str(Row((Row(("a", "b")), "c", "d"), SEMICOLON, SEMICOLON)) == "a and b; c; d"
    assert str(NO_WORDS) == ""
    both = join_phrases(NO_WORDS, Words("You play Bob."), Words("There are none yet."))
    assert str(both) == "You play Bob. There are none yet."


def test_what_was_typed_is_never_read_as_a_place_for_a_value() -> None:
    assert str(Words("it is {who}", who="{who} {0}")) == "it is {who} {0}"
    assert str(Row(("{first}", "{last}", "{x}"))) == "{first}, {last} and {x}"


def test_phrases_are_values() -> None:
    assert Words("a {foe}", foe="x") == Words("a {foe}", foe="x") != Words("a {foe}", foe="y")
    assert len({Words("a"), Words("a"), Words("b")}) == 2
