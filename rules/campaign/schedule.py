"""The next session: its time, who comes, polls of several times, absences and quiet hours."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, time, timedelta

from rules.campaign.dates import read_times
from rules.campaign.seats import Actor, own_name, require_gm
from rules.campaign.zones import local, minute_of, tzinfo_of, weeks_later, with_zone, zone_named
from rules.errors import Closed, NotAllowed, TooLate, ZoneNeeded
from rules.facts import (
    Began,
    CalledOff,
    Ended,
    Fact,
    Planned,
    Replied,
    SettingChanged,
    Stretch,
    TimesAsked,
    TimeSuited,
)
from rules.game import Step
from rules.names import Coming, Plan, Reply, remark
from rules.table import Table
from rules.terms import later
from rules.text import Words
from rules.values import Value, replace

DAY = 24 * 60


SECOND = timedelta(seconds=1)


class QuietHours(Value):
    """Somebody's quiet hours, in minutes of the day in their time zone; none if both are equal.

    They are away `until` that time, in seconds since 1970, and get no messages from the `muted`
    campaigns. `since` is when they said so, in milliseconds; 0 if unknown. With `by_morning`, all
    reminders come as one message a day, when the quiet hours end.
    """

    zone: str = ""
    begins: int = 0
    ends: int = 0
    until: int = 0
    muted: tuple[int, ...] = ()
    since: int = 0
    by_morning: bool = False

    @property
    def has_quiet_hours(self) -> bool:
        """Whether there are any quiet hours."""
        return self.begins != self.ends

    @property
    def is_gathered(self) -> bool:
        """Whether reminders come only in the morning, as one message."""
        return self.by_morning and self.has_quiet_hours

    def morning(self, now: datetime) -> datetime:
        """Return the next end of the quiet hours at which they aren't away."""
        after = max(now, datetime.fromtimestamp(self.until, UTC) - SECOND)
        here = local(after, self.zone)
        # Of an hour that clocks show twice, the first: there is one morning a day.
        end = here.replace(hour=self.ends // 60, minute=self.ends % 60, second=0, microsecond=0, fold=0)
        today = end.astimezone(UTC)
        return today if today > after else (end + timedelta(days=1)).astimezone(UTC)

    def is_morning(self, at: datetime) -> bool:
        """Return whether their quiet hours end at this moment."""
        return self.is_gathered and self.morning(at - SECOND) == at

    def awake(self, now: datetime) -> datetime:
        """Return the earliest time from now on at which they may be reminded."""
        at = max(now, datetime.fromtimestamp(self.until, UTC))
        if not self.has_quiet_hours:
            return at
        here = local(at, self.zone)
        minute = here.hour * 60 + here.minute
        if (minute - self.begins) % DAY >= (self.ends - self.begins) % DAY:
            return at
        days = 1 if self.ends <= minute else 0
        end = (here + timedelta(days=days)).replace(
            hour=self.ends // 60, minute=self.ends % 60, second=0, microsecond=0
        )
        return max(at, end.astimezone(UTC))


NO_REST = QuietHours()


MOST = 60
"""So many people answer at most."""


REPEATS = (0, 1, 2)
"""After so many weeks the next session is planned; 0 for never."""


NONE = later("No {session.one} is planned.")


def plan(
    table: Table,
    actor: Actor,
    when: str,
    note: str = "",
    weeks: int | None = None,
    zone: str = "",
    least: int | None = None,
    *,
    now: datetime,
) -> Step:
    """Plan or move the next session, and ask everybody whether they come; options left out stay the same.

    With several times, people vote on them. The `zone` is that of the typed times; a table without a time
    zone remembers it. Raises what `dates.read_times` raises, NotAllowed for anybody but the GM, and
    ZoneNeeded for a repeated session without a time zone.
    """
    require_gm(table, actor, Words("plan {session.a}"))
    typed_zone = zone_named(zone, actor.agreed) if zone.strip() else table.settings.zone
    facts: tuple[SettingChanged, ...] = ()
    if typed_zone and not table.settings.zone:
        table = replace(table, settings=replace(table.settings, zone=typed_zone))
        facts = (SettingChanged("time zone", typed_zone),)
    times = read_times(when, now, typed_zone, usual_hour(table, typed_zone), actor.agreed)
    old, repeats = awaited(table, now), weeks if weeks is not None else 0
    if repeats and not table.settings.zone:
        raise ZoneNeeded(
            "To repeat this time, name your time zone once; the table remembers it. Example: {example}",
            example=with_zone(f"/session plan when:{when} again:weekly"),
        )
    known = old or Plan(table.number + 1, 0, since=table.plan_changes)
    fresh = replace(
        known,
        note=remark(note) or known.note,
        weeks=known.weeks if weeks is None else repeats,
        least=known.least if least is None else least,
    )
    if len(times) > 1:
        fresh = _asking(table, fresh, times, actor)
    elif times != (known.at,) or (fresh.note, fresh.weeks) != (known.note, known.weeks):
        fresh = put_at(table, fresh, times[0], actor)
    if old is not None and _said(fresh) == _said(old):
        if old.is_asked:
            raise NotAllowed("People have already been asked about these times.")
        raise NotAllowed("The next {session.one} is already planned for that time.")
    was = old.at if old is not None else 0
    fact: Planned | TimesAsked = (
        Planned(fresh.at, fresh.note, fresh.weeks, was, bool(old and old.is_asked), fresh.least)
        if fresh.at
        else TimesAsked(times, fresh.note, fresh.weeks, was, fresh.least)
    )
    return Step(with_plan(table, fresh), (*facts, fact))


def put_at(table: Table, old: Plan, at: int, actor: Actor) -> Plan:
    """Return a plan with a fixed time; the GM, and everybody whom that time suits, comes."""
    if at == old.at:
        replies = {player: Reply(each.name) for player, each in old.replies.items()}
        return _with_reply(replace(old, replies=replies), actor, Coming.IN)
    moved = table.number + 1 if old.number <= table.number else 0
    silent = {player: Reply(each.name) for player, each in old.replies.items()}
    can = {player: Reply(name, Coming.IN, moved) for player, name in old.times.get(at, {}).items()}
    fresh = replace(old, at=at, moved=moved, minute=None, replies={**silent, **can})
    return _with_reply(fresh, actor, Coming.IN)


def _asking(table: Table, old: Plan, times: tuple[int, ...], actor: Actor) -> Plan:
    """A plan of which people are asked for these times; what they have said of those that stay is kept."""
    said = {
        player: each.name
        for player, each in old.replies.items()
        if each.coming is Coming.IN and each.moved == old.moved
    }
    known = {**old.times, **({old.at: {**old.times.get(old.at, {}), **said}} if old.at else {})}
    can = {at: known.get(at, {actor.id: own_name(actor)}) for at in times}
    moved = table.number + 1 if old.number <= table.number else 0
    silent = {player: Reply(each.name) for player, each in old.replies.items()}
    return replace(old, at=0, moved=moved, minute=None, replies=silent, times=can, gone=())


def _said(plan: Plan) -> tuple[object, ...]:
    """What a plan says to everybody, whoever answers what."""
    return plan.at, plan.note, plan.weeks, plan.least, None if plan.at else frozenset(plan.times)


def with_plan(table: Table, fresh: Plan) -> Table:
    """Return the table with a new or changed plan, counting the change."""
    is_known = table.plan is not None and table.plan.number == fresh.number
    return replace(table, plan=fresh, plan_changes=table.plan_changes + is_known)


def carried(newest: Table, back: Table) -> Table:
    """Return an earlier table, counting a change if its plan isn't the current one."""
    is_other = _shown(newest.plan) != _shown(back.plan)
    return replace(back, plan_changes=newest.plan_changes + is_other)


def _shown(plan: Plan | None) -> tuple[object, ...]:
    """What a calendar shows of a plan."""
    return () if plan is None else (plan.number, plan.at, plan.note, plan.is_off)


def call_off(table: Table, actor: Actor, number: int = 0, moved: int | None = None) -> Step:
    """Call off the session, and those that would repeat it."""
    require_gm(table, actor, Words("call off {session.a}"))
    old = answered(table, number, moved)
    return Step(with_plan(table, replace(old, is_off=True)), (CalledOff(old.at),))


def skip(table: Table, actor: Actor, number: int = 0, moved: int | None = None, *, now: datetime) -> Step:
    """Skip this session (GM); the one after it is next. Raises NotAllowed if it doesn't repeat."""
    require_gm(table, actor, Words("skip {session.a}"))
    old = answered(table, number, moved)
    if not is_repeated(old):
        raise NotAllowed("You can't skip the last planned {session.one}. Move it, or call it off.")
    fresh = _with_reply(replace(_next(table, old, now), moved=table.number + 1), actor, Coming.IN)
    facts = CalledOff(old.at), Planned(fresh.at, fresh.note, fresh.weeks, least=fresh.least)
    return Step(with_plan(table, fresh), facts)


def reply(
    table: Table,
    actor: Actor,
    coming: Coming,
    number: int = 0,
    *,
    moved: int | None = None,
    said: int = 0,
    rest: QuietHours = NO_REST,
) -> Step:
    """Record whether somebody comes; anybody who can see the session may answer.

    `said` is when, in milliseconds since 1970. People who count as away (`rest`) may repeat an earlier
    answer. Raises NotAllowed for any other repeated answer or too many people; TooLate if the plan or
    its time has changed.
    """
    old = answered(table, number, moved)
    known = old.replies.get(actor.id)
    is_same = known is not None and (known.coming, known.moved) == (coming, old.moved)
    if is_same and not is_away(old, actor.id, rest):
        raise NotAllowed("You've already given that answer.")
    if known is None and len(old.replies) >= MOST:
        raise NotAllowed("{most} people have already answered, which is the limit.", most=MOST)
    fresh = _with_reply(old, actor, coming, said)
    who = name_of_person(table, actor.id, own_name(actor))
    return Step(replace(table, plan=fresh), (Replied(who, coming, old.at),))


def followed(step: Step, now: datetime) -> Step:
    """Return a step that ends a session, with the plan of the next one if it repeats.

    The plan of a past session is kept only for its time of day.
    """
    table, old = step.table, step.table.plan
    if old is None or old.is_asked or old.at > now.timestamp():
        return step
    begins = any(isinstance(fact, Began) for fact in step.facts)
    told = (_with_missed(table, old, f, Began if begins else Ended) for f in step.facts)
    step = Step(table, tuple(told))
    if old.is_off or not old.weeks:
        return Step(replace(table, plan=replace(old, is_over=True)), step.facts)
    fresh = replace(_next(table, old, now), number=table.number + 1, moved=0, since=table.plan_changes)
    fact = Planned(fresh.at, fresh.note, fresh.weeks, least=fresh.least)
    return Step(with_plan(table, fresh), (*step.facts, fact))


def _with_missed(table: Table, plan: Plan, fact: Fact, kind: type[Began] | type[Ended]) -> Fact:
    """That the session began, or ended, with who had said that they cannot come to it."""
    if not (isinstance(fact, kind) and fact.what is Stretch.SESSION and plan.is_open):
        return fact
    out = (name for name, coming in answers(table, plan).values() if coming in (Coming.OUT, Coming.AWAY))
    return replace(fact, missed=tuple(out))


def repeated(table: Table, at: int, now: datetime) -> Step:
    """Close the session of that time, even if nobody did, and plan the next one.

    Raises TooLate if it was moved, called off, or followed by another.
    """
    plan = table.plan
    if plan is None or plan.at != at or not is_repeated(plan):
        raise TooLate("That {session.one} is no longer planned. {none}", none=Words(NONE))
    return followed(Step(table, ()), now)


def is_repeated(plan: Plan) -> bool:
    """Return whether another session follows this one."""
    return plan.is_open and plan.weeks > 0 and plan.at > 0


def told_at(table: Table, now: datetime) -> Table:
    """Return the table as shown at a time: a session before then is no longer the next one."""
    if table.plan is None:
        return table
    table = asked_at(table, now)
    if table.plan is None or awaited(table, now) is not None or not table.plan.is_open:
        return table
    return replace(table, plan=replace(table.plan, is_over=True))


def asked_at(table: Table, now: datetime) -> Table:
    """Return the table as asked at a time, with the past times of the poll marked."""
    if table.plan is None or not table.plan.is_asked:
        return table
    gone = tuple(at for at in table.plan.times if at <= now.timestamp())
    return table if gone == table.plan.gone else replace(table, plan=replace(table.plan, gone=gone))


def is_away(plan: Plan, player: int, rest: QuietHours) -> bool:
    """Return whether somebody is away at the session and hasn't answered since they said so."""
    if plan.is_asked:
        return False
    known = plan.replies.get(player)
    has_said = known is not None and known.coming is not None and known.moved == plan.moved
    return rest.until > plan.at and not (has_said and known is not None and known.said >= rest.since)


def with_away(table: Table, plan: Plan, away: Iterable[int]) -> Plan:
    """Return the plan with these people away, if they haven't answered since they said so."""
    names = {player: name for player, (name, _) in answers(table, plan).items()}
    return replace(
        plan, replies={**plan.replies, **{each: Reply(names[each], Coming.AWAY, plan.moved) for each in away}}
    )


def _next(table: Table, old: Plan, now: datetime) -> Plan:
    """The session so many weeks later, of which everybody is asked anew."""
    zone = table.settings.zone
    meant = minute_of(old.at, zone) if old.minute is None else old.minute
    at = weeks_later(old.at, old.weeks, now, zone, meant)
    minute = None if minute_of(at, zone) == meant else meant
    silent = {player: Reply(each.name) for player, each in old.replies.items()}
    return replace(old, at=at, minute=minute, replies=silent, times={}, gone=())


def usual_hour(table: Table, zone: str) -> time | None:
    """Return the time of day of the last planned session in a zone, the default for a day without one."""
    if table.plan is None or table.plan.unread or not zone:
        return None
    last = table.plan.at or min(table.plan.times, default=0)
    at, minute = datetime.fromtimestamp(last, tzinfo_of(zone)).time(), table.plan.minute
    return at if minute is None or zone != table.settings.zone else time(minute // 60, minute % 60)


def standing(table: Table, now: datetime) -> Plan | None:
    """Return the plan of a session that is still to come, if any."""
    plan = table.plan
    return None if plan is None or not plan.is_open or plan.at <= now.timestamp() else plan


def awaited(table: Table, now: datetime) -> Plan | None:
    """Return the plan of a session that is still to come or still being voted on, if any."""
    plan = table.plan
    if plan is not None and plan.is_asked and any(at > now.timestamp() for at in plan.times):
        return plan
    return standing(table, now)


def answers(table: Table, plan: Plan) -> dict[int, tuple[str, Coming | None]]:
    """Return everybody who is asked, by Discord id: their name and their answer.

    These are players, GMs, and others who have answered. Answers to a former time don't count.
    """
    said = {player: each.coming for player, each in plan.replies.items() if each.moved == plan.moved}
    asked = dict(_people(table))  # first and in one order, whoever has answered sooner
    others = {p: name_of_person(table, p, each.name) for p, each in plan.replies.items() if p not in asked}
    return {player: (name, said.get(player)) for player, name in (asked | others).items()}


def _people(table: Table) -> Iterator[tuple[int, str]]:
    for gm, name in table.gms.items():
        yield gm, name_of_person(table, gm, name)
    for character in table.characters.values():
        if character.player and not character.gmc:
            yield character.player, character.name


def name_of_person(table: Table, player: int, otherwise: str) -> str:
    """Return the name of somebody's character, or else the name given."""
    played = table.played_by(player)
    return played.name if played is not None and not played.gmc else otherwise


def answered(table: Table, number: int, moved: int | None = None) -> Plan:
    """Return the plan that somebody answers. Raises TooLate if it isn't the current plan or time."""
    if table.plan is None or table.plan.is_over or (number and table.plan.number != number):
        raise Closed("That {session.one} is no longer planned. {none}", none=Words(NONE))
    if table.plan.is_off:
        raise TooLate("That {session.one} has been called off.")
    if moved is not None and moved != table.plan.moved:
        raise TooLate("That {session.one} has moved to another time. To see when: /table show")
    return table.plan


def _with_reply(plan: Plan, actor: Actor, coming: Coming, said: int = 0) -> Plan:
    return replace(plan, replies={**plan.replies, actor.id: Reply(own_name(actor), coming, plan.moved, said)})


def suit(table: Table, actor: Actor, at: int, number: int = 0, *, now: datetime) -> Step:
    """Record that a time suits somebody, or no longer does; anybody who can see the poll may answer.

    Raises NotAllowed if too many people have answered; TooLate if the poll is closed or doesn't have
    that time, or it is past.
    """
    old = _asked(table, at, number, now)
    can = old.times[at]
    if actor.id not in can and len(can) >= MOST:
        raise NotAllowed("{most} people have already answered, which is the limit.", most=MOST)
    kept = {player: name for player, name in can.items() if player != actor.id}
    fresh = kept if actor.id in can else {**kept, actor.id: own_name(actor)}
    who = name_of_person(table, actor.id, own_name(actor))
    told = replace(table, plan=replace(old, times={**old.times, at: fresh}))
    return Step(told, (TimeSuited(who, at, actor.id in fresh),))


def take(table: Table, actor: Actor, at: int, number: int = 0, *, now: datetime) -> Step:
    """Plan the session for one of the times (GM); everybody whom it suits comes.

    Raises TooLate if the poll is closed or doesn't have that time, or it is past.
    """
    require_gm(table, actor, Words("choose a time"))
    fresh = put_at(table, _asked(table, at, number, now), at, actor)
    fact = Planned(at, fresh.note, fresh.weeks, asked=True, least=fresh.least)
    return Step(with_plan(table, fresh), (fact,))


def able(table: Table, plan: Plan) -> Mapping[int, tuple[str, ...]]:
    """Return the names of those whom each time suits, earliest time first."""
    names = {player: name for player, (name, _) in answers(table, plan).items()}
    return {
        at: tuple(names.get(player) or name_of_person(table, player, name) for player, name in can.items())
        for at, can in sorted(plan.times.items())
    }


def silent(table: Table, plan: Plan) -> Mapping[int, str]:
    """Return those who were asked and haven't picked any time, by Discord id."""
    heard = {player for can in plan.times.values() for player in can}
    return {player: name for player, (name, _) in answers(table, plan).items() if player not in heard}


def _asked(table: Table, at: int, number: int, now: datetime) -> Plan:
    """The plan of which that time is asked for. Raises TooLate where it is not, or no longer."""
    plan = answered(table, number)
    if not plan.is_asked:
        raise TooLate("A time has already been chosen. To see when the {session.one} is: /table show")
    if at not in plan.times:
        raise TooLate(
            "You can't choose that time any more. The newest message about the plan has the current times."
        )
    if at <= now.timestamp():
        raise TooLate("That time is in the past. Choose a later one.")
    return plan
