"""What is offered where a session is planned: to say whether one comes, to move it, to call it off."""

from dataclasses import replace
from functools import partial

from bot.asks.question import Answer, Pressed, Question, Rule, choice
from bot.language import say
from bot.render.card import Button, Card, Field, Form, Tone, Weight
from bot.render.plan import plan_lines
from rules import plan as plans
from rules.kinds import Coming, Plan
from rules.seats import Actor, require_gm
from rules.table import Table

WHEN = "sat 19:30"


def plan_card(table: Table, plan: Plan) -> Card:
    """A session that is planned, with what can be answered."""
    return Card(tuple(plan_lines(table, plan)), rows(plan), roll=plan, tone=Tone.CALM)


def next_card(table: Table, plan: Plan) -> Card:
    """A session that follows another, with everybody called who is asked."""
    asked = plans.answers(table, plan).items()
    calls = tuple(player for player, (_, coming) in asked if coming is not Coming.AWAY)
    return replace(plan_card(table, plan), calls=calls)


def rows(plan: Plan) -> tuple[tuple[Button, ...], ...]:
    """The buttons below a plan; none where it is called off, or over."""
    if not plan.is_open:
        return ()
    number = plan.number
    come = (
        Button(say("I'm in"), "coming", number, Coming.IN, Weight.MAIN),
        Button(say("Maybe"), "coming", number, Coming.MAYBE),
        Button(say("Can't"), "coming", number, Coming.OUT),
    )
    skip = (Button(say("Skip this one"), "skipplan", number),) if plan.weeks else ()
    off = Button(say("Call off"), "calloff", number)
    return come, (Button(say("Move"), "moveplan", number), *skip, off)


def move_form(table: Table, actor: Actor, press: Pressed) -> Form:
    """When the session is to be instead."""
    require_gm(table, actor, "move a session")
    zone = table.settings.zone
    hint = say("Example: {when}", when=WHEN)
    hint = say("{hint}. Time zone: {zone}", hint=hint, zone=zone) if zone else hint
    fields = [Field("when", say("When"), hint=hint, longest=60)]
    if not zone:
        fields.append(Field("zone", say("Time zone"), hint=say("Example: Europe/Berlin"), required=False))
    return Form(say("Move the session"), tuple(fields))


def _coming(answer: Answer) -> Rule:
    return partial(plans.reply, coming=choice(Coming, answer.subject), number=answer.number)


def _call_off(answer: Answer) -> Rule:
    return partial(plans.call_off, number=answer.number)


QUESTIONS = (
    Question("coming", subject="in|maybe|out", press=_coming),
    Question("calloff", press=_call_off),
)
