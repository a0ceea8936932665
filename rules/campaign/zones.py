"""Time zones: how they are typed, their names, and local time."""

import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from rules.errors import PossibleAnswer, Undecided, Unknown, ZoneNeeded
from rules.names import DidYouMean, alike, fold
from rules.text import OR, Row, Words, shorten

_EASTERN = ("America/New_York", "America/Toronto")


_CENTRAL = ("America/Chicago", "America/Winnipeg")


_MOUNTAIN = ("America/Denver", "America/Edmonton")


_PACIFIC = ("America/Los_Angeles", "America/Vancouver")


_ALASKAN = ("America/Anchorage", "America/Juneau")


_WESTERN_EUROPE = ("Europe/Lisbon", "Atlantic/Canary")


_CENTRAL_EUROPE = ("Europe/Berlin", "Europe/Paris", "Europe/Rome")


_GERMAN = ("Europe/Berlin", "Europe/Vienna", "Europe/Zurich")


_EASTERN_EUROPE = ("Europe/Athens", "Europe/Helsinki", "Europe/Bucharest")


ABBREVIATIONS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("est", "edt", "et"), _EASTERN),
    "cst": ("America/Chicago", "America/Mexico_City", "Asia/Shanghai"),
    **dict.fromkeys(("cdt", "ct"), _CENTRAL),
    **dict.fromkeys(("mst", "mt"), ("America/Denver", "America/Phoenix", "America/Edmonton")),
    "mdt": _MOUNTAIN,
    **dict.fromkeys(("pst", "pdt", "pt"), _PACIFIC),
    **dict.fromkeys(("akst", "akdt"), _ALASKAN),
    "hst": ("Pacific/Honolulu", "America/Adak"),
    "ast": ("America/Halifax", "America/Puerto_Rico", "Asia/Riyadh"),
    "adt": ("America/Halifax", "Atlantic/Bermuda"),
    **dict.fromkeys(("nst", "ndt"), ("America/St_Johns",)),
    "brt": ("America/Sao_Paulo", "America/Fortaleza"),
    "art": ("America/Argentina/Buenos_Aires",),
    **dict.fromkeys(("clt", "clst"), ("America/Santiago",)),
    "cot": ("America/Bogota",),
    "pet": ("America/Lima",),
    "bst": ("Europe/London", "Asia/Dhaka"),
    **dict.fromkeys(("wet", "west"), _WESTERN_EUROPE),
    **dict.fromkeys(("cet", "cest", "met", "mest"), _CENTRAL_EUROPE),
    **dict.fromkeys(("mez", "mesz"), _GERMAN),
    **dict.fromkeys(("eet", "eest"), _EASTERN_EUROPE),
    "msk": ("Europe/Moscow",),
    "trt": ("Europe/Istanbul",),
    "ist": ("Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"),
    "idt": ("Asia/Jerusalem",),
    "gst": ("Asia/Dubai", "Asia/Muscat"),
    "pkt": ("Asia/Karachi",),
    "npt": ("Asia/Kathmandu",),
    "wat": ("Africa/Lagos", "Africa/Luanda", "Africa/Kinshasa"),
    "cat": ("Africa/Harare", "Africa/Maputo", "Africa/Lusaka"),
    "eat": ("Africa/Nairobi", "Africa/Addis_Ababa", "Africa/Dar_es_Salaam"),
    "sast": ("Africa/Johannesburg",),
    "ict": ("Asia/Bangkok", "Asia/Ho_Chi_Minh"),
    "wib": ("Asia/Jakarta",),
    "myt": ("Asia/Kuala_Lumpur",),
    "sgt": ("Asia/Singapore",),
    "pht": ("Asia/Manila",),
    "hkt": ("Asia/Hong_Kong",),
    "jst": ("Asia/Tokyo",),
    "kst": ("Asia/Seoul",),
    "awst": ("Australia/Perth",),
    "acst": ("Australia/Adelaide", "Australia/Darwin"),
    "acdt": ("Australia/Adelaide",),
    **dict.fromkeys(("aest", "aet"), ("Australia/Sydney", "Australia/Brisbane", "Australia/Melbourne")),
    "aedt": ("Australia/Sydney", "Australia/Melbourne"),
    "sst": ("Pacific/Pago_Pago", "Asia/Singapore"),
    **dict.fromkeys(("nzst", "nzdt", "nzt"), ("Pacific/Auckland",)),
}
"""The zones that an abbreviation may mean, the likeliest first; one alone is meant without a question."""


