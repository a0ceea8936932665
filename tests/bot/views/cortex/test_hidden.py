"""A roll made in secret: both buttons of it are understood."""

from functools import partial

from bot.language import say
from bot.views.card import Button
from bot.views.cortex import roll_changes
from rules.cortex.facts import HiddenDropped, RollMade
from rules.cortex.model import CORTEX
from rules.cortex.roll import make_hidden
from rules.game import Step
from tests.bot.views.asking import GM, after, begun, highest, opened


def test_it_is_revealed_or_dropped() -> None:
    table = after(begun(hidden_rolls=True), (GM, partial(make_hidden, throw=highest, dice="2d6 d8")))
    (made,) = CORTEX.of(table).hidden.values()
    found = [opened(table, GM, button) for button in roll_changes.hidden_rows(made)[0][:2]]
    for step, kind in zip(found, (RollMade, HiddenDropped), strict=True):
        assert isinstance(step, Step)
        assert [type(fact) for fact in step.facts] == [kind]


def test_a_view_offers_the_latest() -> None:
    roll = partial(make_hidden, throw=highest, dice="2d6 d8")
    table = after(begun(hidden_rolls=True), *[(GM, roll)] * (roll_changes.SHOWN + 1))
    numbers = list(CORTEX.of(table).hidden)
    assert roll_changes.named_buttons(table) == tuple(
        Button(say("Hidden roll {number}", number=number), "hidden", number) for number in numbers[1:]
    )
