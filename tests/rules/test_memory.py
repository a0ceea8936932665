"""Notes and titles: who may, and what they say."""

from dataclasses import replace

import pytest

from rules import memory
from rules.cortex.rolling import roll
from rules.cortex.state.part import CORTEX
from rules.errors import NotAllowed, TooLate
from rules.facts import RollNoted, Titled
from rules.table import Table
from tests.rules.people import ALICE, BOB, GRETA, after, faces, table


def test_an_older_session_is_titled_by_its_number() -> None:
    step = memory.title(Table(session=3, titles={3: "Now"}), GRETA, "The fall", 2)
    assert step.table.titles == {2: "The fall", 3: "Now"}
    assert step.facts == (Titled(2, "The fall"),)


@pytest.mark.parametrize(("last", "number"), [(0, 0), (2, 3)])
def test_a_session_that_has_not_begun_has_no_title(last: int, number: int) -> None:
    with pytest.raises(NotAllowed, match="No session has begun"):
        memory.title(Table(session=last), GRETA, "The fall", number)


def test_at_a_table_of_a_gm_a_stranger_notes_nothing() -> None:
    with pytest.raises(NotAllowed, match="Only the GM and who plays"):
        memory.note(Table(gms={GRETA.id: "Greta"}), ALICE, "The map lies")


def test_only_the_gm_notes_something_in_secret() -> None:
    with pytest.raises(NotAllowed, match=r"Only the GM may note something in secret\. GM here: Greta\."):
        memory.note(table(), ALICE, "The map lies", secret=True)


def test_nothing_is_said_of_a_roll_once_its_session_is_over() -> None:
    at = after(roll.make(table(), ALICE, faces(1, 2, 6), "3d6"))
    (made,) = CORTEX.of(at).rolls.values()
    past = memory.Past(at.session, at.is_session, made)
    step = memory.note_roll(at, ALICE, made.number, " Force  the door ", past)
    assert step.facts == (RollNoted(made.number, "Alice", "Force the door"),)
    (now,) = CORTEX.of(step.table).rolls.values()
    assert now == replace(made, note="Force the door")
    for later in (replace(at, session=at.session + 1), replace(at, is_session=not at.is_session)):
        with pytest.raises(TooLate, match="of a session that has ended"):
            memory.note_roll(later, ALICE, made.number, "Force the door", past)
    with pytest.raises(NotAllowed, match=r"Only Alice and the GM"):
        memory.note_roll(at, BOB, made.number, "Force the door", past)
