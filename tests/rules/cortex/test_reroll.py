"""Dice that are rolled again, or taken out of a roll."""

import pytest
from hypothesis import given

from rules.cortex import reroll, roll
from rules.cortex.facts import DiceRerolled, RollChanged
from rules.cortex.model import CORTEX, Hand
from rules.cortex.pool import Die
from rules.cortex.ruleset import PRIME
from rules.dice import Throw
from rules.errors import NotAllowed, SettingOff, Undecided, Unknown
from rules.table import Table
from rules.values import replace
from tests import strategies
from tests.rules.people import (
    ALICE,
    BOB,
    GRETA,
    ZOE,
    faces,
    never,
    newest,
    pp,
    rolled,
    table,
    tried,
)

SOLD = replace(PRIME, reroll_for_pp=True)
"""The setting that sells a reroll for a PP."""


def test_P2_without_the_setting_no_reroll_is_sold() -> None:
    with pytest.raises(SettingOff, match="Only an SFX can reroll dice in this campaign") as refused:
        reroll.reroll(rolled(table(), ALICE, "d6 d8", 1, 4), ALICE, never)
    assert refused.value.setting == "reroll for 1 PP"


def test_D8_a_reroll_names_its_dice_and_what_they_were() -> None:
    at = rolled(table(SOLD, pp=2), ALICE, "Mind d10, d6, d8", 1, 4, 5)
    step = reroll.reroll(at, ALICE, faces(7, 3), "d10 d6")
    assert DiceRerolled("Alice", (Die(10, "Mind"), Die(6)), (1, 4)) in step.facts


@pytest.mark.parametrize(
    ("named", "given", "expected"),
    [
        ("d10: 1", [8], [3, 4, 1, 8]),
        ("Mind", [2], [2, 4, 1, 1]),
        ("d8", [5], [3, 5, 1, 1]),
        ("d10 d10", [9, 7], [3, 4, 9, 7]),
        ("2d10", [9, 7], [3, 4, 9, 7]),
    ],
)
def test_D8_a_rerolled_die_shows_only_its_new_face(
    named: str | None, given: list[int], expected: list[int]
) -> None:
    at = rolled(table(SOLD), ALICE, "Mind d6, d8, 2d10", 3, 4, 1, 1)
    at = roll.with_roll(at, replace(newest(at), hand=_swapped(newest(at).hand)))
    made = newest(reroll.reroll(at, ALICE, faces(*given), named).table)
    shown = sorted(die.face for die in made.hand.dice)
    assert shown == sorted(expected)


def _swapped(hand: Hand) -> Hand:
    return replace(hand, dice=(*hand.dice[:2], hand.dice[3], hand.dice[2]))


def test_D8_a_new_one_is_a_hitch_and_an_old_one_is_forgotten() -> None:
    at = rolled(table(SOLD), ALICE, "d6 d8", 1, 4)
    assert [die.is_one for die in newest(reroll.reroll(at, ALICE, faces(5), "d6").table).hand.dice] == [
        False
    ] * 2
    assert newest(reroll.reroll(at, ALICE, faces(1), "d8").table).hand.dice[1].is_one


def test_D8_a_die_whose_one_is_activated_stays() -> None:
    at = rolled(table(SOLD), ALICE, "d6 d8", 1, 4)
    hand = newest(at).hand
    fixed = replace(hand, dice=(replace(hand.dice[0], used=True), hand.dice[1]))
    at = roll.with_roll(at, replace(newest(at), hand=fixed))
    with pytest.raises(Unknown, match=r'That roll has no "d6" to change\. It has d8: 4'):
        reroll.reroll(at, ALICE, never, "d6")
    with pytest.raises(NotAllowed, match="1 has been activated"):
        reroll.reroll_at(at, ALICE, never, 1, (0,))
    assert newest(reroll.reroll(at, ALICE, faces(2)).table).hand.dice[1].face == 2


def test_D8_a_removed_die_is_not_rolled_again() -> None:
    at = rolled(table(SOLD), ALICE, "d6 d8", 3, 4)
    hand = newest(at).hand
    gone = replace(hand, dice=(replace(hand.dice[0], removed=True), replace(hand.dice[1], removed=True)))
    with pytest.raises(NotAllowed, match="You can't change any of those dice"):
        reroll.reroll(roll.with_roll(at, replace(newest(at), hand=gone)), ALICE, never)


def test_P2_a_reroll_costs_a_pp_at_a_table_and_nothing_elsewhere() -> None:
    assert pp(reroll.reroll(rolled(table(SOLD), ALICE, "d6", 3), ALICE, faces(2)).table, "alice") == 0
    step = reroll.reroll(rolled(Table(), ZOE, "d6", 3), ZOE, faces(2))
    assert (step.facts[1:], step.table.characters) == ((RollChanged(newest(step.table)),), {})


def test_a_reroll_without_a_roll_is_refused() -> None:
    with pytest.raises(Unknown, match="no open roll"):
        reroll.reroll(table(), ALICE, never)


