"""The next session in words: when it is, who comes, who has not answered."""

from collections.abc import Iterable, Sequence
from datetime import datetime, time

from bot.language import later, say, say_of
from bot.language.line import Text, TimeStyle, heading, moment, small, spoken, strong
from bot.render.illegible import illegible
from bot.render.kinds import COMING
from bot.render.parts import listed, shortened
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
from rules.campaign.schedule import able, answers, silent, usual
from rules.campaign.zones import plain, tzinfo_of, zone_named
from rules.errors import RuleError, Undecided
from rules.facts import Fact, SettingChanged
from rules.names import Coming, Plan
from rules.table import Table
from rules.text import OR

REPEATS = {1: later("weekly"), 2: later("every two weeks")}
"""How often a session is planned again, by the weeks between two."""
_UNANSWERED = later("No answer yet: {who}")


def plan_lines(table: Table, plan: Plan) -> list[Text]:
    """When the session is, what was noted, and who has answered what."""
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
    """What the GM is told a day before a session to which too few have said they come."""
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
    """When the session is, and how long it is until then."""
    day, until = moment(plan.at, TimeStyle.DAY), moment(plan.at, TimeStyle.UNTIL)
    return day if not plan.is_open else say("{day}, {until}", day=strong(day), until=until)


def table_line(table: Table) -> list[Text]:
    """What the table says of its next session."""
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
    """The time zone that the table keeps from now on, where one was named."""
    zones = [fact.value for fact in facts if isinstance(fact, SettingChanged) and fact.setting == TIME_ZONE]
    return [small(say("This table's time zone: {zone}", zone=zone)) for zone in zones]


def reminder_lines(plan: Plan, silent: Iterable[str]) -> list[Text]:
    """What is told shortly before a session, and who is still asked."""
    who = listed(shortened(list(silent)))
    asked = [say("No answer yet: {who}", who=who)] if who else []
    return [
        heading(say("The {session.one} starts soon")),
        when_line(plan),
        *([plan.note] if plan.note else []),
        *asked,
    ]


def unheard_lines(table: Table) -> list[Text]:
    """What a GM is told along with a session of which the players cannot be told."""
    name = table.name or "Skyfall"
    line = say(
        "The bot can't write in any channel of {table}, so only you get this message.", table=strong(name)
    )
    return [line, say("Example: {example}", example=f"/campaign join name:{name}")]


def understood(table: Table, typed: str, now: datetime, zone: str) -> list[tuple[Text, str]]:
    """A time as it is understood, and what is typed for it: several where one is to be chosen."""
    try:
        named = zone_named(zone) if zone else ""
        if "," in typed and len(pieces := parted(typed, now, named, usual(table, named))) > 1:
            return [(_all_told(pieces, now, named, usual(table, named)), typed)]
        try:
            found = [(typed, each) for each in readings(typed, now, named, usual(table, named))]
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
    said, behind = split_zone(plain(typed))
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
