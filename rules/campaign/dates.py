"""Parse dates and times as people type them, and put days into words."""

import re
from calendar import isleap
from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from rules.campaign.zones import (
    ABBREVIATIONS,
    tzinfo_of,
    zone_named,
    zone_needed,
    zones,
    zones_meant,
)
from rules.errors import NotAllowed, PossibleAnswer, RuleError, Undecided, Unreadable, ZoneNeeded
from rules.names import fold
from rules.text import Phrase, Row, Words, shorten

MONTHS = (
    *(Words("January"), Words("February"), Words("March"), Words("April"), Words("May"), Words("June")),
    *(Words("July"), Words("August"), Words("September"), Words("October"), Words("November")),
    Words("December"),
)
"""What the months are called where a day is said; they are typed in English."""


WEEKDAYS = (
    *(Words("Monday"), Words("Tuesday"), Words("Wednesday"), Words("Thursday")),
    *(Words("Friday"), Words("Saturday"), Words("Sunday")),
)
"""What the days of the week are called."""


_SHORT_MONTHS = (
    *(Words("Jan"), Words("Feb"), Words("Mar"), Words("Apr"), Words("May"), Words("Jun"), Words("Jul")),
    *(Words("Aug"), Words("Sep"), Words("Oct"), Words("Nov"), Words("Dec")),
)


_SHORT_WEEKDAYS = (
    *(Words("Mon"), Words("Tue"), Words("Wed"), Words("Thu"), Words("Fri"), Words("Sat"), Words("Sun")),
)


def day_words(at: date, *, with_year: bool = False) -> Phrase:
    """Return a day in words.

    >>> str(day_words(date(2026, 6, 5))), str(day_words(date(2026, 6, 5), with_year=True))
    ('5 June', '5 June 2026')
    """
    month = MONTHS[at.month - 1]
    if with_year:
        return Words("{day} {month} {year}", day=at.day, month=month, year=at.year)
    return Words("{day} {month}", day=at.day, month=month)


def short_time(at: datetime) -> Phrase:
    """Return a time as a button shows it.

    >>> str(short_time(datetime(2026, 11, 28, 19, 30)))
    'Sat 28 Nov 19:30'
    """
    return Words(
        "{weekday} {day} {month} {time}",
        weekday=_SHORT_WEEKDAYS[at.weekday()],
        day=at.day,
        month=_SHORT_MONTHS[at.month - 1],
        time=f"{at:%H:%M}",
    )


DAY = timedelta(days=1)


FARTHEST = 366 * DAY
"""So far ahead something is planned at most."""


JUST_OVER = 31 * DAY
"""Whoever types a day without a year that is over no longer than this does not mean next year's."""


LAST = 4_102_444_800
"""No date is kept that is later: the year 2100, in seconds since 1970."""


_SHORTEST = 3
"""So many letters of a day or a month will do."""


_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)


_STAMP = re.compile(r"<t:([0-9]{1,12})(?::[A-Za-z])?>")


_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


_ISO_TIME = re.compile(r"^([0-9]{4}-[0-9]{2}-[0-9]{2})t")


_OF_UTC = re.compile(r" ?(?:utc|gmt)(?: ?[+-][0-9]{1,2}(?::?[0-9]{2})?)?$")


_OFFSET = re.compile(r"(?:(?: ?\+| -)[0-9]{1,2}(?::?[0-9]{2})?| ?z)$")
"""A minus right behind a time parts two times, 19:30-22:00, except behind a date in ISO's form."""


_ISO_OFFSET = re.compile(r" ?(?:z|[+-][0-9]{2}(?::?[0-9]{2})?)$")


_TIME = re.compile(r"(?P<hour>[0-9]{1,2})(?:[:.](?P<minute>[0-9]{2}))?\s*(?P<half>am|pm)?")


