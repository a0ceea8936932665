"""A roll of somebody who is taken out (C4)."""

import pytest

from rules.campaign.seats import Actor
from rules.cortex.contest import start
from rules.cortex.facts import RollChanged, RollStood
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.roll import let_stand, make
from rules.cortex.roll_status import is_in_doubt
from rules.errors import NotAllowed, TooLate
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, ZOE, after, faces, having, newest, table, tried


def out() -> Table:
    return having(table(), "alice", TraitKind.COMPLICATION, Trait("Hurt", 12, out=True))


def test_C4_a_roll_of_somebody_taken_out_happens_and_waits_for_the_gm_once() -> None:
    at = after(make(out(), ALICE, faces(3, 4), "2d6"))
    assert is_in_doubt(at, newest(at))
    step = let_stand(at, GRETA, 1)
    assert step.facts == (RollStood("Alice"), RollChanged(newest(step.table)))
    assert not is_in_doubt(step.table, newest(step.table))
    with pytest.raises(TooLate, match="Greta got there first"):
        let_stand(step.table, GRETA, 1)


def test_C4_a_contest_of_somebody_taken_out_waits_for_the_gm_too() -> None:
    at = after(start(out(), ALICE, faces(3, 4), "2d6", "Bob"))
    assert is_in_doubt(at, newest(at))


@pytest.mark.parametrize(
    ("at", "who", "name"),
    [
        (table(), ALICE, None),
        (out(), BOB, None),
        (out(), GRETA, "Alice"),
        (replace(out(), gms={}), ALICE, None),
    ],
    ids=["not out", "another", "by the GM", "no GM"],
)
def test_C4_nobody_is_asked_where_there_is_nothing_to_ask(at: Table, who: Actor, name: str | None) -> None:
    at = after(make(at, who, faces(3, 4), "2d6", who=name))
    assert not is_in_doubt(at, newest(at))
    with pytest.raises(TooLate, match="roll already"):
        let_stand(at, GRETA, 1)


@pytest.mark.parametrize(("who", "may"), [(GRETA, True), (ALICE, False), (BOB, False), (ZOE, False)])
def test_C4_only_the_gm_says_whether_it_stands(who: Actor, may: bool) -> None:
    at = after(make(out(), ALICE, faces(3, 4), "2d6"))
    assert (tried(lambda: let_stand(at, who, 1)) is not None) is may


def test_C4_what_the_gm_rolls_for_somebody_taken_out_is_told_as_let_stand() -> None:
    at = after(make(out(), GRETA, faces(3, 4), "2d6", who="Alice"))
    assert newest(at).out
    with pytest.raises(NotAllowed, match="Greta got there first"):
        let_stand(at, GRETA, 1)
