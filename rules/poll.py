"""Several times for the next session: whom each suits, and which is taken."""

from collections.abc import Mapping
from datetime import datetime

from rules.errors import NotAllowed, TooLate
from rules.facts import Planned, TimeSuited
from rules.kinds import Plan
from rules.plan import MOST, answered, answers, called, put_at, with_plan
from rules.result import Step
from rules.seats import Actor, own_name, require_gm
from rules.table import Table
from rules.values import replace
from rules.words import Words


def suit(table: Table, actor: Actor, at: int, number: int = 0, *, now: datetime) -> Step:
    """A time suits somebody, or no longer; anybody may say so who can see that they are asked."""
    old = _asked(table, at, number, now)
    can = old.times[at]
    if actor.id not in can and len(can) >= MOST:
        raise NotAllowed("{most} people have already answered, which is the limit.", most=MOST)
    kept = {player: name for player, name in can.items() if player != actor.id}
    fresh = kept if actor.id in can else {**kept, actor.id: own_name(actor)}
    who = called(table, actor.id, own_name(actor))
    told = replace(table, plan=replace(old, times={**old.times, at: fresh}))
    return Step(told, (TimeSuited(who, at, actor.id in fresh),))


def take(table: Table, actor: Actor, at: int, number: int = 0, *, now: datetime) -> Step:
    """The GM plans the session for one of the times; whom it suits is in."""
    require_gm(table, actor, Words("choose a time"))
    fresh = put_at(table, _asked(table, at, number, now), at, actor)
    fact = Planned(at, fresh.note, fresh.weeks, asked=True, least=fresh.least)
    return Step(with_plan(table, fresh), (fact,))


def able(table: Table, plan: Plan) -> Mapping[int, tuple[str, ...]]:
    """Whom each time suits, by name, the earliest time first."""
    names = {player: name for player, (name, _) in answers(table, plan).items()}
    return {
        at: tuple(names.get(player) or called(table, player, name) for player, name in can.items())
        for at, can in sorted(plan.times.items())
    }


def silent(table: Table, plan: Plan) -> Mapping[int, str]:
    """Who is asked, and has not said of any time that it suits them, by Discord id."""
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