_CLOCK = re.compile(
    r"(?:(?<![0-9:a-z])(?:[0-9]{1,2}(?::[0-9]{2}\s*(?:am|pm)?|\s*(?:am|pm))|noon)"
    r"|(?<![0-9:a-z.])[0-9]{1,2}\.[0-9]{2}\s*(?:am|pm))$"  # with am or pm a dot cannot be that of a date
)


_AT = re.compile(r"\bat$")


_HENCE = re.compile(r"in (?P<count>[0-9]{1,4}|an?) (?P<unit>min(?:ute)?s?|hours?|days?|weeks?)")


_DOTTED = re.compile(r"([0-9]{1,2})\. ?([0-9]{1,2})(?:\.|\.? ?([0-9]{4}))?")


_NAMED = re.compile(r"(?P<weekday>[a-z]+)\.?,? (?P<day>[^0-9]*[0-9].*)")


_SLASHED = re.compile(r"([0-9]{1,2})/([0-9]{1,2})(?:/([0-9]{4}))?")


HOURS = tuple(time(hour, minute) for hour, minute in ((18, 0), (19, 0), (19, 30), (20, 0), (21, 0)))
"""The hours that are offered for a day without one."""


NOON = "noon"


def read_when(
    typed: str, now: datetime, zone: str, usual: time | None = None, agreed: Collection[str] = ()
) -> datetime:
    """Parse a time such as `sat 19:30`, `28 nov 7pm`, `in 2 hours`, or a Discord timestamp.

    `zone` is the time zone unless the text names its own, `usual` the hour for a day typed without one,
    `agreed` the signs of given answers. Raises Unreadable if it isn't a time; NotAllowed if it is past
    or too far ahead; ZoneNeeded if no zone is known; Unknown if the zone doesn't exist; Undecided if it
    could be one of several.

    >>> noon = datetime(2026, 11, 22, 12, tzinfo=UTC)
    >>> read_when("sat 19:30", noon, "Europe/Berlin").isoformat()
    '2026-11-28T19:30:00+01:00'
    >>> read_when("in 2 hours", noon, "").isoformat()
    '2026-11-22T14:00:00+00:00'
    """
    text = fold(typed)
    found = readings(typed, now, zone, usual, agreed)
    meant = next((at for at in found if _sign(text, at.date()) in agreed), None)
    if meant is None and len(found) > 1:
        days = [day_words(at, with_year=found[0].year != found[1].year) for at in found]
        raise Undecided(
            "Does {typed} mean {one} or {other}?",
            *(PossibleAnswer(day, _sign(text, at.date())) for day, at in zip(days, found, strict=True)),
            typed=shorten(typed),
            one=days[0],
            other=days[1],
        )
    return meant or found[0]


def readings(
    typed: str, now: datetime, zone: str, usual: time | None = None, agreed: Collection[str] = ()
) -> list[datetime]:
    """Return what a typed time may mean: one time, or two if day and month could be either way round.

    Raises like `read_when`, and Undecided for a day without an hour or an ambiguous zone.

    >>> noon = datetime(2026, 2, 22, 12, tzinfo=UTC)
    >>> [f"{at:%d %b}" for at in readings("3/4 19:30", noon, "UTC")]
    ['04 Mar', '03 Apr']
    """
    text = fold(typed)
    said, behind = split_zone(text)
    if behind:
        zone, usual = zone_named(behind.upper(), agreed), None  # the usual hour is one of another zone
    hour = next((hour for hour in HOURS if _sign(text, hour) in agreed), usual)
    exact = _exact(said, zone, is_whole=bool(behind)) or _hence(said, now)
    found = [exact] if exact else _in_zone(text, said, now, zone, hour)
    coming = [at for at in found if now < at <= now + FARTHEST] or found[:1]
    for at in coming:
        _require_coming(at, typed, now)
        _require_shown(at)
    return coming


