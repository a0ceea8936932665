"""Throwing the dice of a success again for its effect, by a press (N10)."""

from functools import partial

from bot.asks.question import Answer, Question, Rule
from bot.language import say
from bot.render.card import Button
from rules.cortex.actions import RollReading
from rules.cortex.roll import roll_effect


def button(reading: RollReading) -> Button:
    """Offer to roll for the effect."""
    return Button(say("Roll effect"), "rolleffect", reading.came.roll.number)


def _press(answer: Answer) -> Rule:
    return partial(roll_effect, throw=answer.throw, number=answer.number)


QUESTIONS = (Question("rolleffect", press=_press),)