_COUNTRIES: Mapping[str, str] = {
    "Asia/Kolkata": "India",
    "Europe/Dublin": "Ireland",
    "Asia/Jerusalem": "Israel",
    "Asia/Shanghai": "China",
    "Asia/Dhaka": "Bangladesh",
}
"""Zones that are told by their country instead of their city."""


_UTC = ("utc", "gmt", "z")


_OFFSET = re.compile(
    r"(?:utc|gmt)? ?(?P<sign>[+-]) ?(?P<hours>[0-9]{1,2})(?::?(?P<minutes>[0-9]{2}))?", re.IGNORECASE
)


_WEST, _EAST = timedelta(hours=-12), timedelta(hours=14)
"""As far from UTC a zone is at most."""


@lru_cache(maxsize=1)
def zones() -> dict[str, str]:
    """Return all time zones: lower-case name to proper name (cached)."""
    return {fold(name): name for name in sorted(available_timezones())}


@lru_cache(maxsize=1)
def zones_to_offer() -> tuple[str, ...]:
    """Return the zones to suggest: UTC and places, without `Etc/GMT+3`, which confusingly is west of UTC."""
    places = (name for name in zones().values() if "/" in name and not name.startswith("Etc/"))
    return ("UTC", *places)


def zone_named(typed: str, agreed: Collection[str] = ()) -> str:
    """Return a zone's stored name: `europe/berlin` gives Europe/Berlin, `GMT-8` gives UTC-08:00.

    `agreed` holds the signs of given answers. Raises Unknown if there is no such zone; Undecided if an
    abbreviation is used in several places and none is agreed to.

    >>> zone_named("europe/berlin"), zone_named("GMT-8"), zone_named("new york")
    ('Europe/Berlin', 'UTC-08:00', 'America/New_York')
    """
    found = zones_meant(answered(typed, agreed))
    if len(found) > 1:
        raise Undecided(
            "{typed} could be the time zone of {places}. Which place do you mean?",
            *(PossibleAnswer(Row((place_of(zone),)), _sign(typed, zone)) for zone in found),
            typed=shorten(typed),
            places=Row([place_of(zone) for zone in found], OR),
        )
    return found[0]


def answered(typed: str, agreed: Collection[str]) -> str:
    """Return the zone chosen for an abbreviation, if its sign is in `agreed`; else the typed text."""
    places = ABBREVIATIONS.get(fold(typed), ())
    return next((zone for zone in places if _sign(typed, zone) in agreed), typed)


def zones_meant(typed: str) -> tuple[str, ...]:
    """Return the stored names of the zones that a text may mean; several for some abbreviations.

    Raises Unknown if there is no such zone.

    >>> zones_meant("utc +5:30"), zones_meant("PST")
    (('UTC+05:30',), ('America/Los_Angeles', 'America/Vancouver'))
    """
    text = fold(typed)
    if text in _UTC:
        return ("UTC",)
    if offset := _OFFSET.fullmatch(text):
        return (str(_fixed(offset, typed)),)
    if text in ABBREVIATIONS:
        return ABBREVIATIONS[text]
    name = text.replace(" ", "_")
    if found := zones().get(name) or _cities().get(name):
        return (found,)
    near = alike(name, zones_to_offer())
    hint = DidYouMean(near) if near else Words("Type a continent and a city.")
    raise Unknown(
        "There's no time zone {typed}. {hint} Example: Europe/Berlin", typed=shorten(typed), hint=hint
    )


def zones_fitting(typed: str) -> tuple[str, ...]:
    """Return the zones that a text may mean, or none if there is no such zone.

    >>> zones_fitting("PST"), zones_fitting("nowhere")
    (('America/Los_Angeles', 'America/Vancouver'), ())
    """
    try:
        return zones_meant(typed)
    except Unknown:
        return ()


