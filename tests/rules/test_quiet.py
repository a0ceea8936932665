"""Quiet hours and being away: when somebody may be reminded."""

from datetime import UTC, datetime

import pytest

from rules.dates import read_clock
from rules.errors import Unreadable
from rules.quiet import QuietHours

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
