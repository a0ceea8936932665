"""What is done below a roll by one press: a hero die banked, a recovery, a die that goes back (Z1, D4)."""

from functools import partial

from bot.asks.question import NUMBER, Answer, Question, Rule, cut
from bot.language import say
from bot.render.card import Button
from bot.render.parts import label_words
from rules.cortex import apply, hero, lent
from rules.cortex.doubt import is_in_doubt
from rules.cortex.stands import let_stand
from rules.dice import write
from rules.table import Kind, Roll, Table


def bank_buttons(table: Table, made: Roll) -> list[Button]:
    """The hero die that a heroic success may bank at once (Z1)."""
    size = hero.bankable(table, made)
    return [Button(say("Bank d{size}", size=size), "bank", made.number)] if size else []


def back_buttons(table: Table, made: Roll) -> list[Button]:
    """The dice that came from doom, to go back there stepped up (D4)."""
    return [
        Button(
            say("Back to doom {dice}", dice=write(lent.gone_back(table, size))),
            "backtodoom",
            made.number,
            str(place),
        )
        for place, size in lent.lent(table, made)
    ]


def doubt_buttons(table: Table, made: Roll) -> list[Button]:
    """Whether a roll of somebody who is taken out stands, for the GM to say once (C4)."""
    if not is_in_doubt(table, made):
        return []
    return [
        Button(say("It stands"), "stands", made.number),
        Button(say("Take back"), "takeback", made.number),
    ]


def recover_button(table: Table, made: Roll) -> Button:
    """Do what a recovery came to: the trait gone, smaller, or by hitches larger (T5)."""
    before, after = apply.recovery_of(table, made)
    label = cut(label_words(before.label, made.recovery.kind if made.recovery else Kind.STRESS), 20)
    if after is None:
        said = say("Apply: {trait} is gone", trait=label)
    elif apply.is_failed_recovery(made) and after.out:
        said = say("Apply: {trait} up past d{size}", trait=label, size=after.die)
    elif apply.is_failed_recovery(made):
        said = say("Apply: {trait} up to d{size}", trait=label, size=after.die)
    else:
        said = say("Apply: {trait} down to d{size}", trait=label, size=after.die)
    return Button(said, "recover", made.number)


def _bank(answer: Answer) -> Rule:
    return partial(hero.bank, number=answer.number)


def _back(answer: Answer) -> Rule:
    return partial(lent.give_back, number=answer.number, place=int(answer.subject))


def _stands(answer: Answer) -> Rule:
    return partial(let_stand, number=answer.number)


def _recover(answer: Answer) -> Rule:
    return partial(apply.apply_recovery, number=answer.number)


QUESTIONS = (
    Question("bank", press=_bank),
    Question("backtodoom", NUMBER, press=_back),
    Question("recover", press=_recover),
    Question("stands", press=_stands),
)
