"""What can become of a roll that was made in secret: it is revealed, or dropped."""

from functools import partial

from bot.asks import what_for
from bot.asks.question import Answer, Question, Rule
from bot.language import say
from bot.render.card import Button, Weight
from rules.cortex import roll
from rules.cortex.model import CORTEX, Roll
from rules.table import Table

SHOWN = 4
"""A view offers this many hidden rolls to be revealed, the latest."""


def rows(made: Roll) -> tuple[tuple[Button, ...], ...]:
    """Reveal a hidden roll to all, or let it go unseen; say what it was for."""
    row = (
        Button(say("Reveal"), "reveal", made.number, weight=Weight.MAIN),
        Button(say("Drop"), "dropunseen", made.number),
    )
    return what_for.asking((row,), made)


def named_buttons(table: Table) -> tuple[Button, ...]:
    """Each of the latest hidden rolls to be looked at, by its number in the list."""
    latest = list(CORTEX.of(table).hidden)[-SHOWN:]
    return tuple(Button(say("Hidden roll {number}", number=number), "hidden", number) for number in latest)


def _reveal(answer: Answer) -> Rule:
    return partial(roll.reveal_hidden, number=answer.number)


def _drop(answer: Answer) -> Rule:
    return partial(roll.drop_hidden, number=answer.number)


QUESTIONS = (Question("reveal", press=_reveal), Question("dropunseen", press=_drop))
