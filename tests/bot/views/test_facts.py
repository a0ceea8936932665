"""Facts of any table, each in its words."""

import pytest

from bot.language.printers import spelled
from bot.views.facts import summary
from rules.facts import Began, Fact, Noted, NoteDone, Quoted, QuoteTakenOut, RollNoted, Stretch

WORDS = (
    (Noted("It lies"), "Note: It lies"),
    (Noted("It lies", about="Regent"), "Note about Regent: It lies"),
    (Noted("Who?", is_open=True), "Open: Who?"),
    (Noted("Who?", is_open=True, about="Regent"), "Open note about Regent: Who?"),
    (Noted("It lies", secret=True), "The GM’s note: It lies"),
    (Noted("It lies", secret=True, about="Regent"), "The GM’s note about Regent: It lies"),
    (Noted("Who?", secret=True, is_open=True), "The GM’s note, still open: Who?"),
    (
        Noted("Who?", secret=True, is_open=True, about="Regent"),
        ("The GM’s note about Regent, still open: Who?"),
    ),
    (NoteDone("Who?"), "Done: Who?"),
    (NoteDone("Who?", secret=True), "The GM’s note is done: Who?"),
    (RollNoted(8, "Nova", "force the door"), "What Nova rolled for: force the door"),
    (Quoted("It lies", "alice", "Mira"), "Quoted: Mira: “It lies”"),
    (Quoted("It lies", "alice"), "Quoted: alice: “It lies”"),
    (Quoted("", "alice", "Mira"), "A quote by Mira, since removed"),
    (QuoteTakenOut("alice"), "A quote by alice has been removed"),
    (Began(Stretch.SCENE, 2, "The docks"), "Scene The docks begins"),
    (Began(Stretch.SCENE, 2, "The docks", "Day 3"), "Scene The docks begins. Day: Day 3"),
)


@pytest.mark.parametrize(("fact", "words"), WORDS, ids=[words for _, words in WORDS])
def test_notes_and_days_are_told_in_a_line(fact: Fact, words: str) -> None:
    assert spelled(summary((fact,))) == words
