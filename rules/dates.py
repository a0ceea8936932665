"""Dates as people type them, and the same time of day weeks later: in a zone, past changes of its clocks."""

import re
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from rules.dice import shorten
from rules.errors import NotAllowed, Unknown, Unreadable
from rules.names import offer

DAY = timedelta(days=1)
FARTHEST = 366 * DAY
"""So far ahead something is planned at most."""
LAST = 4_102_444_800
"""No date is kept that is later: the year 2100, in seconds since 1970."""
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_SHORTEST = 3
"""So many letters of a day or a month will do."""
_STAMP = re.compile(r"<t:([0-9]{1,12})(?::[A-Za-z])?>")
_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ISO_TIME = re.compile(r"^([0-9]{4}-[0-9]{2}-[0-9]{2})t")
_OFFSET = re.compile(r"[0-9]\s*(?:Z|[+-][0-9]{2}:?[0-9]{2})$")
_TIME = re.compile(r"(?P<hour>[0-9]{1,2})(?::(?P<minute>[0-9]{2}))?\s*(?P<half>am|pm)?")
_CLOCK = re.compile(r"\b[0-9]{1,2}(?::[0-9]{2}\s*(?:am|pm)?|\s*(?:am|pm))$")


@lru_cache(maxsize=1)
def zones() -> dict[str, str]:
    """All zones, by their names in small letters."""
    return {name.casefold(): name for name in sorted(available_timezones())}


def zone_named(typed: str) -> str:
    """A zone as it is called: `europe/berlin` is Europe/Berlin. Raises Unknown for no zone."""
    name = typed.strip().replace(" ", "_")
    if name.casefold() in zones():
        return zones()[name.casefold()]
    cities = {zone.rpartition("/")[2]: zone for zone in zones()}
    if name.casefold() in cities:
        return zones()[cities[name.casefold()]]
    hint = offer(name.casefold(), zones().values()) if name else ""
    hint = hint if hint.startswith("Did") else "A zone is a continent and a city."
    raise Unknown(
        "There is no time zone {typed}. {hint} Example: Europe/Berlin", typed=shorten(typed), hint=hint
    )


def read_when(typed: str, now: datetime, zone: str) -> datetime:
    """The time that was typed: `sat 19:30`, `28 nov 7pm`, `2026-11-28 19:30`, or a timestamp of Discord's.

    `zone` is the name of the one that it is meant in, unless it says its own. Raises Unreadable for what is
    no time, and NotAllowed for one that is over, or too far ahead, or of no zone.
    """
    text = " ".join(typed.split())
    at = _with_zone(text) or _in_zone(text.casefold(), now, zone)
    if at <= now:
        raise NotAllowed(
            "{typed} is over already. Name a time that is to come. Example: sat 19:30", typed=shorten(typed)
        )
    if at > now + FARTHEST:
        raise NotAllowed(
            "{typed} is more than a year ahead. Name a time within a year. Example: sat 19:30",
            typed=shorten(typed),
        )
    return at


def local(at: datetime, zone: str) -> datetime:
    """A moment by the clocks of a zone; of UTC where none has been named."""
    return at.astimezone(ZoneInfo(zone or "UTC"))


def weeks_later(at: int, weeks: int, now: datetime, zone: str) -> int:
    """The first time to come on the same day of the week, at the same time of day, so many weeks later.

    Times are seconds since 1970. Where the clocks of the zone change in between, the time of day stays.
    """
    there = ZoneInfo(zone or "UTC")
    local = datetime.fromtimestamp(at, there).replace(tzinfo=None)
    while True:
        local += timedelta(weeks=weeks)
        following = local.replace(tzinfo=there).astimezone(UTC)
        if following > now:
            return int(following.timestamp())


def _with_zone(text: str) -> datetime | None:
    """A time that says its own zone, or is a timestamp."""
    stamp = _STAMP.fullmatch(text)
    if stamp:
        return datetime.fromtimestamp(min(int(stamp[1]), LAST), UTC)
    if _ISO_DAY.match(text) and _OFFSET.search(text):
        try:
            return datetime.fromisoformat(text).astimezone(UTC)
        except (ValueError, OverflowError):
            raise _unreadable(text) from None
    return None


