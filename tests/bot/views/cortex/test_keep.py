"""Which dice are kept: each choice that is shown can be kept."""

from bot.views.card import Button
from bot.views.cortex import roll_actions
from bot.views.question import TYPED
from rules.cortex import outcome
from rules.cortex.actions import read_roll
from rules.cortex.roll import find, opposing_hand
from tests.bot.views.asking import ALICE, GM, answers, begun, below, newest, reading, rolled


def test_every_choice_has_a_button_that_keeps_it() -> None:
    table = rolled(begun(), "2d6 d8 d10", 2, 3, 4, 5)
    made = newest(table)
    others = [choice for choice in outcome.choices(made.hand) if choice != outcome.kept(made.hand)]
    seen = read_roll(table, made)
    assert [other.kept for other in seen.actions.others] == others
    for other in seen.actions.others:
        (step,) = answers(table, ALICE, roll_actions.choice_button(seen, other))
        assert outcome.kept(find(step.table, made.number).hand) == other.kept


def test_the_choice_that_a_pp_buys_is_bought() -> None:
    table = rolled(begun(), "2d6 d8", 3, 3, 4, vs="8")
    (step,) = answers(table, ALICE, below(table, "buykeep"))
    assert newest(step.table).hand.keep == 3


def test_any_dice_are_kept_as_they_are_ticked() -> None:
    table = rolled(begun(), "2d6 d8 d10", 2, 3, 4, 5)
    for step in answers(
        table, ALICE, roll_actions.other_button(read_roll(table, newest(table))), total="0,1", effect="2"
    ):
        assert newest(step.table).hand.total == (0, 1)
        assert newest(step.table).hand.effects == (2,)


def test_dice_past_a_menu_have_a_field_of_their_own() -> None:
    table = rolled(begun(), "30d6", *[2] * 30)
    ticked = {"total": "0", "more_total": "29", "effect": "1", "more_effect": ""}
    for step in answers(table, ALICE, roll_actions.other_button(read_roll(table, newest(table))), **ticked):
        assert newest(step.table).hand.total == (0, 29)


def test_the_opposition_keeps_each_choice_that_is_listed_or_any_dice() -> None:
    table = rolled(begun(), "2d6 d8", 2, 3, 4, 2, 3, 4, 5, vs="2d6 d8 d10")
    hand = opposing_hand(newest(table))
    button, kept = Button("Oppose", "counter", newest(table).number), []
    for fields, rule in reading(table, GM, button):
        if fields["what"] not in (roll_actions._sign(outcome.kept(hand)), TYPED):
            kept.append(outcome.kept(opposing_hand(newest(rule(table, GM).table))))
    assert {*kept, outcome.kept(hand)} >= {*outcome.choices(hand)}
    any_dice = [
        opposing_hand(newest(rule(table, GM).table))
        for fields, rule in reading(table, GM, button, total="0,1", effect="2")
        if fields["what"] in (roll_actions._sign(outcome.kept(hand)), TYPED)
    ]
    assert {each.total for each in any_dice} == {(0, 1)}
