"""Notes and titles: who may, and what they say."""

import pytest

from rules import memory
from rules.errors import NotAllowed
from rules.facts import Titled
from rules.table import Table
from tests.rules.people import ALICE, GRETA, table


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
