"""What laws draw of Hearts."""

from typing import Any

from hypothesis import strategies as st

from rules.table import Table
from rules.values import replace
from tests.drawn import Cell, Drawn
from tests.hearts.state import HEARTS, Clock, HeartsCharacter, HeartsRoll, HeartsTable


def _state() -> st.SearchStrategy[Any]:
    faces = st.lists(st.integers(1, 6), min_size=1, max_size=5).map(tuple)
    rolls = st.dictionaries(st.integers(2, 9), faces, max_size=3)  # the first is of One-Roll
    clocks = st.dictionaries(st.sampled_from(["Storm", "Tide"]), st.integers(0, 5), max_size=2)

    def table(rolls: dict[int, tuple[int, ...]], clocks: dict[str, int]) -> HeartsTable:
        return HeartsTable(
            rolls={n: HeartsRoll(n, 2, "Alice", faces) for n, faces in rolls.items()},
            clocks={name.casefold(): Clock(name, filled) for name, filled in clocks.items()},
        )

    return st.builds(table, rolls, clocks)


def _own() -> st.SearchStrategy[Any]:
    return st.builds(HeartsCharacter, st.integers(0, 9), st.sampled_from(["", "Bob"]))


def _write(table: Table, value: int) -> Table:
    here = HEARTS.of(table)
    return HEARTS.put(table, replace(here, clocks={**here.clocks, "storm": Clock("Storm", value)}))


def _read(table: Table) -> object:
    clock = HEARTS.of(table).clocks.get("storm")
    return clock.filled if clock else None


DRAWN = Drawn(_state, _own, (Cell(_write, _read),))
"""Its state, what characters have of it, and a clock as a cell."""
