"""The next session in words, buttons and a calendar file."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, time, timedelta
from functools import partial

from bot.language import later, say, say_of
from bot.language.line import Text, TimeStyle, heading, moment, small, spoken, strong
from bot.language.printers import spelled
from bot.views.card import Button, Card, Document, Field, Form, Invitation, Tone, Weight, illegible
from bot.views.game import Rule
from bot.views.labels import COMING, listed, shortened
from bot.views.question import Answer, Pressed, Question, choice
from rules.campaign import schedule
from rules.campaign.dates import (
    HOURS,
    WEEKDAYS,
    day_words,
    parted,
    readings,
    short_time,
    split_zone,
    with_places,
)
from rules.campaign.lifecycle import TIME_ZONE
from rules.campaign.schedule import QuietHours, able, answers, silent, usual_hour
from rules.campaign.seats import Actor, require_gm
from rules.campaign.zones import milliseconds, tzinfo_of, zone_named
from rules.errors import RuleError, Undecided
from rules.facts import Fact, Planned, SettingChanged
from rules.names import Coming, Plan, fold
from rules.table import Table
from rules.text import OR, Words
from rules.values import replace

REPEATS = {1: later("weekly"), 2: later("every two weeks")}
"""How often a session is planned again, by the weeks between two."""
_UNANSWERED = later("No answer yet: {who}")


def plan_lines(table: Table, plan: Plan) -> list[Text]:
    """Return when the session is, its note, and who has answered what."""
    if not plan.at:
        return _asked_lines(table, plan)
    people: dict[Coming | None, list[Text]] = {}
    for name, coming in answers(table, plan).values():
        if coming is not None or plan.is_open:  # who has not answered is asked no more
            people.setdefault(coming, []).append(name)
    away = [say("{who} (away)", who=name) for name in people.pop(Coming.AWAY, ())]
    if away:
        people[Coming.OUT] = [*people.get(Coming.OUT, ()), *away]
    rows = {coming: words.row for coming, words in COMING.items()} | {None: _UNANSWERED}
    said = [
        say(row, who=listed(shortened(people[coming]))) for coming, row in rows.items() if coming in people
    ]
    return [
        heading(_heading(plan)),
        when_line(plan),
        *([plan.note] if plan.note else []),
        *said,
        *_wished(plan),
    ]


def _asked_lines(table: Table, plan: Plan) -> list[Text]:
    """Which times are asked for, whom each suits, and who has said nothing yet."""
    times = [_suited_line(plan, at, names) for at, names in able(table, plan).items()]
    who = listed(shortened(list(silent(table, plan).values()))) if plan.is_open else None
    zone = table.settings.zone or say("UTC")
    return [
        heading(_heading(plan)),
        *([plan.note] if plan.note else []),
        *times,
        *([say(_UNANSWERED, who=who)] if who else []),
        *([small(say("Times on the buttons are in {zone}.", zone=zone))] if plan.is_open else []),
        *_wished(plan),
    ]


def _suited_line(plan: Plan, at: int, names: Sequence[str]) -> Text:
    """A time that is asked for, how many it suits, and whom."""
    day = moment(at, TimeStyle.DAY)
    if at in plan.gone:
        return say("{day}: over", day=day)
    if not names:
        return say("{day}: nobody yet", day=day)
    who = listed(shortened(list(names)))
    return say("{day}: {count}, {who}", day=day, count=strong(str(len(names))), who=who)


def _wished(plan: Plan) -> list[Text]:
    """How many are to come, and whether there is another session after this one."""
    if not plan.is_open:
        return []
    return [
        *([small(_least(plan.least))] if plan.least else []),
        *([small(say("Repeats {often}.", often=say(REPEATS[plan.weeks])))] if plan.weeks else []),
    ]


def _least(count: int) -> Text:
    return say_of(count, "At least {count} player.", "At least {count} players.")


def few_lines(plan: Plan, coming: Sequence[str], silent: Sequence[str]) -> list[Text]:
    """Return what the GM is told a day before a session with too few players."""
    said = [say(COMING[Coming.IN].row, who=listed(shortened(list(coming))))] if coming else []
    asked = [say(_UNANSWERED, who=listed(shortened(list(silent))))] if silent else []
    return [
        heading(say("Not enough players yet: {count} of {least}", count=len(coming), least=plan.least)),
        when_line(plan),
        *said,
        *asked,
    ]


def _heading(plan: Plan) -> Text:
    if plan.is_asked:
        return say("When do we play?")
    if plan.is_off:
        return say("Next {session.one}: called off")
    return say("This {session.one} is over") if plan.is_over else say("Next {session.one}")


def when_line(plan: Plan) -> Text:
    """Return when the session is, and how long until then."""
    day, until = moment(plan.at, TimeStyle.DAY), moment(plan.at, TimeStyle.UNTIL)
    return day if not plan.is_open else say("{day}, {until}", day=strong(day), until=until)


def table_line(table: Table) -> list[Text]:
    """Return the table's line about its next session."""
    plan = table.plan
    if plan is not None and plan.unread:
        return [small(illegible("plan"))]
    if plan is None or not plan.is_open:
        return []
    if plan.is_asked:
        days = [moment(at, TimeStyle.DAY) for at in sorted(plan.times) if at not in plan.gone]
        return [small(say("Next {session.one}: {day}", day=listed(days, OR)))]
    return [small(say("Next {session.one}: {day}", day=moment(plan.at, TimeStyle.DAY)))]