def test_a_reroll_is_of_ones_own_newest_roll() -> None:
    at = rolled(table(SOLD), ALICE, "d6", 3)
    at = rolled(at, ALICE, "d8", 3)
    at = rolled(at, BOB, "d10", 3)
    assert (
        sorted(CORTEX.of(reroll.reroll(at, ALICE, faces(7)).table).rolls[2].hand.dice, key=str)[0].face == 7
    )


@given(strategies.set_tables(), strategies.throws(), strategies.typed())
def test_any_text_names_dice_to_roll_again_or_is_refused(at: Table, throw: Throw, text: str) -> None:
    at = rolled(at, ALICE, "Mind d6, d8, 2d10", 3, 4, 1, 1)
    tried(lambda: reroll.reroll(at, ALICE, throw, text))


@pytest.mark.parametrize(
    ("dice", "gone"),
    [
        (None, [1]),
        ("highest", [1]),
        ("ones", [2, 3]),
        ("d10", [3]),
        ("Mind", [0]),
    ],
)
def test_D4_dice_are_taken_out_of_a_roll(dice: str | None, gone: list[int]) -> None:
    at = rolled(table(SOLD), ALICE, "Mind d6, d8, 2d10", 3, 4, 1, 1)
    if dice == "d10":
        at = roll.with_roll(at, replace(newest(at), hand=_activated(newest(at).hand, 2)))
    hand = newest(reroll.remove(at, GRETA, dice, "Alice").table).hand
    assert [place for place, die in enumerate(hand.dice) if die.removed] == gone
    assert not {*hand.total, *hand.effects} & set(gone)


def _activated(hand: Hand, place: int) -> Hand:
    dice = tuple(replace(die, used=n == place) for n, die in enumerate(hand.dice))
    return replace(hand, dice=dice)


def test_D8_a_removed_one_is_no_hitch_any_more() -> None:
    at = rolled(table(SOLD), ALICE, "d6 d8", 1, 4)
    hand = newest(reroll.remove(at, GRETA, "ones", "Alice").table).hand
    assert not any(die.is_one for die in hand.dice)


def test_D4_taking_dice_out_is_the_gms_at_a_table() -> None:
    at = rolled(table(SOLD), ALICE, "d6 d8", 1, 4)
    with pytest.raises(NotAllowed, match="Only the GM can take dice out of a roll"):
        reroll.remove(at, ALICE, "ones")
    at = rolled(Table(), ZOE, "d6 d8", 1, 4)
    assert newest(reroll.remove(at, ZOE, "ones").table).hand.dice[0].removed


def test_D4_there_is_no_one_to_take_out() -> None:
    with pytest.raises(NotAllowed, match="roll has no 1 to take out"):
        reroll.remove(rolled(Table(), ZOE, "d6", 3), ZOE, "ones")


def test_D8_without_a_named_die_the_roller_is_asked_the_lowest_first() -> None:
    at = rolled(table(SOLD, pp=1), ALICE, "Mind d10, d8, d8, d6", 7, 3, 3, 5)
    with pytest.raises(Undecided, match=r"Which die\?") as asked:
        reroll.reroll(at, ALICE, never)
    assert [str(each.label) for each in asked.value.answers] == ["d8: 3", "d6: 5", "Mind d10: 7"]
    told = replace(ALICE, agreed=(asked.value.answers[2].sign,))
    assert newest(reroll.reroll(at, told, faces(9)).table).hand.dice[0].face == 9


def test_D8_of_two_dice_of_a_size_the_one_to_reroll_is_asked_for() -> None:
    at = rolled(table(SOLD, pp=1), ALICE, "d10, d8, d8, d8", 7, 3, 4, 5)
    with pytest.raises(Undecided) as asked:
        reroll.reroll(at, ALICE, never, "2d8")
    assert [str(each.label) for each in asked.value.answers] == [
        "d8: 3 and d8: 4", "d8: 3 and d8: 5", "d8: 4 and d8: 5",
    ]  # fmt: skip
    fresh = newest(reroll.reroll(at, ALICE, faces(1, 2), "d8: 5, d10").table)
    assert [die.face for die in fresh.hand.dice] == [2, 3, 4, 1]


def test_D4_the_gm_is_asked_which_of_two_highest_dice_goes() -> None:
    at = rolled(table(), ALICE, "d12, d8, d6", 8, 8, 3)
    with pytest.raises(Undecided) as asked:
        reroll.remove(at, GRETA, "highest", "Alice")
    assert [str(each.label) for each in asked.value.answers] == ["d12: 8", "d8: 8"]
    told = replace(GRETA, agreed=(asked.value.answers[1].sign,))
    gone = newest(reroll.remove(at, told, "highest", "Alice").table).hand
    assert [die.removed for die in gone.dice] == [False, True, False]


def test_D8_more_dice_than_there_are_is_said_with_what_there_is() -> None:
    at = rolled(table(SOLD, pp=1), ALICE, "d10, d8, d8", 7, 3, 4)
    with pytest.raises(Unknown, match=r'has 2 "d8" to change, not 3\. It has d10: 7, d8: 3 and d8: 4\.'):
        reroll.reroll(at, ALICE, never, "3d8")
    with pytest.raises(Unknown, match='no "d8: 9" to change'):
        reroll.reroll(at, ALICE, never, "d8: 9")
