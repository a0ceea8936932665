"""What a process remembers is bounded by bytes, and what it forgot is read again."""

import sys
from collections.abc import Mapping
from enum import Enum
from functools import partial
from typing import Any

import pytest

from bot.store import codec
from bot.store.history import Draft, Place
from bot.store.ledger import Ledger
from bot.store.reader import size_of
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import with_traits
from rules.table import Character, Games, Table
from rules.values import Value, replace
from tests.bot.store.samples import ANNA, gift, pp, told

SHEET = {f"trait {number}": Trait(f"Trait {number}", 8, set="Skills") for number in range(60)}


def crowd(count: int, sheet: Mapping[str, Trait] = SHEET) -> Table:
    """A table with so many characters."""
    people = [with_traits(Character(f"Somebody {number}"), TraitKind.TRAIT, sheet) for number in range(count)]
    return Table(characters={each.name.casefold(): each for each in people})


def in_memory(part: Any, seen: set[int]) -> int:
    """How many bytes a value takes with all its parts, each counted once."""
    if id(part) in seen or part is None or isinstance(part, bool | Enum):
        return 0
    seen.add(id(part))
    size = sys.getsizeof(part)
    if isinstance(part, Games):
        size += sys.getsizeof(vars(part))
    if isinstance(part, Mapping):
        size += sum(in_memory(each, seen) for pair in part.items() for each in pair)
    elif isinstance(part, tuple):
        size += sum(in_memory(each, seen) for each in part)
    elif isinstance(part, Value):
        size += sum(in_memory(getattr(part, name), seen) for name in part.__struct_fields__)
    return size


@pytest.mark.parametrize("table", [Table(), crowd(1), crowd(40), crowd(60, {})], ids=["new", "1", "40", "60"])
def test_the_estimate_is_no_less_than_what_a_table_takes_and_at_most_thrice(table: Table) -> None:
    text = codec.write(table)
    taken = in_memory(codec.read(text, 1), set())
    assert taken <= size_of(table, text, text) <= 3 * taken + 3000


def replaced(draft: Draft, _: Table) -> Draft:
    """Another table in the place of any."""
    return draft


async def test_tables_are_remembered_up_to_a_number_of_bytes(url: str) -> None:
    ledger = await Ledger.open(url, cache=500_000)
    memory = ledger._recorder.memory
    for number in range(1, 31):
        came = Draft(crowd(number % 7), told("They came"))
        await ledger.append(Place(number, 1), ANNA, 0, partial(replaced, came))
        assert memory._size == sum(each.size for each in memory._newest.values()) <= 500_000
    assert 2 < len(memory._newest) < 30
    for number in (1, 15, 30):
        assert pp((await ledger.append(Place(number, 1), ANNA, 0, gift())).table) == 1
    await ledger.close()


async def test_a_table_that_is_larger_than_the_memory_can_be_played(url: str) -> None:
    ledger = await Ledger.open(url, cache=1000)
    for number in range(1, 40):
        entry = await ledger.append(Place(number % 2, 1), ANNA, 0, gift())
        assert len(ledger._recorder.memory) == 1
    assert pp(replace(entry.table)) == 20
    await ledger.close()