def split_zone(text: str) -> tuple[str, str]:
    """Split the time zone off the end of a plain time; "" if it has none.

    >>> split_zone("sat 19:30 gmt-8"), split_zone("7pm est"), split_zone("2026-11-28 19:30+02:00")
    (('sat 19:30', 'gmt-8'), ('7pm', 'est'), ('2026-11-28 19:30', '+02:00'))
    >>> split_zone("sat 19:30-22:00")
    ('sat 19:30-22:00', '')
    """
    said, _, word = text.rpartition(" ")
    if said and (word in ABBREVIATIONS or ("/" in word and word in zones())):
        return said, word
    if found := _OF_UTC.search(text):
        return text[: found.start()], found[0].strip()
    is_iso = _ISO_DAY.match(text) is not None
    found = (_ISO_OFFSET if is_iso else _OFFSET).search(text)
    if found is None:
        return text, ""
    said = text[: found.start()]
    has_clock = len(said) > len("2026-11-28") if is_iso else _CLOCK.search(said)
    return (said, found[0].strip()) if has_clock else (text, "")


def with_places(typed: str) -> list[str]:
    """Return the time once per zone that its abbreviation may mean; just itself if it has none.

    >>> with_places("7pm PST"), with_places("7pm")
    (['7pm America/Los_Angeles', '7pm America/Vancouver'], ['7pm'])
    """
    said, behind = split_zone(fold(typed))
    return [f"{said} {zone}" for zone in zones_meant(behind)] if behind in ABBREVIATIONS else [typed]


def _require_coming(at: datetime, typed: str, now: datetime) -> None:
    """Refuse a time that is over, or too far ahead."""
    if at <= now:
        raise NotAllowed("{typed} is in the past. Type a later time.", typed=shorten(typed))
    if at > now + FARTHEST:
        raise NotAllowed(
            "{typed} is more than a year ahead. Type an earlier time.",
            typed=shorten(typed),
        )


def _exact(text: str, zone: str, *, is_whole: bool) -> datetime | None:
    """A timestamp; or, `is_whole` if it says its zone, a date in one of the forms of ISO."""
    stamp = _STAMP.fullmatch(text)
    if stamp:
        return datetime.fromtimestamp(min(int(stamp[1]), LAST), UTC)  # larger ones are no date
    if is_whole and _ISO_DAY.match(text) and len(text) > len("2026-11-28"):
        try:
            at = datetime.fromisoformat(text)
        except ValueError:
            return None
        return None if at.tzinfo else at.replace(tzinfo=tzinfo_of(zone))
    return None


def _hence(text: str, now: datetime) -> datetime | None:
    """A time so many minutes or hours from now."""
    found = _HENCE.fullmatch(text)
    if found is None or found["unit"][0] not in "mh":
        return None
    unit = timedelta(minutes=1) if found["unit"].startswith("m") else timedelta(hours=1)
    return now.replace(second=0, microsecond=0) + _count(found["count"]) * unit


def _in_zone(text: str, dated: str, now: datetime, zone: str, usual: time | None) -> list[datetime]:
    """What a text means whose part `dated` stands before its zone, or is all of it."""
    behind = text.removeprefix(dated)
    spaced = _ISO_TIME.sub(r"\1 ", dated)
    clock = _CLOCK.search(spaced)
    said = _AT.sub("", (spaced[: clock.start()] if clock else spaced).rstrip(" ,")).rstrip(" ,")
    hour = _time(clock[0], spaced[spaced.rfind(" ", 0, clock.start()) + 1 :]) if clock else usual
    there = tzinfo_of(zone)
    today = now.astimezone(there).date()
    if not said and (clock is None or clock[0] == NOON):
        raise _unreadable(text)
    days = _days(said, today, text) if said else [[today, today + DAY]]
    if not zone:
        raise zone_needed(text, f"/session plan when:{text}")
    if len(days) == 1:
        _require_year(days[0], hour if clock else None, there, now, text, behind)
    is_today = len(days) == 1 and days[0][0] == today and days[0][-1] != today + 7 * DAY
    if hour is None or (is_today and not clock and datetime.combine(today, hour, there) <= now):
        # An hour that nobody has said is not what is over: the day is not, and has others.
        after = now.astimezone(there).time() if is_today else time.min
        raise _without_hour(text, f"{dated} 23:59{behind}", after)
    return [_first(some, hour, there, now) for some in days]


