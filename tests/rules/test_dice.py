"""Dice, their steps, and how they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.dice import ALL_SIZES, MOST_DICE, SIZES, check_count, down, size_of, up, write_dice
from rules.errors import NotAllowed, Unreadable
from rules.text import shorten
from tests import strategies
from tests.rules.people import tried


def test_D1_there_are_five_sizes_each_a_step_above_the_other() -> None:
    assert SIZES == (4, 6, 8, 10, 12)
    assert [up(size) for size in SIZES] == [6, 8, 10, 12, 12]


@pytest.mark.parametrize(
    ("typed", "size"),
    [("d8", 8), ("D8", 8), ("8", 8), (" d12 ", 12), ("1d6", 6), ("4", 4), ("1D10", 10)],
)
def test_D1_a_die_is_read_as_people_type_it(typed: str, size: int) -> None:
    assert size_of(typed) == size


@pytest.mark.parametrize(
    "typed", ["", "d", "d100", "d5", "2d6", "dd8", "1dd8", "eight", "-8", "d²", "٨", "8.0"]
)
def test_D1_what_is_no_die_is_refused_with_an_example(typed: str) -> None:
    with pytest.raises(Unreadable, match="d6, d8"):
        size_of(typed)


@pytest.mark.parametrize(("size", "more"), [(20, "d4 d6 d8 d10 d12 d20"), (3, "d3 d4 d6 d8 d10 d12")])
def test_N13_a_size_that_the_table_could_have_is_refused_with_the_setting(size: int, more: str) -> None:
    refused = rf"the GM can add that size: /campaign set setting:sizes value:{more}$"
    with pytest.raises(Unreadable, match=refused):
        size_of(f"d{size}")
    assert size_of(f"d{size}", ALL_SIZES) == size


@given(strategies.typed())
def test_D1_any_text_is_a_die_or_refused(text: str) -> None:
    assert tried(lambda: size_of(text)) in (None, *SIZES)


@pytest.mark.parametrize(("size", "lower"), [(12, 10), (10, 8), (8, 6), (6, 4), (4, 0)])
def test_D5_a_d4_stepped_down_is_no_die_any_more(size: int, lower: int) -> None:
    assert down(size) == lower


@given(strategies.sizes(), st.integers(0, 6))
def test_D5_steps_up_add_up_to_d12_at_most(size: int, steps: int) -> None:
    one_by_one = size
    for _ in range(steps):
        one_by_one = up(one_by_one)
    assert up(size, steps) == one_by_one <= 12


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ((), "empty"),
        ((8, 6, 6), "2d6 d8"),
        ((12, 4), "d4 d12"),
        ((10, 10, 10), "3d10"),
        ((12, 10, 8, 6, 4), "d4 d6 d8 d10 d12"),
    ],
)
def test_D2_a_pool_is_written_with_rising_sizes_and_multiples_grouped(
    sizes: tuple[int, ...], words: str
) -> None:
    assert write_dice(sizes) == words


def test_D3_thirty_dice_are_the_most() -> None:
    check_count(MOST_DICE)
    with pytest.raises(NotAllowed, match=r"31 dice; a pool can have at most 30"):
        check_count(31)


@given(strategies.typed())
def test_what_was_typed_is_said_back_on_one_short_line(text: str) -> None:
    said = shorten(text)
    assert "\n" not in said
    assert len(said) <= 42
