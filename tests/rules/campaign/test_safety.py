"""Lines and veils: added by anybody, removed by the GM, and nothing of it says who."""

from functools import partial

import pytest

from rules.campaign import safety
from rules.campaign.files import check
from rules.campaign.privacy import forgotten
from rules.errors import NotAllowed, Unknown, Unreadable
from rules.facts import Boundary, BoundaryChanged
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, table, tried

line, veil = (partial(safety.add, kind=kind) for kind in Boundary)


def test_anybody_adds_a_line_and_a_veil_and_the_fact_names_nobody() -> None:
    step = line(table(), ALICE, what="  Spiders ")
    assert step.facts == (BoundaryChanged(Boundary.LINE, "Spiders"),)
    after = veil(step.table, BOB, what="Gore").table
    assert (after.lines, after.veils) == ({"spiders": "Spiders"}, {"gore": "Gore"})
    assert replace(after, lines={}, veils={}) == table()
    check(after)


@pytest.mark.parametrize("kind", Boundary)
def test_what_is_there_already_is_refused_whatever_its_capitals(kind: Boundary) -> None:
    held = safety.add(table(), ALICE, kind, "Gore").table
    with pytest.raises(NotAllowed, match=f'"GORE" is already a {kind}'):
        safety.add(held, BOB, kind, "GORE")


def test_a_veil_may_become_a_line_and_a_line_no_veil() -> None:
    held = line(veil(table(), ALICE, what="Gore").table, BOB, what="gore").table
    assert (held.lines, held.veils) == ({"gore": "gore"}, {})
    with pytest.raises(NotAllowed, match="is already a line"):
        veil(held, ALICE, what="Gore")


def test_only_the_gm_removes_and_without_one_everybody() -> None:
    held = veil(line(table(), ALICE, what="Spiders").table, ALICE, what="Gore").table
    with pytest.raises(NotAllowed, match="Only the GM"):
        safety.remove(held, ALICE, "Spiders")
    step = safety.remove(held, GRETA, "spi")
    assert step.facts == (BoundaryChanged(Boundary.LINE, "Spiders", is_gone=True),)
    assert safety.remove(replace(step.table, gms={}), BOB, "gore").table.veils == {}
    with pytest.raises(Unknown):
        safety.remove(held, GRETA, "Snakes")


def test_a_list_has_room_for_fifty_of_a_hundred_characters() -> None:
    held = Table()
    for number in range(safety.MOST):
        held = safety.add(held, ALICE, list(Boundary)[number % 2], f"{number} {'x' * 97}"[:100]).table
    check(held)
    with pytest.raises(
        NotAllowed, match=r"A table can have at most 50 lines and veils\. Remove one first: /safety remove"
    ):
        line(held, ALICE, what="Spiders")
    assert line(held, ALICE, what=held.veils[next(iter(held.veils))]).table.lines.keys() > held.lines.keys()
    with pytest.raises(Unreadable):
        line(Table(), ALICE, what="x" * 101)


@pytest.mark.parametrize(
    "broken",
    [
        {"lines": {"spiders": "Snakes"}},
        {"veils": {"a\nb": "a\nb"}},
        {"lines": {"gore": "Gore"}, "veils": {"gore": "Gore"}},
        {"lines": {str(n): str(n) for n in range(51)}},
    ],
)
def test_a_list_that_play_could_not_have_led_to_is_not_taken_in(broken: dict[str, dict[str, str]]) -> None:
    assert tried(partial(check, replace(Table(), **broken))) is None  # type: ignore[arg-type]
    with pytest.raises(Unreadable):
        check(replace(Table(), **broken))  # type: ignore[arg-type]


def test_a_name_in_a_line_is_forgotten_with_its_person() -> None:
    held = line(table(), BOB, what="The divorce of Zoltan").table
    after = forgotten(held, 7, frozenset({"Zoltan"}))
    assert after.lines == {"the divorce of somebody": "The divorce of Somebody"}
