"""Dates as people type them: what is understood, what is refused, and clocks that change in between."""

from datetime import UTC, datetime

import pytest

from rules.dates import read_when, weeks_later, zone_named
from rules.errors import NotAllowed, RuleError, Unknown, Unreadable

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
"""A Sunday."""
BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("sat 19:30", "2026-11-28T18:30"),
        ("Saturday, 7:30 pm", "2026-11-28T18:30"),
        ("sat at 7pm", "2026-11-28T18:00"),
        ("sunday 14:00", "2026-11-22T13:00"),
        ("sun 9:00", "2026-11-29T08:00"),
        ("today 20:00", "2026-11-22T19:00"),
        ("Tonight 8pm", "2026-11-22T19:00"),
        ("tomorrow 0:15", "2026-11-22T23:15"),
        ("28 nov 7pm", "2026-11-28T18:00"),
        ("Nov 28, 12am", "2026-11-27T23:00"),
        ("28 November 2026 12pm", "2026-11-28T11:00"),
        ("3 jan 19:30", "2027-01-03T18:30"),
        ("2026-11-28 19:30", "2026-11-28T18:30"),
        ("2026-11-28T19:30", "2026-11-28T18:30"),
        ("2026-11-28 19:30+02:00", "2026-11-28T17:30"),
        ("2026-11-28T19:30Z", "2026-11-28T19:30"),
        ("<t:1795894200:F>", "2026-11-28T19:30"),
        ("2027-07-03 19:30", "2027-07-03T17:30"),
    ],
)
def test_a_time_is_read_as_it_is_typed(typed: str, meant: str) -> None:
    assert read_when(typed, NOW, BERLIN).astimezone(UTC).isoformat()[:16] == meant


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        *((typed, Unreadable) for typed in ("", "sat", "19:30", "soon", "sat 25:00", "sat 13pm")),
        *((typed, Unreadable) for typed in ("sat 7", "5 foo 7pm", "2026-13-01 19:30", "2026-11-28 99:00Z")),
        *((typed, Unreadable) for typed in ("1 2 3 4 7pm", "nov ² 7pm", "0000-01-01 00:00+00:00 Z")),
        *((typed, NotAllowed) for typed in ("today 9:00", "2026-11-01 19:30", "<t:0>", "<t:999999999999>")),
        *((typed, NotAllowed) for typed in ("2028-01-01 19:30", "9999-12-31T23:59Z", "1 nov 2026 7pm")),
        ("9999-12-31T23:59-12:00", Unreadable),
        ("9999-12-31 23:59", NotAllowed),
    ],
)
def test_what_is_no_time_to_come_is_refused(typed: str, refusal: type[RuleError]) -> None:
    with pytest.raises(refusal, match="Example: sat 19:30"):
        read_when(typed, NOW, BERLIN)


def test_a_time_needs_a_zone_unless_it_says_its_own() -> None:
    with pytest.raises(NotAllowed, match="zone:Europe/Berlin"):
        read_when("sat 19:30", NOW, "")
    assert read_when("2026-11-28 19:30+01:00", NOW, "") == read_when("sat 19:30", NOW, BERLIN)


@pytest.mark.parametrize("typed", ["Europe/Berlin", "europe/berlin", " berlin "])
def test_a_zone_is_found_by_its_name_or_its_city(typed: str) -> None:
    assert zone_named(typed) == BERLIN


@pytest.mark.parametrize("typed", ["", "Berlinn", "Middle earth"])
def test_what_is_no_zone_is_refused(typed: str) -> None:
    with pytest.raises(Unknown, match="Example: Europe/Berlin"):
        zone_named(typed)


def test_the_time_of_day_stays_when_the_clocks_change() -> None:
    at = int(datetime(2026, 10, 24, 17, 30, tzinfo=UTC).timestamp())
    later = datetime.fromtimestamp(weeks_later(at, 1, datetime(2026, 10, 25, tzinfo=UTC), BERLIN), UTC)
    assert later == datetime(2026, 10, 31, 18, 30, tzinfo=UTC)


def test_weeks_that_are_over_are_passed_over() -> None:
    at = int(datetime(2026, 11, 7, 18, 30, tzinfo=UTC).timestamp())
    assert datetime.fromtimestamp(weeks_later(at, 2, NOW, BERLIN), UTC).day == 5
    assert datetime.fromtimestamp(weeks_later(at, 1, NOW, ""), UTC).day == 28
