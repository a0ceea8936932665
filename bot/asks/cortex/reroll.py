"""Which die is rolled again; a single one is at once (D4, D8)."""

from functools import partial

from bot.asks.cortex.spend import once
from bot.asks.question import VERSION, Answer, Asks, Question, Rule, pick, whole
from bot.language import say
from bot.render.card import Button, Form, Option
from bot.render.cortex.roll import die_words
from rules.campaign.rolls import require_roller
from rules.campaign.seats import Actor
from rules.cortex.actions import RollReading
from rules.cortex.model import Roll
from rules.cortex.reroll import reroll_at
from rules.cortex.roll import find
from rules.cortex.spending import version
from rules.game import Step
from rules.table import Table


def button(reading: RollReading) -> Button:
    """Offer to roll a die again, as the roll stands."""
    return Button(say("Reroll"), "reroll", reading.came.roll.number, reading.deeds.version)


def reroll_form(made: Roll) -> Form:
    """The dice that are there, the lowest chosen."""
    free = [(n, die) for n, die in enumerate(made.hand.dice) if not die.used and not die.removed]
    options = [Option(die_words(die, gm=made.gm), str(place)) for place, die in free]
    lowest = min(free, key=lambda pair: pair[1].face)[0] if free else 0
    return Form(say("Reroll"), (pick("dice", say("Dice"), options, str(lowest)),), version(made))


def _press(answer: Answer) -> Rule:
    again = once(answer, partial(reroll_at, throw=answer.throw, number=answer.number))

    def pressed(table: Table, actor: Actor) -> Step:
        made = find(table, answer.number)
        if len(made.hand.dice) == 1:
            return again(table, actor)
        require_roller(table, actor, made)
        raise Asks(reroll_form(made))

    return pressed


def _read(answer: Answer) -> Rule:
    places = (whole(answer.fields["dice"]),)
    return once(answer, partial(reroll_at, throw=answer.throw, number=answer.number, places=places))


QUESTIONS = (Question("reroll", VERSION, press=_press, read=_read),)
