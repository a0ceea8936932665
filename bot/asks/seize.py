"""What a player changes with an opportunity, for a PP (H2)."""

from functools import partial

from bot.asks.question import Answer, Question, Rule, about, counted, cut, how_many, pick
from bot.language import say
from bot.render.card import Button, Form, Option, mark
from bot.render.parts import trait_name
from rules.cortex.hitches import (
    Touchable,
    opportunities,
    require_opportunities,
    require_player,
    seize,
    touchable,
)
from rules.cortex.roll import find
from rules.dice import down, up
from rules.errors import NotAllowed, TooLate
from rules.result import Step
from rules.seats import Actor
from rules.table import Kind, Roll, Table


def button(made: Roll) -> Button:
    """How many opportunities can be used."""
    return Button(say("Opportunities: {count}", count=len(opportunities(made))), "seize", made.number)


def form(table: Table, actor: Actor, made: Roll) -> Form:
    """What there is to step down or up, one's own first."""
    count = len(opportunities(made))
    options = [Option(_label(each), mark(str(each))) for each in touchable(table, actor)]
    fields = [pick("what", say("What"), options)]
    if count > 1:
        fields.append(how_many(count, 1))
    return Form(say("An opportunity, for 1 PP"), tuple(fields))


def _read(answer: Answer) -> Rule:
    return partial(_seized, number=answer.number, sign=answer.fields["what"], count=counted(answer) or 1)


def _seized(table: Table, actor: Actor, number: int, sign: str, count: int) -> Step:
    """The opportunity used on what was chosen, as long as it is still as it was shown."""
    require_opportunities(find(table, number))
    found = next((each for each in touchable(table, actor) if mark(str(each)) == sign), None)
    if found is None:
        raise TooLate("That trait has changed meanwhile. Press the button again.")
    return seize(table, actor, number, str(found), count)


def _label(each: Touchable) -> str:
    """What an opportunity does to a trait: `Step Rook · Burned down to d8`."""
    trait = trait_name(each.owner, each.kind, each.trait)
    if each.kind is Kind.ASSET:
        return cut(say("Step {trait} up to d{size}", trait=trait, size=up(each.trait.die)))
    fallen = down(each.trait.die)
    if not fallen:
        return cut(say("Remove {trait}", trait=trait))
    return cut(say("Step {trait} down to d{size}", trait=trait, size=fallen))


def _ask(table: Table, actor: Actor, made: Roll) -> Form:
    require_player(table, actor)
    require_opportunities(made)
    if not touchable(table, actor):
        raise NotAllowed("There is no complication or stress to step down and no asset to step up.")
    return form(table, actor, made)


QUESTIONS = (Question("seize", form=about(_ask), read=_read),)
