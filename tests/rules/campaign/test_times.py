"""Several times in one line: parted by commas, all of them understood or none."""

from datetime import UTC, datetime, time

import pytest

from rules.campaign.dates import parted, read_times
from rules.errors import NotAllowed, RuleError, Undecided, Unreadable

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
"""A Sunday."""
BERLIN = "Europe/Berlin"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("sat 19:30", ["sat 19:30"]),
        ("sat 19:30, sun 15:00", ["sat 19:30", "sun 15:00"]),
        ("Sat, 28.11. 19:30", ["Sat, 28.11. 19:30"]),
        ("Sat, 28.11. 19:30, Sun, 29.11., 15:00", ["Sat, 28.11. 19:30", "Sun, 29.11., 15:00"]),
        ("nov 28, 7pm,nov 29, 7pm", ["nov 28, 7pm", "nov 29, 7pm"]),
        ("Saturday, Nov 28, 2026, 7pm, 30.11. 20:00", ["Saturday, Nov 28, 2026, 7pm", "30.11. 20:00"]),
        ("in 3 days, 12:00, 2026-11-29 19:30Z", ["in 3 days, 12:00", "2026-11-29 19:30Z"]),
        ("<t:1795896000>, <t:1795982400:F>", ["<t:1795896000>", "<t:1795982400:F>"]),
        ("sat 19:30,, sun 15:00,", ["sat 19:30", "sun 15:00"]),
        ("sat 19:30, 20:30", ["sat 19:30", "20:30"]),
        ("fri, sat 19:30", ["fri", "sat 19:30"]),
        ("sat 19:30, soon", ["sat 19:30", "soon"]),
        ("yesterday, sat 19:30", ["yesterday", "sat 19:30"]),
    ],
)
def test_a_comma_parts_times_unless_it_stands_in_one(typed: str, meant: list[str]) -> None:
    assert parted(typed, NOW, BERLIN) == meant


def test_times_are_read_the_earliest_first_and_each_once() -> None:
    found = read_times("sun 29 nov 15:00, sat 19:30, 28.11. 19:30", NOW, BERLIN)
    assert [datetime.fromtimestamp(at, UTC).isoformat(" ", "minutes") for at in found] == [
        "2026-11-28 18:30+00:00",
        "2026-11-29 14:00+00:00",
    ]
    assert len(read_times("fri, sat", NOW, BERLIN, time(19, 30))) == 2
    assert len(read_times("sat 19:30", NOW, BERLIN)) == 1


@pytest.mark.parametrize(
    ("typed", "kind", "why"),
    [
        ("sat 19:30, soon", Unreadable, '"soon" isn\'t a time'),
        (",", Unreadable, r'"," isn\'t a time\. Type a day and a time, only a time, or how long'),
        (
            "sat 19:30, 21.11. 19:30",
            NotAllowed,
            r'"21\.11\. 19:30" is in the past\. Type a later time, or add the year',
        ),
        ("sat 19:30, fri", Undecided, r"at what time\? Choose a time, or add it after the day"),
        (
            "mon 8pm, tue 8pm, wed 8pm, thu 8pm, fri 8pm, sat 8pm",
            NotAllowed,
            "You can ask about at most 5 times at once",
        ),
    ],
)
def test_none_is_taken_where_one_is_not_understood(typed: str, kind: type[RuleError], why: str) -> None:
    with pytest.raises(kind, match=why):
        read_times(typed, NOW, BERLIN)
