"""Three states compared leaf by leaf."""

from typing import Any

import pytest

from bot.store.undo import is_changed, take_back


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
