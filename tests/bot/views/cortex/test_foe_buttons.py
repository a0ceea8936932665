"""What is offered below news and views."""

from functools import partial

from bot.language.printers import spelled
from bot.views.cortex.table import fact_rows
from bot.views.table import view_rows
from rules.cortex import challenge, crisis
from tests.bot.views.asking import GM, after, begun


def test_news_of_a_crisis_offers_to_roll_against_it() -> None:
    step = crisis.new(begun(), GM, "Fire", "2d6")
    assert [[button.verb for button in row] for row in fact_rows(step.table, step.facts)] == [["face"]]


def test_of_several_challenges_each_offers_what_it_waits_for_most() -> None:
    table = after(begun(), *((GM, partial(challenge.new, name=name)) for name in ("Storm", "Flood")))
    labels = [spelled(button.label) for button in view_rows(table, "challenge")]
    assert labels == ["First: Alice (Storm)", "First: Alice (Flood)"]
