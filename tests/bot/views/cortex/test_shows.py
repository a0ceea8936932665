"""How Cortex shows what a step did."""

from bot.views import table
from rules.campaign.lifecycle import change
from rules.cortex import crisis, roll
from rules.cortex.facts import TakenOut
from rules.cortex.kinds import TraitKind
from rules.cortex.roll import make
from rules.game import Step
from tests.bot.views.asking import ALICE, GM, begun
from tests.rules.people import faces


def test_a_step_that_rolled_is_shown_as_its_roll() -> None:
    step = make(begun(), ALICE, faces(3, 5), "2d6")
    card = table.shown_step(step.table, step)
    assert card is not None
    assert card.roll is not None
    assert not card.private


def test_a_roll_in_secret_is_shown_to_who_made_it() -> None:
    at = change(begun(), GM, "hidden GM rolls", "on").table
    step = roll.make_hidden(at, GM, faces(3, 5), "2d6")
    card = table.shown_step(step.table, step)
    assert card is not None
    assert card.private
    assert card.roll is None


def test_a_step_without_a_roll_is_told_by_lines_with_what_is_offered() -> None:
    step = crisis.new(begun(), GM, "Fire", "2d6")
    assert table.shown_step(step.table, step) is None
    assert [[button.verb for button in row] for row in table.step_rows(step.table, step)] == [["face"]]


def test_a_roll_that_took_somebody_out_calls_them_by_the_big_moment_alone() -> None:
    rolled = make(begun(), ALICE, faces(3, 5), "2d6")
    step = Step(rolled.table, (*rolled.facts, TakenOut("Alice", "Physical", TraitKind.STRESS)))
    card = table.shown_step(step.table, step)
    assert card is not None
    assert card.news is not None
    assert (card.calls, card.news.calls) == ((), (ALICE.id,))
