"""Notes and titles: who may, and what they say."""

from functools import partial
from typing import Any

import pytest

from rules.campaign import characters, notes
from rules.campaign.files import check
from rules.cortex import roll
from rules.cortex.model import CORTEX
from rules.errors import NotAllowed, TooLate, Unknown
from rules.facts import Noted, NoteDone, RollNoted, Titled
from rules.game import Step
from rules.names import Thread
from rules.table import Character, Table
from rules.values import replace
from rules.visibility import apply_rule
from tests.rules.people import ALICE, BOB, GRETA, ZOE, after, faces, table


def test_an_older_session_is_titled_by_its_number() -> None:
    step = notes.title(Table(session=3, titles={3: "Now"}), GRETA, "The fall", 2)
    assert step.table.titles == {2: "The fall", 3: "Now"}
    assert step.facts == (Titled(2, "The fall"),)


@pytest.mark.parametrize(("last", "number"), [(0, 0), (2, 3)])
def test_a_session_that_has_not_begun_has_no_title(last: int, number: int) -> None:
    with pytest.raises(NotAllowed, match="No session has started yet"):
        notes.title(Table(session=last), GRETA, "The fall", number)


def test_at_a_table_of_a_gm_a_stranger_notes_nothing() -> None:
    with pytest.raises(NotAllowed, match="Only the GM and players with a character can write notes"):
        notes.note(Table(gms={GRETA.id: "Greta"}), ALICE, "The map lies")


def test_only_the_gm_notes_something_in_secret() -> None:
    with pytest.raises(NotAllowed, match=(r"Only the GM can write a secret note\. GM here: Greta\.")):
        notes.note(table(), ALICE, "The map lies", secret=True)


def test_nothing_is_said_of_a_roll_once_its_session_is_over() -> None:
    at = after(roll.make(table(), ALICE, faces(1, 2, 6), "3d6"))
    (made,) = CORTEX.of(at).rolls.values()
    past = notes.PastRoll(at.session, at.is_session, made)
    step = notes.note_roll(at, ALICE, made.number, " Force  the door ", past)
    assert step.facts == (RollNoted(made.number, "Alice", "Force the door"),)
    (now,) = CORTEX.of(step.table).rolls.values()
    assert now == replace(made, note="Force the door")
    for later in (replace(at, session=at.session + 1), replace(at, is_session=not at.is_session)):
        with pytest.raises(TooLate, match="or its session has ended"):
            notes.note_roll(later, ALICE, made.number, "Force the door", past)
    with pytest.raises(NotAllowed, match=r"Only Alice and the GM"):
        notes.note_roll(at, BOB, made.number, "Force the door", past)


def test_what_is_open_stays_until_it_is_done() -> None:
    step = notes.note(table(), ALICE, "Who sent the wolves?", is_open=True, about="bob")
    assert step.facts == (Noted("Who sent the wolves?", is_open=True, about="Bob"),)
    at = step.table
    assert at.threads == {"who sent the wolves?": Thread("Who sent the wolves?", about="Bob")}
    with pytest.raises(NotAllowed, match='is already open: "WHO SENT THE WOLVES'):
        notes.note(at, BOB, "WHO SENT THE WOLVES?", is_open=True)
    done = notes.note(at, BOB, done="who sent")
    assert done.facts == (NoteDone("Who sent the wolves?"),)
    assert done.table == table()
    with pytest.raises(Unknown, match="There's no open note called \"who"):
        notes.note(done.table, BOB, done="who")


def test_a_note_that_is_not_open_stays_in_the_log_alone() -> None:
    step = notes.note(table(), ALICE, "It lies", about="The Regent")
    assert step == Step(table(), (Noted("It lies", about="The Regent"),))


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ({}, r"Type a note\. Example: /note text:The map lies"),
        ({"about": "Regent"}, r"Type a note\. Example: /note text:The map lies"),
        (
            {"text": "It lies", "done": "who"},
            "Use the option done by itself, and write any new note separately",
        ),
        (
            {"about": "Regent", "done": "who"},
            "Use the option done by itself, and write any new note separately",
        ),
        (
            {"is_open": True, "done": "who"},
            "Use the option done by itself, and write any new note separately",
        ),
    ],
)
def test_a_note_is_either_noted_or_done(typed: dict[str, Any], refusal: str) -> None:
    with pytest.raises(NotAllowed, match=refusal):
        notes.note(table(), ALICE, **typed)


def test_so_many_notes_are_open_at_most_and_as_many_of_the_gm() -> None:
    held = {str(n): Thread(str(n)) for n in range(notes.MOST_OPEN)}
    full = replace(table(), threads=held)
    with pytest.raises(
        NotAllowed, match=r"A table can have at most 50 open notes\. Mark one as done first: /note done"
    ):
        notes.note(full, ALICE, "One more", is_open=True)
    at = after(notes.note(full, GRETA, "One more", secret=True, is_open=True))
    assert len(at.threads) == 51
    check(at)
    assert len(after(notes.note(at, ALICE, done="7")).threads) == 50


def test_a_stranger_says_of_no_note_that_it_is_done() -> None:
    at = replace(table(), threads={"why?": Thread("Why?")})
    with pytest.raises(NotAllowed, match="Only the GM and players with a character can write notes"):
        notes.note(at, ZOE, done="why?")


def test_a_note_of_the_gm_about_a_gmc_who_waits_is_the_gms_alone() -> None:
    rex = Character("Rex", gmc=True, away=True)
    at = table().with_owner("rex", rex)
    (noted,) = notes.note(at, GRETA, "Lies", about="rex", is_open=True).facts
    assert noted == Noted("Lies", True, True, "Rex")
    taken = apply_rule(at, ALICE, partial(notes.note, text="Lies", about="rex", is_open=True))
    assert (taken.secret, taken.stored.facts) == (False, (Noted("Lies", is_open=True, about="rex"),))
    renamed = after(characters.rename(taken.stored.table, GRETA, "Max", "Rex"))
    assert renamed.threads["lies"].about == "rex"
