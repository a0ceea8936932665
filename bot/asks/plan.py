"""What is offered where a session is planned: to say whether one comes, to move it, to call it off."""

from datetime import datetime
from functools import partial

from bot.asks.question import Answer, Pressed, Question, Rule, choice
from bot.language import say
from bot.render.card import Button, Card, Field, Form, Tone, Weight
from bot.render.plan import plan_lines
from rules import plan as plans
from rules.kinds import Coming, Plan
from rules.quiet import QuietHours
from rules.seats import Actor, require_gm
from rules.table import Table
from rules.values import replace
from rules.words import Words
from rules.zones import milliseconds

WHEN = "sat 19:30"
MOVED = "[0-9]{0,19}"
"""The subject of a button: the step that has given the session the time on its card, or nothing for none.

Buttons of cards from before the bot knew of it say nothing, and mean a session that was never moved since.
"""

COMING = rf"(?:in|maybe|out)(?:\.{MOVED})?"
"""The subject of a button: whether somebody comes, and to which time of the session."""


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
    number, moved = plan.number, str(plan.moved or "")
    of = f".{moved}" if moved else ""
    come = (
        Button(say("I'm in"), "coming", number, f"{Coming.IN}{of}", Weight.MAIN),
        Button(say("Maybe"), "coming", number, f"{Coming.MAYBE}{of}"),
        Button(say("Can't"), "coming", number, f"{Coming.OUT}{of}"),
    )
    skip = (Button(say("Skip this one"), "skipplan", number, moved),) if plan.weeks else ()
    off = Button(say("Call off"), "calloff", number, moved)
    return come, (Button(say("Move"), "moveplan", number), *skip, off)


def move_form(table: Table, actor: Actor, press: Pressed) -> Form:
    """When the session is to be instead."""
    require_gm(table, actor, Words("move a session"))
    zone = table.settings.zone
    hint = say("Example: {when}", when=WHEN)
    hint = say("{hint}. Time zone: {zone}", hint=hint, zone=zone) if zone else hint
    fields = [Field("when", say("When"), hint=hint, longest=60)]
    if not zone:
        fields.append(Field("zone", say("Time zone"), hint=say("Example: Europe/Berlin"), required=False))
    return Form(say("Move the session"), tuple(fields))


def moved_of(subject: str) -> int:
    """The step that has given the session the time on a card; 0 for none."""
    return int(subject or 0)


def coming(press: Pressed, at: datetime, rest: QuietHours) -> Rule:
    """Whether somebody comes, as they pressed it at that time; their rest says whether they are away."""
    come, _, moved = press.subject.partition(".")
    answer = partial(plans.reply, coming=choice(Coming, come), number=press.number, moved=moved_of(moved))
    return partial(answer, said=milliseconds(at), rest=rest)


def skip(press: Pressed, at: datetime) -> Rule:
    """The session on the pressed card is not this time."""
    return partial(plans.skip, number=press.number, moved=moved_of(press.subject), now=at)


def _call_off(answer: Answer) -> Rule:
    return partial(plans.call_off, number=answer.number, moved=moved_of(answer.subject))


QUESTIONS = (Question("calloff", subject=MOVED, press=_call_off),)
