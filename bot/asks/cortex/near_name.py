"""A new label that is nearly a name: one press says that the name was meant (L5)."""

from functools import partial

from bot.asks.question import Answer, Question, Rule
from bot.language import say
from bot.render.card import Button
from rules.cortex.actions import RollReading
from rules.cortex.roll import rename


def buttons(reading: RollReading) -> list[Button]:
    """Offer the name that a new label is like."""
    roll = reading.came.roll
    near = reading.deeds.near
    return [Button(say("Yes, {name}", name=near[1]), "nearname", roll.number)] if near else []


def _press(answer: Answer) -> Rule:
    return partial(rename, number=answer.number)


QUESTIONS = (Question("nearname", press=_press),)
