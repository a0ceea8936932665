"""What is done below a roll by one press: a hero die banked, a recovery, a die that goes back (Z1, D4)."""

from functools import partial

from bot.asks.question import NUMBER, Answer, Question, Rule, cut
from bot.language import say
from bot.render.card import Button
from bot.render.cortex.parts import label_words
from rules.cortex import doom, effects, hero, hitches
from rules.cortex.actions import RollReading
from rules.cortex.roll import let_stand
from rules.dice import write_dice


def bank_buttons(reading: RollReading) -> list[Button]:
    """The hero die that a heroic success may bank at once (Z1)."""
    size, number = reading.deeds.bankable, reading.came.roll.number
    return [Button(say("Bank d{size}", size=size), "bank", number)] if size else []


def hero_back_buttons(reading: RollReading) -> list[Button]:
    """The hero die that shows a 1, to be taken back instead of the PP for that (Z1)."""
    size, number = reading.deeds.hero_back, reading.came.roll.number
    label = say("Take back hero d{size} for 1 {plot_point.short}", size=size)
    return [Button(label, "heroback", number)] if size else []


def back_buttons(reading: RollReading) -> list[Button]:
    """The dice that came from doom, to go back there stepped up (D4)."""
    return [
        Button(
            say("Back to {doom_pool.short} {dice}", dice=write_dice(dice)),
            "backtodoom",
            reading.came.roll.number,
            str(place),
        )
        for place, dice in reading.deeds.lent
    ]


def doubt_buttons(reading: RollReading) -> list[Button]:
    """Whether a roll of somebody who is taken out stands, for the GM to say once (C4)."""
    number = reading.came.roll.number
    return [Button(say("It stands"), "stands", number), Button(say("Take back"), "takeback", number)]


def turn_buttons(reading: RollReading) -> list[Button]:
    """Let a roll that was made out of turn stand, for the GM (L2)."""
    roll = reading.came.roll
    return [Button(say("Let it stand"), "stands", roll.number)] if roll.turn else []


def recover_buttons(reading: RollReading) -> list[Button]:
    """Do what a recovery came to: the trait gone, smaller, or by hitches larger (T5)."""
    goal, found = reading.came.roll.recovery, reading.recovering
    if goal is None or found is None or not found.is_ready:
        return []
    label = cut(label_words(found.trait.label, goal.kind), 20)
    after = found.after
    if after is None:
        said = say("Apply: remove {trait}", trait=label)
    elif found.is_failed and after.out:
        said = say("Apply: {trait} up past d{size}", trait=label, size=after.die)
    elif found.is_failed:
        said = say("Apply: {trait} up to d{size}", trait=label, size=after.die)
    else:
        said = say("Apply: {trait} down to d{size}", trait=label, size=after.die)
    return [Button(said, "recover", reading.came.roll.number)]


def _bank(answer: Answer) -> Rule:
    return partial(hero.bank, number=answer.number)


def _hero_back(answer: Answer) -> Rule:
    return partial(hitches.take_hero_die_back, number=answer.number)


def _back(answer: Answer) -> Rule:
    return partial(doom.give_back, number=answer.number, place=int(answer.subject))


def _stands(answer: Answer) -> Rule:
    return partial(let_stand, number=answer.number)


def _recover(answer: Answer) -> Rule:
    return partial(effects.apply_recovery, number=answer.number)


QUESTIONS = (
    Question("bank", press=_bank),
    Question("heroback", press=_hero_back),
    Question("backtodoom", NUMBER, press=_back),
    Question("recover", press=_recover),
    Question("stands", press=_stands),
)
