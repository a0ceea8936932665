"""Names: cleaned, and found by what was typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import Ambiguous, Unknown, Unreadable
from rules.names import LABEL, LONGEST, clean, find, fold, offer, spelt
from rules.text import Words
from tests import strategies
from tests.rules.people import tried

NAMES = ["Rope", "Rope Bridge", "Lantern", "Müller", "Straße"]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Broken \t Leg\n", "Broken Leg"),
        ("Zoe\u200b\u202e", "Zoe"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("\u200d Rope", "Rope"),
        ("\ud800Rope", "Rope"),
        ("*Rope*", "*Rope*"),
    ],
)
def test_a_name_is_kept_as_typed_on_one_line_without_what_cannot_be_seen(typed: str, name: str) -> None:
    assert clean(typed) == name


@pytest.mark.parametrize("typed", ["", "  ", "\u200b", "\u200d", "\x00\x07", "\n"])
def test_a_name_with_nothing_to_see_is_refused(typed: str) -> None:
    with pytest.raises(Unreadable, match="label is empty"):
        clean(typed, LABEL)


def test_a_name_may_have_a_hundred_characters() -> None:
    assert clean("x" * LONGEST) == "x" * LONGEST
    with pytest.raises(Unreadable, match="101 characters; the limit is 100"):
        clean("x" * (LONGEST + 1))


@given(strategies.typed())
def test_cleaning_any_text_gives_a_clean_name_or_a_refusal(text: str) -> None:
    name = tried(lambda: clean(text))
    if name is None:
        return
    assert clean(name) == name
    assert name == " ".join(name.split())
    assert 0 < len(name) <= LONGEST


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("rope", "Rope"),
        ("ROPE B", "Rope Bridge"),
        ("l", "Lantern"),
        ("mÜ", "Müller"),
        ("STRASSE", "Straße"),
        (" Lan ", "Lantern"),
    ],
)
def test_a_name_is_found_whatever_its_capitals_and_by_its_beginning(typed: str, name: str) -> None:
    assert find(typed, NAMES, Words("asset")) == name


def test_a_beginning_of_several_names_is_refused_with_all_of_them() -> None:
    with pytest.raises(Ambiguous, match='"Rop" could be Rope or Rope Bridge'):
        find("Rop", NAMES, Words("asset"))


def test_a_beginning_of_sixty_names_is_refused_in_a_short_sentence() -> None:
    with pytest.raises(Ambiguous) as refusal:
        find("R", [f"Rat {n} {'x' * 90}" for n in range(60)], Words("asset"))
    assert len(str(refusal.value)) < 1900


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("Roep", r"Did you mean Rope\?"),
        ("Lanten", r"Did you mean Lantern\?"),
        ("Zzz", r"Try Rope, Rope Bridge, Lantern, Müller or Straße\."),
    ],
)
def test_an_unknown_name_is_refused_with_what_there_is(typed: str, hint: str) -> None:
    with pytest.raises(Unknown, match=rf'There\'s no asset called "{typed}"\. {hint}'):
        find(typed, NAMES, Words("asset"))


def test_an_unknown_name_among_none_says_so() -> None:
    with pytest.raises(Unknown, match=r'There\'s no asset called "Rope"\.'):
        find("Rope", [], Words("asset"))


@given(strategies.typed(), st.lists(strategies.labels(), max_size=5))
def test_any_text_finds_one_of_the_names_or_is_refused(text: str, names: list[str]) -> None:
    assert tried(lambda: find(text, names, Words("thing"))) in (None, *names)


@given(st.lists(strategies.labels(), unique_by=fold, min_size=1, max_size=6), st.data())
def test_every_name_finds_itself_beside_any_others(names: list[str], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(names))
    assert find(name, names, Words("thing")) == name


def test_a_name_of_which_a_later_word_begins_so_is_offered_first() -> None:
    names = ["Crosswind", "Notched crossbow", "Over the roofs"]
    assert str(offer("crossbow", names)) == "Did you mean Notched crossbow?"
    assert str(offer("roof", names)) == "Did you mean Over the roofs?"
    assert str(offer("ro", names)) == "Try Crosswind, Notched crossbow or Over the roofs."


def test_at_most_five_names_are_offered() -> None:
    assert str(offer("zzz", [f"Rope{n}" for n in range(40)])).count("Rope") == 5


def test_names_that_are_left_out_are_counted() -> None:
    names = [f"Rope{n}" for n in range(12)]
    assert str(offer("zzz", names)).endswith("Rope4 and 7 more.")
    with pytest.raises(Ambiguous, match="Rope4 and 7 more"):
        find("Rope", names, Words("asset"))


@pytest.mark.parametrize(
    ("name", "said"),
    [("alice", "alice"), ("", '""'), ("a\ud800", "a\\ud800"), ("a\nb", "a\\nb"), ("👩‍🚀 Zoë", "👩‍🚀 Zoë")],
)
def test_what_cannot_be_seen_in_a_name_is_escaped(name: str, said: str) -> None:
    assert spelt(name) == said
