"""What a player changes with an opportunity, for a PP (H2)."""

from functools import partial

from bot.asks.cortex.about import about
from bot.asks.question import LONGEST, Answer, Question, Rule, counted, cut, how_many, pick
from bot.language import later, say
from bot.language.line import Text
from bot.language.said import width
from bot.render.card import Button, Form, Option, mark
from bot.render.cortex.parts import trait_name
from rules.campaign.seats import Actor
from rules.cortex.actions import RollReading
from rules.cortex.hitches import (
    Touchable,
    opportunities,
    require_opportunities,
    require_player,
    seize,
    steps_left,
    touchable,
)
from rules.cortex.kinds import TraitKind
from rules.cortex.model import Roll, ladder
from rules.cortex.roll import find
from rules.dice import Ladder, down, up
from rules.errors import NotAllowed, TooLate
from rules.game import Step
from rules.table import Table

_UP = later("Step {trait} up to d{size}"), later("Step {trait} up (d{size} if you use all)")
_DOWN = later("Step {trait} down to d{size}"), later("Step {trait} down (d{size} if you use all)")
_GONE = later("Remove {trait}"), later("Step {trait} down (gone if you use all)")
"""What becomes of a trait by one step, and by the steps of all opportunities."""


def button(reading: RollReading) -> Button:
    """How many opportunities can be used."""
    count = reading.deeds.opportunities
    return Button(say("{opportunity.Many}: {count}", count=count), "seize", reading.came.roll.number)


def seize_form(table: Table, actor: Actor, made: Roll) -> Form:
    """What there is to step down or up, one's own first; all opportunities at once for the one price."""
    count = len(opportunities(made))
    options = [
        Option(_label(ladder(table), each, count), mark(str(each))) for each in touchable(table, actor)
    ]
    fields = [pick("what", say("What"), options)]
    if count == 1:
        return Form(say("{opportunity.A}, for 1 {plot_point.short}"), tuple(fields))
    return Form(
        say("{count} {opportunity.many}, for 1 {plot_point.short}", count=count),
        (*fields, how_many(count, count)),
    )


def _read(answer: Answer) -> Rule:
    return partial(_seized, number=answer.number, sign=answer.fields["what"], count=counted(answer) or 1)


def _seized(table: Table, actor: Actor, number: int, sign: str, count: int) -> Step:
    """The opportunity used on what was chosen, as long as it is still as it was shown."""
    require_opportunities(find(table, number))
    found = next((each for each in touchable(table, actor) if mark(str(each)) == sign), None)
    if found is None:
        raise TooLate("That trait has changed in the meantime. Press the button again.")
    return seize(table, actor, number, str(found), count)


def _label(sizes: Ladder, each: Touchable, count: int) -> Text:
    """What so many opportunities do to a trait: `Step Rook · Burned down to d8`."""
    steps, die = min(count, steps_left(each.kind, each.trait, sizes)), each.trait.die
    is_up = each.kind is TraitKind.ASSET
    size = up(die, steps, sizes) if is_up else down(die, steps, sizes)
    words = (_UP if is_up else _DOWN if size else _GONE)[steps > 1]
    said = partial(say, words, size=size)
    trait = trait_name(each.owner, each.kind, each.trait)
    return said(trait=cut(trait, LONGEST - width(said(trait=""))))


def _ask(table: Table, actor: Actor, made: Roll) -> Form:
    require_player(table, actor)
    require_opportunities(made)
    if not touchable(table, actor):
        raise NotAllowed(
            "There's no {complication.one} or {stress.one} to step down, and no {asset.one} to step up."
        )
    return seize_form(table, actor, made)


QUESTIONS = (Question("seize", form=about(_ask), read=_read),)
