"""What is done with a One-Roll roll."""

from functools import partial

from bot.language.printers import spelled
from bot.views.ore.roll import ore_card
from rules.ore import roll
from rules.ore.model import ORE
from rules.ore.notation import read
from tests.bot.views.asking import ALICE, BOB, after, answers, begun, of


def test_wiggle_dice_go_wherever_is_offered() -> None:
    fall = partial(roll.full, throw=lambda sizes: [7, 7, 3, 3, 1], pool=read("5d 2w"))
    table = after(begun(), (ALICE, fall))
    (made,) = ORE.of(table).rolls.values()
    button = of(ore_card(table, made).rows[0], "place")
    placed = {ORE.of(step.table).rolls[made.number].hands[0].placed for step in answers(table, ALICE, button)}
    assert len(placed) > 1
    typed = answers(table, ALICE, button, dice="7 1")
    assert {ORE.of(step.table).rolls[made.number].hands[0].placed for step in typed} == {(7, 1)}


def test_a_quick_set_of_tens_counts_as_each_height_that_is_offered() -> None:
    fall = partial(roll.quick, throw=lambda sizes: [8, 10][: len(sizes)], pool=read("8d"))
    table = after(begun(), (ALICE, fall))
    (made,) = ORE.of(table).rolls.values()
    buttons = [button for button in ore_card(table, made).rows[0] if button.verb == "height"]
    steps = [step for each in buttons for step in answers(table, ALICE, each)]
    assert {ORE.of(step.table).rolls[made.number].hands[0].to for step in steps} == {
        int(button.subject) for button in buttons
    }


def test_a_set_spoils_whatever_is_offered_by_as_many_dice_as_fit() -> None:
    fall = partial(roll.full, throw=lambda sizes: [7, 7, 3, 3, 1], pool=read("5d"))
    wide = partial(roll.full, throw=lambda sizes: [9, 9, 9, 8, 8], pool=read("5d"))
    table = after(begun(), (ALICE, fall), (BOB, wide))
    *_, made = ORE.of(table).rolls.values()
    steps = answers(table, BOB, of(ore_card(table, made).rows[0], "gobble"))
    assert all(ORE.of(step.table).rolls[made.number].hands[0].spent for step in steps)


def test_of_several_actions_each_button_says_of_which_it_is() -> None:
    fall = partial(roll.actions, throw=lambda sizes: [8 for _ in sizes], dice=["8d 1w", "7d 1w"])
    table = after(begun(), (ALICE, fall))
    (made,) = ORE.of(table).rolls.values()
    labels = [spelled(button.label) for button in ore_card(table, made).rows[0]]
    assert labels[:2] == ["Action 1: Place", "Action 2: Place"]