def _without_hour(text: str, example: str, after: time) -> RuleError:
    """What asks for the hour of a day: those that are offered are later than `after`."""
    left = [each for each in HOURS if each > after]
    if left:
        return Undecided(
            "{typed} at what time? Choose a time, or add it after the day.",
            *(PossibleAnswer(Row((f"{each:%H:%M}",)), _sign(text, each)) for each in left),
            typed=shorten(text),
        )
    return NotAllowed(
        "{typed} at what time? Add the time after the day. Example: {example}",
        typed=shorten(text),
        example=example,
    )


def _require_year(
    days: list[date], hour: time | None, there: tzinfo, now: datetime, text: str, behind: str
) -> None:
    """Refuse a day of the month that is just over, and would be read as next year's."""
    gone = now - datetime.combine(days[0], hour or time.max, there)
    if timedelta(0) <= gone < JUST_OVER < days[-1] - days[0]:
        raise NotAllowed(
            "{typed} is in the past. Type a later time, or add the year. Example: {example}",
            typed=shorten(text),
            example=f"{days[1]:%Y-%m-%d} {hour or HOURS[1]:%H:%M}{behind}",
        )


def _first(days: list[date], hour: time, there: tzinfo, now: datetime) -> datetime:
    """The first of some days on which it is yet to be so late, or the last of them."""
    coming = (day for day in days if datetime.combine(day, hour, there) > now)
    return datetime.combine(next(coming, days[-1]), hour, there)


def _require_shown(at: datetime) -> None:
    """Refuse a time that the clocks of its zone skip, or show twice."""
    # There and back again, a time that the clocks skip is another one.
    shown = at.astimezone(UTC).astimezone(at.tzinfo)
    if shown.time() != at.time():
        raise NotAllowed(
            "The clocks in {zone} skip {time} on {day}. Choose another time. Example: {example}",
            zone=at.tzinfo,
            time=f"{at:%H:%M}",
            day=day_words(at),
            example=shown.isoformat(" ", "minutes"),
        )
    # Of a time that is shown twice, the second one is at another distance from UTC.
    if at.replace(fold=1).utcoffset() != at.utcoffset():
        raise NotAllowed(
            "The clocks in {zone} show {time} twice on {day}. Add the UTC offset you mean. Example: "
            "{example}",
            zone=at.tzinfo,
            time=f"{at:%H:%M}",
            day=day_words(at),
            example=at.isoformat(" ", "minutes"),
        )


def _time(clock: str, typed: str) -> time:
    """A time of day; `typed` is the word that it stands in. Raises Unreadable for one that no clock shows."""
    if clock == NOON:
        return time(12)
    found = _TIME.fullmatch(clock)
    assert found is not None
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    is_twelve = 1 <= hour <= 12
    if found["half"] and is_twelve:
        hour = hour % 12 + (12 if found["half"] == "pm" else 0)
    if hour > 23 or minute > 59 or (found["half"] and not is_twelve):
        raise Unreadable(
            "{clock} isn't a time of day. Use 0:00 to 23:59, or 12am to 11:59pm.",
            clock=shorten(typed),
        )
    return time(hour, minute)


def _days(said: str, today: date, text: str) -> list[list[date]]:
    """The day that is meant, and when it comes again where it is over; two of them where it is either."""
    if said in ("today", "tonight"):
        return [[today]]
    if said == "tomorrow":
        return [[today + DAY]]
    hence = _HENCE.fullmatch(said)
    if hence is not None and hence["unit"][0] in "dw":
        return [[today + _count(hence["count"]) * (DAY if hence["unit"].startswith("d") else 7 * DAY)]]
    weekday = _begun(said.removeprefix("next ").removeprefix("on "), _DAYS)
    if weekday is not None and said.startswith("next "):
        return [[today + (7 - today.weekday() + weekday) * DAY]]
    if weekday is not None:
        day = today + (weekday - today.weekday()) % 7 * DAY
        return [[day, day + 7 * DAY]]
    named = _NAMED.fullmatch(said)
    weekday = _begun(named["weekday"], _DAYS) if named else None
    if named is not None and weekday is not None:
        return _on_weekday(_dated(named["day"], today, text), weekday, today)
    return _dated(said, today, text)


