"""Numbers that are added to totals (N13)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cortex import pool_grammar
from rules.cortex.model import Modifier
from rules.cortex.pool import write_pool
from rules.cortex.pool_text import read
from rules.cortex.ruleset import PRIME
from rules.errors import NotAllowed, SettingOff, Undecided, Unreadable
from rules.values import replace
from tests import strategies

ON = replace(PRIME, modifiers=True)
WITH_D2 = replace(ON, sizes=(2, 4, 6, 8, 10, 12))


@pytest.mark.parametrize(
    ("typed", "dice", "plus"),
    [
        ("2d8 +2", "2d8", [("", 2)]),
        ("2d8 -1", "2d8", [("", -1)]),
        ("2d8 −1", "2d8", [("", -1)]),
        ('2d8, "High ground" +2', "2d8", [("High ground", 2)]),
        ('"High ground" +2, 2d8', "2d8", [("High ground", 2)]),
        ('2d8 "High ground" +2 -1', "2d8", [("High ground", 2), ("", -1)]),
        ('2d8 "Tall" +8', "2d8", [("Tall", 8)]),
        ("d6 + 8", "d6 d8", []),
        ("d6+8", "d6 d8", []),
        ("d6 +d8", "d6 d8", []),
        ("d6 +20", "d6", [("", 20)]),
        ("d6 +0", "d6", [("", 0)]),
        ('"x -1" d6', "d6", []),
    ],
)
def test_N13_a_sign_with_its_digit_right_behind_it_is_a_modifier(
    typed: str, dice: str, plus: list[tuple[str, int]]
) -> None:
    reading = read(typed, None, ON, is_roll=True)
    assert write_pool([replace(die, label="") for die in reading.pool]) == dice
    assert [(each.label, each.number) for each in reading.plus] == plus


@pytest.mark.parametrize(("typed", "rules", "size"), [("d6 +8", ON, 8), ("d6 +2", WITH_D2, 2)])
def test_N13_a_number_that_is_a_size_too_is_asked_about(typed: str, rules: object, size: int) -> None:
    with pytest.raises(Undecided, match=rf"\+{size} may be a d{size}") as asked:
        read(typed, None, rules, is_roll=True)  # type: ignore[arg-type]
    die, number = (answer.sign for answer in asked.value.answers)
    as_die = read(typed, None, rules, decided=(die,), is_roll=True)  # type: ignore[arg-type]
    assert sorted(each.size for each in as_die.pool) == sorted((6, size))
    as_number = read(typed, None, rules, decided=(number,), is_roll=True)  # type: ignore[arg-type]
    assert as_number.plus == (Modifier(size),)


@pytest.mark.parametrize(
    ("typed", "modifier"), [("2d8 +2", "+2"), ("2d8 -1", "-1"), ('"High ground" +2, 2d8', "+2")]
)
def test_N13_at_a_table_without_them_they_are_refused_by_the_setting(typed: str, modifier: str) -> None:
    with pytest.raises(SettingOff) as refused:
        read(typed, is_roll=True)
    assert str(refused.value) == f'"{modifier}" is a modifier, and modifiers are off in this campaign.'
    assert refused.value.setting == "modifiers"


def test_N13_what_was_no_modifier_before_is_none_at_a_table_without_them() -> None:
    assert [die.size for die in read("d6 +8").pool] == [6, 8]
    with pytest.raises(SettingOff, match='"-1" is a modifier, and modifiers are off') as refused:
        read("Mark -1 d8")
    assert refused.value.setting == "modifiers"
    assert [die.label for die in read('"Mark -1" d8').pool] == ["Mark -1"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("2d8 +21", "be -20 to 20"),
        ("2d8" + " +1" * 11, "That's 11 modifiers; a pool can have at most 10"),
        ("+7", "no dice"),
    ],
)
def test_N13_too_much_and_nothing_to_add_to_are_refused(typed: str, said: str) -> None:
    with pytest.raises((NotAllowed, Unreadable), match=said):
        read(typed, None, ON, is_roll=True)


def test_N13_dice_that_are_kept_take_none() -> None:
    with pytest.raises(NotAllowed, match=r"\+2 only counts in a roll"):
        read("2d8 +2", None, ON)


@given(st.lists(st.builds(Modifier, st.integers(-20, 20), st.just("") | strategies.labels()), max_size=10))
def test_N13_what_is_written_reads_the_same(plus: list[Modifier]) -> None:
    written = pool_grammar.beside_modifiers("2d8", tuple(plus))
    reading = read(written, None, WITH_D2, is_roll=True, is_written=True)
    left, found = write_pool(reading.pool), reading.plus
    kept = [Modifier(each.number, each.label.replace('"', "'")) for each in plus]
    assert (left, list(found)) == ("2d8", kept)
