"""What holds for every history, whatever was played."""

import itertools
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.store.history import Draft, NamedCampaign, Place
from bot.store.ledger import Ledger
from bot.store.places import Drafting
from bot.store.undo import Entangled
from rules.errors import NotAllowed
from rules.table import Table
from rules.values import replace
from tests import drawn
from tests.bot.store.samples import ANNA, anybody, told

_NUMBERS = itertools.count(1)
laws = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None
)
a_step = st.tuples(st.integers(0, 11), st.integers(0, 2))


def written(cell: int, value: int) -> Drafting:
    """Write a value into one of the cells."""
    held = drawn.cells()
    place = cell % len(held)

    def rule(table: Table) -> Draft:
        return Draft(held[place].write(table, value), told(f"{place} {value}"))

    return rule


def cells(table: Table) -> list[object]:
    """The values in all cells."""
    return [cell.read(table) for cell in drawn.cells()]


async def played(ledger: Ledger, steps: list[tuple[int, int]]) -> tuple[int, list[Table]]:
    """A new campaign with these steps; its tables from the blank one on, without numbers."""
    place, tables = Place(next(_NUMBERS), guild=1), [Table()]
    for cell, value in steps:
        entry = await ledger.append(place, ANNA, 0, written(cell, value))
        tables.append(replace(entry.table, number=0))
    return entry.campaign, tables


@laws
@given(steps=st.lists(a_step, min_size=1, max_size=20))
async def test_every_history_walks_back_and_forward_again(
    ledger: Ledger, steps: list[tuple[int, int]]
) -> None:
    campaign, tables = await played(ledger, steps)
    for table in reversed(tables[:-1]):
        undone = await ledger.undo(campaign, ANNA, 0, anybody)
        assert replace(undone.table, number=0) == table
    for table in tables[1:]:
        redone = await ledger.redo(campaign, ANNA, 0, anybody)
        assert replace(redone.table, number=0) == table


@laws
@given(
    steps=st.lists(a_step, min_size=1, max_size=12),
    walk=st.lists(st.one_of(a_step, st.sampled_from(["undo", "redo"])), max_size=25),
)
async def test_undo_and_redo_are_those_of_an_editor(
    ledger: Ledger, steps: list[tuple[int, int]], walk: list[tuple[int, int] | str]
) -> None:
    campaign, done = await played(ledger, steps)
    (channel,) = await ledger.past.channels(campaign)
    undone: list[Table] = []
    for step in walk:
        if isinstance(step, tuple):
            entry = await ledger.append(
                NamedCampaign(campaign, Place(channel, guild=1)), ANNA, 0, written(*step)
            )
            done.append(replace(entry.table, number=0))
            undone = []
        elif step == "undo" and len(done) > 1:
            undone.append(done.pop())
            entry = await ledger.undo(campaign, ANNA, 0, anybody)
        elif step == "redo" and undone:
            done.append(undone.pop())
            entry = await ledger.redo(campaign, ANNA, 0, anybody)
        else:
            continue
        assert replace(entry.table, number=0) == done[-1]


@laws
@given(steps=st.lists(a_step, min_size=2, max_size=12), data=st.data())
async def test_a_step_taken_back_alone_changes_its_cell_alone(
    ledger: Ledger, steps: list[tuple[int, int]], data: st.DataObject
) -> None:
    campaign, tables = await played(ledger, steps)
    number = data.draw(st.integers(1, len(steps)))
    cell = steps[number - 1][0] % len(drawn.cells())
    before, after, newest = (cells(tables[at]) for at in (number - 1, number, -1))
    later = range(number + 1, len(tables))
    changed = [n for n in later if cells(tables[n])[cell] != cells(tables[n - 1])[cell]]
    if before[cell] != after[cell] and changed:
        with pytest.raises(Entangled) as refusal:
            await ledger.undo(campaign, ANNA, 0, anybody, step=number)
        said = [int(digits) for digits in re.findall("[0-9]+", str(refusal.value))]
        assert said == [number, *changed[:3]]
        return
    undone = await ledger.undo(campaign, ANNA, 0, anybody, step=number)
    expected = list(newest)
    expected[cell] = before[cell] if before[cell] != after[cell] else newest[cell]
    assert cells(undone.table) == expected
    redone = await ledger.redo(campaign, ANNA, 0, anybody, step=number)
    assert cells(redone.table) == newest


@laws
@given(steps=st.lists(a_step, min_size=1, max_size=10), chosen=st.lists(st.integers(1, 10), max_size=8))
async def test_undo_comes_to_a_blank_table_after_any_steps_taken_back_alone(
    ledger: Ledger, steps: list[tuple[int, int]], chosen: list[int]
) -> None:
    campaign, _ = await played(ledger, steps)
    for number in chosen:
        if number <= len(steps):
            try:
                await ledger.undo(campaign, ANNA, 0, anybody, step=number)
            except NotAllowed:
                continue
    left = sum(1 for step in await ledger.past.log(campaign, count=100) if step.is_play and not step.undone)
    for _ in range(left):
        entry = await ledger.undo(campaign, ANNA, 0, anybody)
    if left:
        assert replace(entry.table, number=0) == Table()
