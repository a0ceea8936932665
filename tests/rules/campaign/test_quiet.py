"""Quiet hours and being away: when somebody may be reminded."""

from datetime import UTC, datetime

import pytest

from rules.campaign.dates import read_clock
from rules.campaign.schedule import QuietHours
from rules.errors import Unreadable
from rules.values import replace

NIGHT = QuietHours("Europe/Berlin", 22 * 60, 8 * 60)
NOON = QuietHours("Europe/Berlin", 12 * 60, 13 * 60 + 30)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("rest", "now", "awake"),
    [
        (QuietHours(), "2026-11-22T03:00", "2026-11-22T03:00"),
        (NIGHT, "2026-11-22T20:59", "2026-11-22T20:59"),
        (NIGHT, "2026-11-22T21:00", "2026-11-23T07:00"),
        (NIGHT, "2026-11-22T02:00", "2026-11-22T07:00"),
        (NIGHT, "2026-11-22T07:00", "2026-11-22T07:00"),
        (NIGHT, "2026-10-24T21:00", "2026-10-25T07:00"),
        (NOON, "2026-11-22T11:30", "2026-11-22T12:30"),
        (NOON, "2026-11-22T12:30", "2026-11-22T12:30"),
        (QuietHours(until=int(at("2026-11-25T02:00").timestamp())), "2026-11-22T12:00", "2026-11-25T02:00"),
        (
            QuietHours("Europe/Berlin", 22 * 60, 8 * 60, int(at("2026-11-25T02:00").timestamp())),
            "2026-11-22T12:00",
            "2026-11-25T07:00",
        ),
    ],
)
def test_somebody_is_reminded_when_they_do_not_rest(rest: QuietHours, now: str, awake: str) -> None:
    assert rest.awake(at(now)) == at(awake)


@pytest.mark.parametrize(("typed", "minutes"), [("22:00", 1320), ("10pm", 1320), ("12:30 AM", 30)])
def test_a_time_of_day_is_read(typed: str, minutes: int) -> None:
    assert read_clock(typed) == minutes


@pytest.mark.parametrize("typed", ["", "24:00", "late", "13pm", "7:5"])
def test_what_is_no_time_of_day_is_refused(typed: str) -> None:
    with pytest.raises(Unreadable):
        read_clock(typed)


MORNING = replace(NIGHT, by_morning=True)
SKIPPED = replace(MORNING, ends=2 * 60 + 30)


@pytest.mark.parametrize(
    ("rest", "now", "morning"),
    [
        (MORNING, "2026-11-22T03:00", "2026-11-22T07:00"),
        (MORNING, "2026-11-22T07:00", "2026-11-23T07:00"),
        (MORNING, "2026-11-22T12:00", "2026-11-23T07:00"),
        (MORNING, "2026-10-24T12:00", "2026-10-25T07:00"),  # the clocks go back that night
        (MORNING, "2026-03-28T12:00", "2026-03-29T06:00"),
        (SKIPPED, "2026-03-28T12:00", "2026-03-29T01:30"),  # there is no 2:30 that night
        (SKIPPED, "2026-03-29T01:30", "2026-03-30T00:30"),
        (SKIPPED, "2026-10-25T00:30", "2026-10-26T01:30"),  # there are two
        (SKIPPED, "2026-10-25T01:10", "2026-10-26T01:30"),
        (
            replace(MORNING, until=int(at("2026-11-25T07:00").timestamp())),
            "2026-11-22T12:00",
            "2026-11-25T07:00",
        ),
        (
            replace(MORNING, until=int(at("2026-11-25T07:01").timestamp())),
            "2026-11-22T12:00",
            "2026-11-26T07:00",
        ),
    ],
)
def test_there_is_one_morning_a_day_also_where_clocks_change(
    rest: QuietHours, now: str, morning: str
) -> None:
    assert rest.morning(at(now)) == at(morning)
    assert rest.is_morning(at(morning))
    assert not rest.is_morning(at(now)) or at(now) < at(morning)


def test_who_has_no_quiet_hours_any_more_or_has_not_asked_has_no_morning() -> None:
    assert not replace(MORNING, begins=MORNING.ends).is_gathered
    assert not NIGHT.is_morning(at("2026-11-22T07:00"))