def zone_lines(facts: Iterable[Fact]) -> list[Text]:
    """Return the time zone that the table now remembers, if one was named."""
    zones = [fact.value for fact in facts if isinstance(fact, SettingChanged) and fact.setting == TIME_ZONE]
    return [small(say("This table's time zone: {zone}", zone=zone)) for zone in zones]


def moved_lines(facts: Iterable[Fact]) -> list[Text]:
    """Return when a session was planned for before it moved, if it did."""
    moves = [fact for fact in facts if isinstance(fact, Planned) and fact.was not in (0, fact.at)]
    return [small(say("Moved from {day}.", day=moment(fact.was, TimeStyle.DAY))) for fact in moves]


def reminder_lines(plan: Plan, silent: Iterable[str]) -> list[Text]:
    """Return the reminder shortly before a session, and who hasn't answered."""
    who = listed(shortened(list(silent)))
    asked = [say("No answer yet: {who}", who=who)] if who else []
    return [
        heading(say("The {session.one} starts soon")),
        when_line(plan),
        *([plan.note] if plan.note else []),
        *asked,
    ]


def readable_times(table: Table, typed: str, now: datetime, zone: str) -> list[tuple[Text, str]]:
    """Return the readings of a typed time, as (shown, typed) each; several if one must be chosen."""
    try:
        named = zone_named(zone) if zone else ""
        if "," in typed and len(pieces := parted(typed, now, named, usual_hour(table, named))) > 1:
            return [(_all_told(pieces, now, named, usual_hour(table, named)), typed)]
        try:
            found = [(typed, each) for each in readings(typed, now, named, usual_hour(table, named))]
        except Undecided:
            ways = {at: each for each in reversed(_completed(typed)) for at in _coming(each, now, named)}
            found = [(each, at) for at, each in reversed(ways.items())]
    except RuleError:
        return [(typed, typed)]
    local = [(each, at.astimezone(tzinfo_of(named))) for each, at in found]
    is_one = len({at for _, at in local}) == len({each for each, _ in local})
    behind = "" if named else " UTC"
    return [(_told(at), each if is_one else f"{at:%Y-%m-%d %H:%M}{behind}") for each, at in local]


def _completed(typed: str) -> list[str]:
    """A time without an hour with each hour, or one whose zone is in several places with each place."""
    if len(places := with_places(typed)) > 1:
        return places
    said, behind = split_zone(fold(typed))
    return [f"{said} {hour:%H:%M} {behind}" if behind else f"{typed} {hour:%H:%M}" for hour in HOURS]


def _all_told(pieces: Sequence[str], now: datetime, zone: str, hour: time | None) -> Text:
    """Several times as they are understood. Raises what `readings` raises."""
    there = tzinfo_of(zone)
    found = [readings(each, now, zone, hour)[0].astimezone(there) for each in pieces]
    return say("{times} ({zone})", times=listed([spoken(short_time(at)) for at in found]), zone=there)


def _coming(typed: str, now: datetime, zone: str) -> list[datetime]:
    """What a typed time may mean; nothing where it is over."""
    try:
        return readings(typed, now, zone)
    except RuleError:
        return []


def _told(at: datetime) -> Text:
    return say(
        "{weekday} {day}, {time} ({zone})",
        weekday=WEEKDAYS[at.weekday()],
        day=day_words(at, with_year=True),
        time=f"{at:%H:%M}",
        zone=at.tzinfo,
    )


LASTS = timedelta(hours=4)
"""How long a session lasts in calendars."""


def invitation(table: Table, plan: Plan) -> Invitation:
    """Return a plan's calendar entry; its time is 0, so nothing is shown, during a poll."""
    sequence = max(0, table.plan_changes - plan.since)
    number = table.session + (not plan.is_over)
    return Invitation(plan.number, table.name, number, plan.at, plan.note, sequence, plan.is_off)


