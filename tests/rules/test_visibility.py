"""What is kept from players stays where it is while they play."""

from rules.facts import Noted, NoteDone, RollNoted
from rules.game import Step
from rules.names import Thread
from rules.table import Table
from rules.values import replace
from rules.visibility import is_secret, seen_by, seen_by_all, with_unseen
from tests.rules.people import ALICE, GRETA, table

SECRET = Thread("Rex lies", secret=True)
OPEN = Thread("Who sent the wolves?")


def noting(**threads: Thread) -> Table:
    """A table with open notes."""
    return replace(table(), threads=threads)


def test_only_the_gm_sees_open_notes_that_are_secret() -> None:
    at = noting(rex=SECRET, wolves=OPEN)
    assert seen_by_all(at).threads == seen_by(at, ALICE).threads == {"wolves": OPEN}
    assert seen_by(at, GRETA).threads == at.threads
    assert seen_by_all(replace(at, gms={})).threads == at.threads


def test_secret_notes_stay_in_their_places_while_players_open_and_close_others() -> None:
    at = noting(rex=SECRET, wolves=OPEN)
    seen = seen_by_all(at)
    opened = replace(seen, threads={**seen.threads, "moon": OPEN})
    assert list(with_unseen(at, seen, Step(opened, ())).table.threads) == ["rex", "wolves", "moon"]
    closed = replace(seen, threads={})
    assert with_unseen(at, seen, Step(closed, ())).table.threads == {"rex": SECRET}


def test_of_what_is_secret_each_fact_is_secret() -> None:
    assert is_secret(Noted("Rex lies", secret=True))
    assert is_secret(NoteDone("Rex lies", secret=True))
    assert is_secret(RollNoted(3, "Rex", "listen", secret=True))
    assert not is_secret(RollNoted(3, "Rex", "listen"))