@lru_cache(maxsize=1)
def _cities() -> dict[str, str]:
    """Zones by their city or country, in small letters."""
    cities = {fold(zone.rpartition("/")[2]): zone for zone in zones_to_offer()}
    return cities | {fold(country): zone for zone, country in _COUNTRIES.items()}


def place_of(zone: str) -> str:
    """Return the place that a zone is named after, or its country.

    >>> place_of("America/Los_Angeles"), place_of("Asia/Kolkata")
    ('Los Angeles', 'India')
    """
    return _COUNTRIES.get(zone) or zone.rpartition("/")[2].replace("_", " ")


def _sign(typed: str, zone: str) -> str:
    """The sign of an answer to which place is meant by an abbreviation."""
    return f"{fold(typed)} is {zone}"


def _fixed(offset: re.Match[str], typed: str) -> timezone:
    """The zone that is always as far from UTC. Raises Unknown where none is."""
    minutes = int(offset["minutes"] or 0)
    away = timedelta(hours=int(offset["hours"]), minutes=minutes) * (-1 if offset["sign"] == "-" else 1)
    if minutes not in (0, 15, 30, 45) or not _WEST <= away <= _EAST:
        raise Unknown(
            "There's no time zone at {typed}. Use UTC-12:00 to UTC+14:00, in quarter hours.",
            typed=shorten(typed),
        )
    return timezone(away)


@lru_cache(maxsize=1024)
def tzinfo_of(zone: str) -> tzinfo:
    """Return the tzinfo of a stored zone name; UTC for "".

    >>> str(tzinfo_of("UTC-03:30")), str(tzinfo_of("Europe/Berlin")), str(tzinfo_of(""))
    ('UTC-03:30', 'Europe/Berlin', 'UTC')
    """
    offset = _OFFSET.fullmatch(zone) if fold(zone) not in zones() else None
    return _fixed(offset, zone) if offset else ZoneInfo(zone or "UTC")


def is_zone(name: str) -> bool:
    """Return whether this is a valid stored name of a zone, spelled exactly.

    >>> is_zone("Europe/Berlin"), is_zone("europe/berlin"), is_zone("UTC-08:00")
    (True, False, True)
    """
    if fold(name) in zones():
        return zones()[fold(name)] == name
    offset = _OFFSET.fullmatch(name)
    try:
        return offset is not None and str(_fixed(offset, name)) == name
    except Unknown:
        return False


def zone_needed(typed: str, command: str) -> ZoneNeeded:
    """Return the refusal of a time without a known zone; `command` is what was typed."""
    return ZoneNeeded(
        "Which time zone is {typed} in? Name your time zone once; the bot remembers it. Example: {example}",
        typed=shorten(typed),
        example=with_zone(command),
    )


def with_zone(command: str) -> str:
    """Return an example command with a zone added."""
    return f"{command} zone:Europe/Berlin"


def local(at: datetime, zone: str) -> datetime:
    """Return a time in a zone; in UTC for ""."""
    return at.astimezone(tzinfo_of(zone))


def milliseconds(at: datetime) -> int:
    """Return a time in milliseconds since 1970, precise enough to tell the later of two presses."""
    return int(at.timestamp() * 1000)


def minute_of(at: int, zone: str) -> int:
    """Return the minute of the day that clocks in a zone show at a time.

    >>> minute_of(0, "Europe/Berlin")
    60
    """
    shown = local(datetime.fromtimestamp(at, UTC), zone)
    return shown.hour * 60 + shown.minute


def weeks_later(at: int, weeks: int, now: datetime, zone: str, minute: int | None = None) -> int:
    """Return the next time at the same weekday and hour, in steps of so many weeks, that is after now.

    Times are seconds since 1970. The local hour stays the same across clock changes. It is that of
    `at`, or `minute` of the day if the clocks skipped that on the day of `at`.
    """
    there = tzinfo_of(zone)
    local = datetime.fromtimestamp(at, there).replace(tzinfo=None)
    if minute is not None:
        local = local.replace(hour=minute // 60, minute=minute % 60)
    while True:
        # On a day whose clocks skip the time it is later by what they skip: 2:30 is 3:30 then.
        local += timedelta(weeks=weeks)
        following = local.replace(tzinfo=there).astimezone(UTC)
        if following > now:
            return int(following.timestamp())
