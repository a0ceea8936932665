"""Three states compared leaf by leaf."""

from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.store import codec
from bot.store.undo import changed_leaves, differs_at, is_changed, take_back
from rules.table import Character, Table
from rules.values import replace
from tests import drawn


@pytest.mark.parametrize(
    ("before", "after", "newest", "expected"),
    [
        pytest.param({"a": 1}, {"a": 2}, {"a": 2, "b": 3}, {"a": 1, "b": 3}, id="a value"),
        pytest.param({}, {"a": {"x": 1}}, {"a": {"x": 1}, "b": 2}, {"b": 2}, id="a thing that was added"),
        pytest.param({"a": {"x": 1}}, {}, {"b": 2}, {"b": 2, "a": {"x": 1}}, id="a thing that was removed"),
        pytest.param({"a": [1]}, {"a": [1, 2]}, {"a": [1, 2]}, {"a": [1]}, id="a list"),
        pytest.param({"a": None}, {"a": {"x": 1}}, {"a": {"x": 1}}, {"a": None}, id="something for nothing"),
        pytest.param(
            {"a": {"x": 1, "y": 1}},
            {"a": {"x": 2, "y": 1}},
            {"a": {"x": 2, "y": 9}},
            {"a": {"x": 1, "y": 9}},
            id="one value of a thing",
        ),
        pytest.param({"a": 1}, {"a": 1}, {"a": 5}, {"a": 5}, id="nothing"),
    ],
)
def test_a_change_is_taken_back_alone(before: Any, after: Any, newest: Any, expected: Any) -> None:
    merged, clashes = take_back(before, after, newest)
    assert (merged, clashes) == (expected, [])
    assert list(merged) == list(expected)


@pytest.mark.parametrize(
    ("before", "after", "newest", "leaf"),
    [
        pytest.param({"a": 1}, {"a": 2}, {"a": 3}, ("a",), id="another value"),
        pytest.param({"a": 1}, {"a": 2}, {"a": 1}, ("a",), id="the old value again"),
        pytest.param({"a": 1}, {"a": 2}, {}, ("a",), id="removed"),
        pytest.param({}, {"a": {"x": 1}}, {"a": {"x": 1, "y": 2}}, ("a",), id="a new thing got more"),
        pytest.param({"a": {"x": 1}}, {"a": {"x": 2}}, {}, ("a",), id="the whole thing is gone"),
        pytest.param({"a": {"x": [1]}}, {"a": {"x": [2]}}, {"a": {"x": [3]}}, ("a", "x"), id="a list"),
    ],
)
def test_a_leaf_that_was_changed_later_is_named(before: Any, after: Any, newest: Any, leaf: Any) -> None:
    assert take_back(before, after, newest)[1] == [leaf]
    assert is_changed(after, newest, leaf)


def test_what_is_below_a_missing_thing_is_missing() -> None:
    assert not is_changed({"a": 1}, {}, ("a", "b", "c"))
    assert is_changed({"a": {"b": 1}}, {}, ("a", "b"))


@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 2)), min_size=2, max_size=8))
def test_the_lines_of_two_tables_differ_where_the_tables_do(steps: list[tuple[int, int]]) -> None:
    held = drawn.cells()
    tables = [Table()]
    for cell, value in steps:
        tables.append(held[cell % len(held)].write(tables[-1], value))
    leaves = {leaf for pair in pairwise(tables) for leaf in changed_leaves(*pair)}
    for before, after in combinations(tables, 2):
        for leaf in (*leaves, ("characters", "nobody", "name"), ("day",)):
            differs = differs_at(codec.write(before), codec.write(after), leaf)
            assert differs in (None, is_changed(before, after, leaf)), leaf


def test_tables_of_older_versions_are_compared_themselves() -> None:
    assert differs_at(b'{"version":6,"table":{}}', codec.write(Table()), ("day",)) is None
    assert differs_at(codec.write(Table()), codec.write(Table()), ("games", "cortex", "rolls")) is None


def test_the_line_that_holds_a_path_tells_whether_it_differs() -> None:
    at = Table(day="Monday", characters={"alice": Character("Alice", notes="Tall"), "bob": Character("Bob")})
    fresh = replace(at.with_owner("bob", Character("Bob", notes="Small")), day="Friday")
    texts = codec.write(at), codec.write(fresh)
    assert differs_at(*texts, ("characters", "alice", "notes")) is False
    assert differs_at(*texts, ("characters", "bob", "notes")) is True
    assert differs_at(*texts, ("characters", "bob", "name")) is False
    assert differs_at(*texts, ("day",)) is True
    assert differs_at(*texts, ("scene",)) is False
    gone = codec.write(Table(day="Monday"))
    assert differs_at(texts[0], gone, ("characters", "alice", "notes")) is None
