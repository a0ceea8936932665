"""Quotations: what is kept of a message, who may take it out, and that nothing is left of it then."""

import pytest

from rules.campaign.notes import LONGEST_QUOTE, may_take_out, quotable, quote, quotes_in, without_quote
from rules.campaign.privacy import forgotten_facts
from rules.errors import NotAllowed
from rules.facts import Noted, Quoted, Redone, Undone
from rules.names import SOMEBODY, Erasure
from rules.table import Character, Table
from tests.rules.people import ALICE, BOB, GRETA, ZOE

LIES = Quoted("The map lies.", "Alice", "Mira", ALICE.id, 77)
GONE = Quoted("", "Alice", "Mira", ALICE.id, 77)
TABLE = Table(gms={GRETA.id: "Greta"}, characters={"mira": Character("Mira", player=ALICE.id)})


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Run!\n\n  Now\u202e", "Run! Now"),
        ("a" * LONGEST_QUOTE, "a" * LONGEST_QUOTE),
        (f"a{' ' * 2000}b", "a b"),
    ],
)
def test_a_message_is_kept_on_one_line(typed: str, kept: str) -> None:
    assert quotable(typed) == kept
    step = quote(TABLE, ALICE, Quoted(typed, "Alice"))
    assert (step.table, step.facts) == (TABLE, (Quoted(kept, "Alice"),))


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "no text"),
        (" \u200b\n", "no text"),
        ("a" * (LONGEST_QUOTE + 1), "1001 characters; the limit is 1000"),
    ],
)
def test_an_empty_message_and_one_that_is_too_long_are_not_kept(typed: str, why: str) -> None:
    with pytest.raises(NotAllowed, match=why):
        quotable(typed)


def test_it_is_taken_out_by_who_wrote_it_and_by_the_gm() -> None:
    assert [may_take_out(TABLE, who, LIES) for who in (ALICE, GRETA, BOB, ZOE)] == [True, True, False, False]


def test_nothing_is_left_of_what_is_taken_out_also_where_it_was_undone_and_put_back() -> None:
    other = Quoted("Run", "Bob", player=BOB.id, message=78)
    said = (LIES, other, Noted("The map lies."), Undone(3, (Redone(2, (LIES, other)), LIES)))  # type: ignore[arg-type]
    assert quotes_in(said, 77) == [LIES] * 3
    left = without_quote(said, 77)
    assert left == (GONE, other, Noted("The map lies."), Undone(3, (Redone(2, (GONE, other)), GONE)))  # type: ignore[arg-type]
    assert quotes_in(left, 77) == [GONE] * 3


def test_who_is_forgotten_is_quoted_no_more_and_named_in_no_quotation() -> None:
    names = frozenset({"Alice"})
    bobs = Quoted("Alice lies", "Bob", player=BOB.id, message=78)
    assert forgotten_facts((LIES, Undone(2, (LIES,)), bobs), Erasure(ALICE.id, names, names)) == (
        Quoted("", SOMEBODY, "Mira"),
        Undone(2, (Quoted("", SOMEBODY, "Mira"),)),
        Quoted(f"{SOMEBODY} lies", "Bob", player=BOB.id, message=78),
    )
