"""Values with some parts changed."""

import dataclasses
from typing import Any

import pytest

from rules.cortex.facts import ContestWon
from rules.cortex.kinds import Trait
from rules.table import Character, Table
from rules.values import replace
from tests import every_fact

VALUES: list[Any] = [Table(), Character("Alice"), Trait("Mind", 8), every_fact.ROLL, ContestWon("Alice")]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_each_part_is_changed_alone_as_the_standard_library_does_it(value: Any) -> None:
    for part in dataclasses.fields(value):
        fresh = replace(value, **{part.name: 77})
        assert fresh == dataclasses.replace(value, **{part.name: 77})
        assert getattr(fresh, part.name) == 77
    assert replace(value) == value
    assert replace(value) is not value


def test_a_part_that_is_not_there_is_refused() -> None:
    with pytest.raises(TypeError, match="Trait has no part 'size'"):
        replace(Trait("Mind", 8), size=6)  # type: ignore[call-arg]


def test_what_is_changed_is_as_frozen_as_before() -> None:
    fresh = replace(Trait("Mind", 8), die=6)
    with pytest.raises(dataclasses.FrozenInstanceError):
        fresh.die = 12  # type: ignore[misc]


def test_no_value_of_the_game_is_more_than_its_parts() -> None:
    # `replace` fills parts without a constructor: a check after it would be passed over.
    for value in VALUES:
        assert not hasattr(value, "__post_init__")
        assert all(part.init for part in dataclasses.fields(value))
