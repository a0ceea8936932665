"""Gangs that thin out (N21)."""

import pytest

from rules.cortex.effects import hitches
from rules.cortex.hitches import Way, buy, ways
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.pool import sizes_of
from rules.cortex.roll import make
from rules.cortex.roll_status import resolve
from rules.cortex.ruleset import PRIME, Ruleset
from rules.cortex.traits import removed
from rules.errors import NotAllowed
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, GRETA, after, faces, having, newest, pp, table

THIN = replace(PRIME, gangs_thin_out=True)
CREW = Trait("Crew", 8, set="Skills", more=(6, 6))
NO_CREW = r'That roll has no group "Crew" with a hitch left\. Press Hitches again'


def rolled(at: Table, dice: str, *shown: int) -> Table:
    return after(
        make(having(at, "alice", TraitKind.TRAIT, CREW, Trait("Fight", 8)), ALICE, faces(*shown), dice)
    )


def crew(at: Table) -> tuple[int, ...]:
    return sizes_of(CORTEX.has(at.characters["alice"]).sheet["crew"])


@pytest.mark.parametrize(
    ("shown", "count", "left", "open_hitches"),
    [
        ((1, 2, 2, 2), None, (6, 6), 0),
        ((2, 1, 2, 2), None, (8, 6), 0),
        ((2, 1, 2, 1), None, (8, 6), 1),
        ((2, 1, 1, 2), None, (8,), 0),
        ((2, 1, 1, 2), 1, (8, 6), 1),
        ((1, 1, 1, 2), None, (8,), 1),
    ],
)
def test_N21_each_hitch_takes_a_die_of_that_size_for_good(
    shown: tuple[int, ...], count: int | None, left: tuple[int, ...], open_hitches: int
) -> None:
    at = rolled(table(THIN), "Crew, d4", *shown)
    step = buy(at, GRETA, newest(at).number, Way.THIN_OUT, "crew", count)
    assert crew(step.table) == left
    assert len(hitches(newest(step.table))) == open_hitches
    assert pp(step.table, "alice") == 1


@pytest.mark.parametrize(
    ("rules", "dice", "shown", "says"),
    [
        (PRIME, "Crew", (1, 2, 2), "Hitches can't thin out groups in this campaign"),
        (THIN, "Fight, Crew", (1, 2, 2, 2), NO_CREW),
        (THIN, "d6, Crew", (1, 2, 2, 2), NO_CREW),
        (THIN, "Fight, 2d6", (1, 2, 2), NO_CREW),
    ],
)
def test_N21_no_other_hitch_thins_a_gang_out(
    rules: Ruleset, dice: str, shown: tuple[int, ...], says: str
) -> None:
    at = rolled(table(rules), dice, *shown)
    assert Way.THIN_OUT not in [each.way for each in ways(at, resolve(at, newest(at)))]
    with pytest.raises(NotAllowed, match=says):
        buy(at, GRETA, newest(at).number, Way.THIN_OUT, "Crew")


def test_N21_one_die_alone_is_no_gang() -> None:
    at = rolled(table(THIN), "Crew, d4", 1, 1, 2, 2)
    at = after(buy(at, GRETA, newest(at).number, Way.THIN_OUT, "Crew"))
    at = after(make(at, ALICE, faces(1), "Crew"))
    assert Way.THIN_OUT not in [each.way for each in ways(at, resolve(at, newest(at)))]


def test_N21_a_trait_that_is_gone_thins_out_no_more() -> None:
    at = rolled(table(THIN), "Crew, d4", 1, 2, 2, 2)
    gone = removed(at, "alice", TraitKind.TRAIT, "crew").table
    with pytest.raises(NotAllowed, match=r"That roll has no group .*Crew"):
        buy(gone, GRETA, newest(gone).number, Way.THIN_OUT, "Crew")
