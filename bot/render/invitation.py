"""The next session as a file for calendars, which follows the plan: moved, called off, planned again."""

from datetime import UTC, datetime, timedelta

from bot.language import say
from bot.language.printers import spelled
from bot.render.card import Document, Invitation
from rules.names import Plan
from rules.table import Table

LASTS = timedelta(hours=4)
"""How long a session lasts in calendars."""


def invitation(table: Table, plan: Plan) -> Invitation:
    """What calendars show of a plan; at 0, and so nothing, while a time is asked for."""
    sequence = max(0, table.plan_changes - plan.since)
    number = table.session + (not plan.is_over)
    return Invitation(plan.number, table.name, number, plan.at, plan.note, sequence, plan.is_off)


def calendar_file(of: Invitation, campaign: int, now: datetime) -> Document:
    """A file that calendars read; each that follows it stands for the same session.

    It is heavy, and not loaded before somebody plans: run it aside.
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
