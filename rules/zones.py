"""Time zones: their names, and what their clocks show."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from rules.dice import shorten
from rules.errors import Unknown
from rules.names import alike, did_you_mean
from rules.words import Words

_SHORTEST = 3
"""So many letters of a day or a month will do."""


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
    near = alike(name.casefold(), zones().values())
    hint = did_you_mean(near) if near else Words("A zone is a continent and a city.")
    raise Unknown(
        "There is no time zone {typed}. {hint} Example: Europe/Berlin", typed=shorten(typed), hint=hint
    )


def local(at: datetime, zone: str) -> datetime:
    """A moment by the clocks of a zone; of UTC where none has been named."""
    return at.astimezone(ZoneInfo(zone or "UTC"))


def milliseconds(at: datetime) -> int:
    """A moment in milliseconds since 1970, by which the later of two presses is known."""
    return int(at.timestamp() * 1000)


def minute_of(at: int, zone: str) -> int:
    """The minute of the day that the clocks of a zone show then."""
    shown = local(datetime.fromtimestamp(at, UTC), zone)
    return shown.hour * 60 + shown.minute


def weeks_later(at: int, weeks: int, now: datetime, zone: str, minute: int | None = None) -> int:
    """The first time to come on the same day of the week, at the same time of day, so many weeks later.

    Times are seconds since 1970. Where the clocks of the zone change in between, the time of day stays; it is
    that of `at`, or `minute` of the day where the clocks skipped that on the day of `at`.
    """
    there = ZoneInfo(zone or "UTC")
    local = datetime.fromtimestamp(at, there).replace(tzinfo=None)
    if minute is not None:
        local = local.replace(hour=minute // 60, minute=minute % 60)
    while True:
        # On a day whose clocks skip the time it is later by what they skip: 2:30 is 3:30 then.
        local += timedelta(weeks=weeks)
        following = local.replace(tzinfo=there).astimezone(UTC)
        if following > now:
            return int(following.timestamp())
