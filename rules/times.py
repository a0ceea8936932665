"""Several times in one line, parted by commas: `sat 19:30, sun 15:00`."""

from collections.abc import Collection
from datetime import datetime, time

from rules.dates import read_when, readings, split_zone
from rules.errors import NotAllowed, RuleError, Unreadable, ZoneNeeded
from rules.zones import plain

MOST_TIMES = 5
"""So many times can be asked for at once: Discord shows so many buttons in a row."""


def parted(typed: str, now: datetime, zone: str, usual: time | None = None) -> list[str]:
    """The times in a line, each as it was typed; a comma inside a date is read with it.

    Raises NotAllowed where the last says a zone that may be meant for all of them.

    >>> from datetime import UTC
    >>> parted("Sat, 28.11. 19:30, sun 15:00", datetime(2026, 11, 22, tzinfo=UTC), "Europe/Berlin")
    ['Sat, 28.11. 19:30', 'sun 15:00']
    """
    pieces = [piece.strip() for piece in typed.split(",")]
    left, found = [piece for piece in pieces if piece], []
    while left:
        count = next(
            (n for n in range(len(left), 1, -1) if _is_time(", ".join(left[:n]), now, zone, usual)), 1
        )
        found.append(", ".join(left[:count]))
        left = left[count:]
    if len(found) > 1 and any(_needs_zone(each, now) for each in found[:-1]):
        _require_no_zone(found[-1], typed)
    return found


def _require_no_zone(last: str, typed: str) -> None:
    """Refuse a last time with a zone behind it: it may be meant for the times before it, too."""
    zone = split_zone(plain(last))[1]
    if zone and plain(last).endswith(f" {zone}"):
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
    """The times that were typed, in seconds since 1970, the earliest first; all of them, or none.

    Raises what `read_when` raises, and NotAllowed for too many.
    """
    if "," not in typed:
        return (int(read_when(typed, now, zone, usual, agreed).timestamp()),)
    pieces = parted(typed, now, zone, usual) or [typed]
    found = {int(read_when(each, now, zone, usual, agreed).timestamp()) for each in pieces}
    if len(found) > MOST_TIMES:
        raise NotAllowed(
            "That's {count} times; you can ask about at most {most} at once.",
            count=len(found),
            most=MOST_TIMES,
        )
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
        readings(split_zone(plain(text))[0], now, zone, usual)
    except Unreadable:
        return False
    except RuleError:
        return True
    return True