def _dated(said: str, today: date, text: str) -> list[list[date]]:
    """A day of a month, in numbers or by the name of its month."""
    if _ISO_DAY.fullmatch(said):
        return [[_date(int(said[:4]), int(said[5:7]), int(said[8:]), text)]]
    return _in_numbers(said, today, text) or [
        _day_of_month(said.replace(",", " ").replace(".", " ").split(), today, text)
    ]


def _on_weekday(ways: list[list[date]], weekday: int, today: date) -> list[list[date]]:
    """Those of some days that are of a weekday. Raises NotAllowed where none is."""
    firsts = [next((day for day in days if day >= today), days[-1]) for days in ways]
    fitting = [days for days, first in zip(ways, firsts, strict=True) if first.weekday() == weekday]
    if not fitting:
        day = firsts[0]
        raise NotAllowed(
            "{day} is a {weekday}, not a {typed}. Leave the weekday out, or choose another day.",
            day=day_words(day, with_year=True),
            weekday=WEEKDAYS[day.weekday()],
            typed=WEEKDAYS[weekday],
        )
    return fitting


def _in_numbers(said: str, today: date, text: str) -> list[list[date]]:
    """`29.11.` has the day first, `11/29` either way, and may be two days."""
    dotted, slashed = _DOTTED.fullmatch(said), _SLASHED.fullmatch(said)
    if dotted:
        return [_yearly(int(dotted[1]), int(dotted[2]), dotted[3], today, text)]
    if not slashed:
        return []
    one, other = int(slashed[1]), int(slashed[2])
    ways = dict.fromkeys([(other, one), (one, other)])
    fitting = [each for each in ways if each[1] <= len(_MONTHS)] or [(one, other)]
    return [_yearly(day, month, slashed[3], today, text) for day, month in fitting]


def _day_of_month(words: list[str], today: date, text: str) -> list[date]:
    """`28 nov`, `nov 28`, with a year or without."""
    if len(words) not in (2, 3) or not all(word.isascii() for word in words):
        raise _unreadable(text)
    number, name = words[:2] if words[0].isdigit() else (words[1], words[0])
    month = _begun(name, _MONTHS)
    year = words[2] if len(words) == 3 else None
    is_year = year is None or (year.isdigit() and len(year) == 4)
    if month is None or not (number.isdigit() and len(number) < 3 and is_year):
        raise _unreadable(text)
    return _yearly(int(number), month + 1, year, today, text)


def _yearly(day: int, month: int, year: str | None, today: date, text: str) -> list[date]:
    """A day of a month: of that year, or in any where it is to come or just over, the first of them first."""
    if year is not None:
        return [_date(int(year), month, day, text)]
    years = [today.year - 1, today.year, today.year + 1]
    having = [each for each in years if (day, month) != (29, 2) or isleap(each)]
    days = [_date(each, month, day, text) for each in having or years]
    return [each for each in days if each >= today - JUST_OVER] or days


def _begun(word: str, names: tuple[str, ...]) -> int | None:
    """Which of the names a word is the beginning of."""
    found = (place for place, name in enumerate(names) if len(word) >= _SHORTEST and name.startswith(word))
    return next(found, None)


def _count(word: str) -> int:
    return int(word) if word.isdigit() else 1


def _date(year: int, month: int, day: int, text: str) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise Unreadable("There's no such day as {typed}. Choose another day.", typed=shorten(text)) from None


