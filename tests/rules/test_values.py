"""Values with some parts changed."""

from typing import Any

import msgspec
import pytest

from rules.cortex.facts import ContestWon
from rules.cortex.kinds import Trait
from rules.table import Character, Table
from rules.values import replace
from tests import every_fact

VALUES: list[Any] = [Table(), Character("Alice"), Trait("Mind", 8), every_fact.ROLL, ContestWon("Alice")]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_each_part_is_changed_alone(value: Any) -> None:
    held = msgspec.structs.asdict(value)
    for name in held:
        fresh = replace(value, **{name: 77})
        assert msgspec.structs.asdict(fresh) == held | {name: 77}
    assert replace(value) == value
    assert replace(value) is not value


def test_a_part_that_is_not_there_is_refused() -> None:
    with pytest.raises(TypeError, match="`Trait` has no field 'size'"):
        replace(Trait("Mind", 8), size=6)  # type: ignore[call-arg]


def test_what_is_changed_is_as_frozen_as_before() -> None:
    fresh = replace(Trait("Mind", 8), die=6)
    with pytest.raises(AttributeError):
        fresh.die = 12  # type: ignore[misc]
