"""What is offered where a session is planned: to say whether one comes, to move it, to call it off."""

from datetime import datetime
from functools import partial

from bot.asks.question import Answer, Pressed, Question, Rule, choice
from bot.language import say
from bot.language.line import spoken
from bot.render.card import Button, Card, Field, Form, Tone, Weight
from bot.render.invitation import invitation
from bot.render.plan import plan_lines
from rules.campaign import schedule
from rules.campaign.dates import short_time
from rules.campaign.schedule import QuietHours
from rules.campaign.seats import Actor, require_gm
from rules.campaign.zones import milliseconds, tzinfo_of
from rules.names import Coming, Plan
from rules.table import Table
from rules.text import Words
from rules.values import replace

WHEN, SEVERAL = "sat 19:30", "sat 19:30, sun 15:00"
MOVED = "[0-9]{0,19}"
"""The subject of a button: the step that has given the session the time on its card, or nothing for none.

Buttons of cards from before the bot knew of it say nothing, and mean a session that was never moved since.
"""

TIME = "[0-9]{1,10}"
"""The subject of a button: a time that is asked for, in seconds since 1970."""
COMING = rf"(?:in|maybe|out)(?:\.{MOVED})?"
"""The subject of a button: whether somebody comes, and to which time of the session."""


def plan_card(table: Table, plan: Plan) -> Card:
    """A session that is planned, with what can be answered."""
    lines = tuple(plan_lines(table, plan))
    told = invitation(table, plan)
    return Card(lines, rows(table, plan), roll=plan, tone=Tone.CALM, invitation=told)


def next_card(table: Table, plan: Plan) -> Card:
    """A session that follows another, with everybody called who is asked."""
    asked = schedule.answers(table, plan).items()
    calls = tuple(player for player, (_, coming) in asked if coming is not Coming.AWAY)
    return replace(plan_card(table, plan), calls=calls)


def rows(table: Table, plan: Plan) -> tuple[tuple[Button, ...], ...]:
    """The buttons below a plan; none where it is called off, or over."""
    if not plan.is_open:
        return ()
    number, moved = plan.number, str(plan.moved or "")
    if plan.is_asked:
        return (*_time_rows(table, plan), (Button(say("Move"), "moveplan", number), _off(plan)))
    of = f".{moved}" if moved else ""
    come = (
        Button(say("I'm in"), "coming", number, f"{Coming.IN}{of}", Weight.MAIN),
        Button(say("Maybe"), "coming", number, f"{Coming.MAYBE}{of}"),
        Button(say("Can't"), "coming", number, f"{Coming.OUT}{of}"),
    )
    skip = (Button(say("Skip this one"), "skipplan", number, moved),) if plan.weeks else ()
    return come, (Button(say("Move"), "moveplan", number), *skip, _off(plan))


def _off(plan: Plan) -> Button:
    return Button(say("Call off"), "calloff", plan.number, str(plan.moved or ""))


def _time_rows(table: Table, plan: Plan) -> tuple[tuple[Button, ...], ...]:
    """A button for each time that is to come, to say that it suits, and one for the GM to take it."""
    there = tzinfo_of(table.settings.zone)
    left = {at: datetime.fromtimestamp(at, there) for at in sorted(plan.times) if at not in plan.gone}
    suit = [Button(spoken(short_time(day)), "timesuits", plan.number, str(at)) for at, day in left.items()]
    take = [
        Button(say("Take this: {time}", time=spoken(short_time(day))), "taketime", plan.number, str(at))
        for at, day in left.items()
    ]
    return tuple(row for row in (tuple(suit), tuple(take)) if row)


def move_form(table: Table, actor: Actor, press: Pressed) -> Form:
    """When the session is to be instead."""
    require_gm(table, actor, Words("move {session.a}"))
    zone = table.settings.zone
    hint = say("Example: {when}, or several: {several}", when=WHEN, several=SEVERAL)
    hint = say("{hint}. Time zone: {zone}", hint=hint, zone=zone) if zone else hint
    fields = [Field("when", say("When"), hint=hint, longest=200)]
    if not zone:
        fields.append(Field("zone", say("Time zone"), hint=say("Example: Europe/Berlin"), required=False))
    return Form(say("Move the {session.one}"), tuple(fields))


def moved_of(subject: str) -> int:
    """The step that has given the session the time on a card; 0 for none."""
    return int(subject or 0)


def coming(press: Pressed, at: datetime, rest: QuietHours) -> Rule:
    """Whether somebody comes, as they pressed it at that time; their rest says whether they are away."""
    come, _, moved = press.subject.partition(".")
    answer = partial(schedule.reply, coming=choice(Coming, come), number=press.number, moved=moved_of(moved))
    return partial(answer, said=milliseconds(at), rest=rest)


def skip(press: Pressed, at: datetime) -> Rule:
    """The session on the pressed card is not this time."""
    return partial(schedule.skip, number=press.number, moved=moved_of(press.subject), now=at)


def suit(press: Pressed, at: datetime) -> Rule:
    """The time on the pressed button suits somebody, or no longer."""
    return partial(schedule.suit, at=moved_of(press.subject), number=press.number, now=at)


def take(press: Pressed, at: datetime) -> Rule:
    """The session is planned for the time on the pressed button."""
    return partial(schedule.take, at=moved_of(press.subject), number=press.number, now=at)


def _call_off(answer: Answer) -> Rule:
    return partial(schedule.call_off, number=answer.number, moved=moved_of(answer.subject))


QUESTIONS = (Question("calloff", subject=MOVED, press=_call_off),)