def _in_zone(text: str, now: datetime, zone: str) -> datetime:
    spaced = _ISO_TIME.sub(r"\1 ", text)
    clock = _CLOCK.search(spaced)
    if clock is None:
        raise _unreadable(text)
    of_day = _time(clock[0], text)
    said = spaced[: clock.start()].rstrip(" ,").removesuffix(" at").rstrip(" ,")
    if not zone:
        raise NotAllowed(
            "Whose time is {typed}? Name a time zone once, and the table keeps it. "
            "Example: /session plan when:sat 19:30 zone:Europe/Berlin",
            typed=shorten(text),
        )
    there = ZoneInfo(zone)
    today = now.astimezone(there).date()
    day, step = _day(said, today, text)
    at = datetime.combine(day, of_day, there).astimezone(UTC)
    if at <= now and step == "week":
        at = datetime.combine(day + 7 * DAY, of_day, there).astimezone(UTC)
    elif at <= now and step == "year":
        at = datetime.combine(_date(day.year + 1, day.month, day.day, text), of_day, there).astimezone(UTC)
    return at


def _time(clock: str, text: str) -> time:
    found = _TIME.fullmatch(clock)
    assert found is not None
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if found["half"]:
        if not 1 <= hour <= 12:
            raise _unreadable(text)
        hour = hour % 12 + (12 if found["half"] == "pm" else 0)
    if hour > 23 or minute > 59:
        raise _unreadable(text)
    return time(hour, minute)


def _day(said: str, today: date, text: str) -> tuple[date, str]:
    """The day that is meant, and after what it comes again where it is over: a week, a year, or never."""
    if said in ("today", "tonight"):
        return today, ""
    if said == "tomorrow":
        return today + DAY, ""
    if _ISO_DAY.fullmatch(said):
        return _date(int(said[:4]), int(said[5:7]), int(said[8:]), text), ""
    weekday = _begun(said, _DAYS)
    if weekday is not None:
        return today + (weekday - today.weekday()) % 7 * DAY, "week"
    return _day_of_month(said.replace(",", " ").replace(".", " ").split(), today, text)


def _day_of_month(words: list[str], today: date, text: str) -> tuple[date, str]:
    """`28 nov`, `nov 28`, with a year or without."""
    if len(words) not in (2, 3) or not all(word.isascii() for word in words):
        raise _unreadable(text)
    number, name = words[:2] if words[0].isdigit() else (words[1], words[0])
    month = _begun(name, _MONTHS)
    year = words[2] if len(words) == 3 else str(today.year)
    if month is None or not (number.isdigit() and len(number) < 3 and year.isdigit() and len(year) == 4):
        raise _unreadable(text)
    return _date(int(year), month + 1, int(number), text), "" if len(words) == 3 else "year"


def _begun(word: str, names: tuple[str, ...]) -> int | None:
    """Which of the names a word is the beginning of."""
    found = (place for place, name in enumerate(names) if len(word) >= _SHORTEST and name.startswith(word))
    return next(found, None)


def _date(year: int, month: int, day: int, text: str) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise _unreadable(text) from None


def _unreadable(typed: str) -> Unreadable:
    return Unreadable(
        "{typed} is no time that can be read. There is a day with a time (sat 19:30, 28 nov 7pm, "
        "2026-11-28 19:30), and a timestamp of Discord's. Example: sat 19:30",
        typed=shorten(typed),
    )


def read_clock(typed: str) -> int:
    """A time of day as minutes: `22:00`, `10pm`, `7`. Raises Unreadable."""
    text = " ".join(typed.casefold().split())
    if _TIME.fullmatch(text) is None:
        raise Unreadable("{typed} is no time of day. Example: 22:00", typed=shorten(typed))
    found = _time(text, typed)
    return found.hour * 60 + found.minute