def _sign(text: str, answer: date | time) -> str:
    """The sign of an answer to what was typed."""
    return f"{text} is {answer.isoformat()}"


def _unreadable(typed: str) -> Unreadable:
    return Unreadable(
        "{typed} isn't a time. Type a day and a time, only a time, or how long from now. Example: sat 19:30",
        typed=shorten(typed),
    )


def read_clock(typed: str) -> int:
    """Parse a time of day and return it in minutes. Raises Unreadable if it isn't one.

    >>> read_clock("22:00"), read_clock("10pm"), read_clock("7")
    (1320, 1320, 420)
    """
    text = fold(typed)
    if _TIME.fullmatch(text) is None:
        raise Unreadable("{typed} isn't a time of day. Example: 22:00", typed=shorten(typed))
    found = _time(text, text)
    return found.hour * 60 + found.minute


MOST_TIMES = 5
"""So many times can be asked for at once: Discord shows so many buttons in a row."""


_MOST_PIECES = 6
"""Commas part a time into at most so many pieces: `Sat, Nov, 28, 2026, at, 7pm`."""


def parted(typed: str, now: datetime, zone: str, usual: time | None = None) -> list[str]:
    """Split a line of times at its commas, except for commas inside a date.

    Raises NotAllowed for more than MOST_TIMES, or if only the last has a time zone, which may be meant for
    all of them.

    >>> from datetime import UTC
    >>> parted("Sat, 28.11. 19:30, sun 15:00", datetime(2026, 11, 22, tzinfo=UTC), "Europe/Berlin")
    ['Sat, 28.11. 19:30', 'sun 15:00']
    """
    pieces = [piece for part in typed.split(",") if (piece := part.strip())]
    found, place = list[str](), 0
    while place < len(pieces):
        if len(found) == MOST_TIMES:
            raise NotAllowed("You can ask about at most {most} times at once.", most=MOST_TIMES)
        most = min(_MOST_PIECES, len(pieces) - place)
        starts = (", ".join(pieces[place : place + count]) for count in range(most, 1, -1))
        found.append(next((text for text in starts if _is_time(text, now, zone, usual)), pieces[place]))
        place += found[-1].count(", ") + 1
    if len(found) > 1 and any(_needs_zone(each, now) for each in found[:-1]):
        _require_no_zone(found[-1], typed)
    return found


def _require_no_zone(last: str, typed: str) -> None:
    """Refuse a last time with a zone behind it: it may be meant for the times before it, too."""
    zone = split_zone(fold(last))[1]
    if zone and fold(last).endswith(f" {zone}"):
        line = " ".join(typed.split())
        raise NotAllowed(
            "Is {zone} the time zone of all these times? Put it after each time, or name it once. "
            "Example: /session plan when:{times} zone:{zone}",
            zone=line[-len(zone) :],
            times=line[: -len(zone)].rstrip(),
        )


def read_times(
    typed: str, now: datetime, zone: str, usual: time | None = None, agreed: Collection[str] = ()
) -> tuple[int, ...]:
    """Parse times separated by commas; return seconds since 1970, earliest first, without duplicates.

    Raises what `parted` and `read_when` raise.
    """
    if "," not in typed:
        return (int(read_when(typed, now, zone, usual, agreed).timestamp()),)
    pieces = parted(typed, now, zone, usual) or [typed]
    found = {int(read_when(each, now, zone, usual, agreed).timestamp()) for each in pieces}
    return tuple(sorted(found))


def _needs_zone(text: str, now: datetime) -> bool:
    """Whether a time is another moment in another zone."""
    try:
        readings(text, now, "")
    except ZoneNeeded:
        return True
    except RuleError:
        return False
    return False


def _is_time(text: str, now: datetime, zone: str, usual: time | None) -> bool:
    """Whether a text is one time, be it over, without an hour, or of an unknown zone."""
    try:
        readings(split_zone(fold(text))[0], now, zone, usual)
    except Unreadable:
        return False
    except RuleError:
        return True
    return True