def calendar_file(of: Invitation, campaign: int, now: datetime) -> Document:
    """Return an iCalendar file; later files of a session update the same entry.

    The library is heavy and only loaded here, so run this in a worker.
    """
    from icalendar import Calendar, Event

    begins = datetime.fromtimestamp(of.at, UTC)
    is_off = of.is_off or (of.is_gone and begins > now)
    event = Event()
    event.add("uid", f"{campaign}-{of.number}@doomkeeper")
    event.add("dtstamp", now.replace(microsecond=0))
    event.add("dtstart", begins)
    event.add("dtend", begins + LASTS)
    event.add("sequence", of.sequence + of.is_gone)
    event.add("status", "CANCELLED" if is_off else "CONFIRMED")
    event.add("summary", _title(of))
    if of.note:
        event.add("description", of.note)
    calendar = Calendar()
    calendar.add("prodid", "-//Doomkeeper//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(event)
    return Document(f"session-{of.session}.ics", calendar.to_ical())


def _title(of: Invitation) -> str:
    if of.table:
        return spelled(say("{table}, {session.one} {number}", table=of.table, number=of.session))
    return spelled(say("{session.One} {number}", number=of.session))


WHEN, SEVERAL = "sat 19:30", "sat 19:30, sun 15:00"
MOVED = "[0-9]{0,19}"
"""The subject of a button: the step that has given the session the time on its card, or nothing for none.

Buttons of cards from before the bot knew of it say nothing, and mean a session that was never moved since.
"""

TIME = "[0-9]{1,10}"
"""The subject of a button: a time that is asked for, in seconds since 1970."""
COMING_SUBJECT = rf"(?:in|maybe|out)(?:\.{MOVED})?"
"""The subject of a button: whether somebody comes, and to which time of the session."""


def plan_card(table: Table, plan: Plan) -> Card:
    """Return the card of a planned session, with its answers."""
    lines = tuple(plan_lines(table, plan))
    told = invitation(table, plan)
    return Card(lines, plan_rows(table, plan), roll=plan, tone=Tone.CALM, invitation=told)


def next_card(table: Table, plan: Plan) -> Card:
    """Return the card of a repeated session, which mentions everybody who is asked."""
    asked = schedule.answers(table, plan).items()
    calls = tuple(player for player, (_, coming) in asked if coming is not Coming.AWAY)
    return replace(plan_card(table, plan), calls=calls)


def plan_rows(table: Table, plan: Plan) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons below a plan; none if it was called off or is over."""
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
    """Return the form to move the session."""
    require_gm(table, actor, Words("move {session.a}"))
    zone = table.settings.zone
    hint = say("Example: {when}, or several: {several}", when=WHEN, several=SEVERAL)
    hint = say("{hint}. Time zone: {zone}", hint=hint, zone=zone) if zone else hint
    fields = [Field("when", say("When"), hint=hint)]
    if not zone:
        fields.append(Field("zone", say("Time zone"), hint=say("Example: Europe/Berlin"), required=False))
    return Form(say("Move the {session.one}"), tuple(fields))


def moved_of(subject: str) -> int:
    """Return the number of the step that set the time on a card; 0 for none."""
    return int(subject or 0)


def coming(press: Pressed, at: datetime, rest: QuietHours) -> Rule:
    """Return the rule for somebody's answer, pressed at that time; `rest` says whether they are away."""
    come, _, moved = press.subject.partition(".")
    answer = partial(schedule.reply, coming=choice(Coming, come), number=press.number, moved=moved_of(moved))
    return partial(answer, said=milliseconds(at), rest=rest)


def skip(press: Pressed, at: datetime) -> Rule:
    """Return the rule to skip the session on the card."""
    return partial(schedule.skip, number=press.number, moved=moved_of(press.subject), now=at)


def suit(press: Pressed, at: datetime) -> Rule:
    """Return the rule that toggles whether the pressed time suits somebody."""
    return partial(schedule.suit, at=moved_of(press.subject), number=press.number, now=at)


def take(press: Pressed, at: datetime) -> Rule:
    """Return the rule to plan the session for the pressed time."""
    return partial(schedule.take, at=moved_of(press.subject), number=press.number, now=at)


def _call_off(answer: Answer) -> Rule:
    return partial(schedule.call_off, number=answer.number, moved=moved_of(answer.subject))


QUESTIONS = (Question("calloff", subject=MOVED, press=_call_off),)
