"""Dates as people type them: what is understood, what is refused, and clocks that change in between."""

from datetime import UTC, date, datetime, time

import pytest

from rules.campaign.dates import day_words, read_when, short_time
from rules.campaign.zones import weeks_later, zone_named
from rules.errors import NotAllowed, RuleError, Undecided, Unknown, Unreadable

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
        ("Sat, 28.11. 19:30", "2026-11-28T18:30"),
        ("saturday 28 nov, 7pm", "2026-11-28T18:00"),
        ("Fri, Nov 27, 2026, 19:30", "2026-11-27T18:30"),
        ("sat, 2026-11-28 19:30", "2026-11-28T18:30"),
        ("tue 12/8 7pm", "2026-12-08T18:00"),
        ("3 jan 19:30", "2027-01-03T18:30"),
        ("2026-11-28 19:30", "2026-11-28T18:30"),
        ("2026-11-28T19:30", "2026-11-28T18:30"),
        ("2026-11-28 19:30+02:00", "2026-11-28T17:30"),
        ("2026-11-28T19:30Z", "2026-11-28T19:30"),
        ("<t:1795894200:F>", "2026-11-28T19:30"),
        ("2027-07-03 19:30", "2027-07-03T17:30"),
        ("tomorrow 19:30", "2026-11-23T18:30"),
        ("19:30", "2026-11-22T18:30"),
        ("at 12:30", "2026-11-23T11:30"),
        ("on friday 19:00", "2026-11-27T18:00"),
        ("next friday 19:00", "2026-11-27T18:00"),
        ("next sun 10am", "2026-11-29T09:00"),
        ("in 3 days 20:00", "2026-11-25T19:00"),
        ("in a week, 20:00", "2026-11-29T19:00"),
        ("in 2 hours", "2026-11-22T14:00"),
        ("in 90 minutes", "2026-11-22T13:30"),
        ("29.11. 19:30", "2026-11-29T18:30"),
        ("29.11 19:30", "2026-11-29T18:30"),
        ("1.3.2027 7pm", "2027-03-01T18:00"),
        ("11/29 7pm", "2026-11-29T18:00"),
        ("29/11/2026 7pm", "2026-11-29T18:00"),
        ("5/5 7pm", "2027-05-05T17:00"),
        ("11/12/2026 7pm", "2026-12-11T18:00"),
        ("sat noon", "2026-11-28T11:00"),
        ("sat 7.30pm", "2026-11-28T18:30"),
        ("7.30 pm", "2026-11-22T18:30"),
        ("29.11 7.30pm", "2026-11-29T18:30"),
        ("29.11.7pm", "2026-11-29T18:00"),
    ],
)
def test_a_time_is_read_as_it_is_typed(typed: str, meant: str) -> None:
    assert read_when(typed, NOW, BERLIN).astimezone(UTC).isoformat()[:16] == meant


NO_TIME = (
    r'^".*" isn\'t a time\. Type a day and a time, only a time, or how long from now\. '
    r"Example: (sat|28 feb) 19:30$"
)
NO_HOUR = r'^".*" isn\'t a time of day\. Use 0:00 to 23:59, or 12am to 11:59pm\.$'
PAST = r'^".*" is in the past\. Type a later time\.$'
TOO_FAR = r'^".*" is more than a year ahead\. Type an earlier time\.$'


@pytest.mark.parametrize(
    ("typed", "refusal", "says"),
    [
        *((typed, Unreadable, NO_TIME) for typed in ("", "at", "soon", "noon", "midnight", "sat 7")),
        *((typed, Unreadable, NO_TIME) for typed in ("5 foo 7pm", "1 2 3 4 7pm", "nov ² 7pm")),
        ("0000-01-01 00:00+00:00 Z", Unreadable, NO_TIME),
        *((typed, Unreadable, NO_HOUR) for typed in ("sat 25:00", "sat 13pm", "2026-11-28 99:00Z")),
        ("2026-13-01 19:30", Unreadable, r'There\'s no such day as "2026-13-01 19:30"\. Choose another day'),
        *((typed, NotAllowed, PAST) for typed in ("today 9:00", "2026-11-01 19:30", "<t:0>")),
        ("1 nov 2026 7pm", NotAllowed, PAST),
        *((typed, NotAllowed, TOO_FAR) for typed in ("<t:999999999999>", "2028-01-01 19:30")),
        *((typed, NotAllowed, TOO_FAR) for typed in ("9999-12-31T23:59Z", "9999-12-31T23:59-12:00")),
        ("9999-12-31 23:59", NotAllowed, TOO_FAR),
    ],
)
def test_what_is_no_time_to_come_is_refused(typed: str, refusal: type[RuleError], says: str) -> None:
    with pytest.raises(refusal, match=says):
        read_when(typed, NOW, BERLIN)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("25:00", '"25:00" isn\'t a time of day\\. Use 0:00 to 23:59'),
        ("sat 19.30pm", '"19\\.30pm" isn\'t a time of day'),
        ("sat 7,30pm", '"7,30pm" isn\'t a time of day'),
        ("midnight", r'"midnight" isn\'t a time\. Type a day and a time, only a time, or how long'),
        ("sat midnight", r'"sat midnight" isn\'t a time\. Type a day and a time, only a time, or how long'),
        ("31.2.", 'no such day as "31.2."'),
        ("29 feb 19:30", "no such day"),
        ("13/13 7pm", "no such day"),
        ("fri 19:30:00", r'"fri 19:30:00" isn\'t a time\. Type a day and a time, only a time'),
        ("29.11. 19", r'"29\.11\. 19" isn\'t a time\. Type a day and a time, only a time'),
        ("28 mar 2:30", "skip 02:30 on 28 March. Choose another time. Example: 2027-03-28 03:30"),
        ("2027-10-31 2:30", r"show 02:30 twice on 31 October.* Example: 2027-10-31 02:30\+02:00"),
        ("in 0 hours", r'"in 0 hours" is in the past\. Type a later time'),
        ("in 9999 days 7pm", "more than a year ahead"),
    ],
)
def test_what_is_on_no_clock_or_calendar_is_said(typed: str, why: str) -> None:
    with pytest.raises(RuleError, match=why):
        read_when(typed, NOW, BERLIN)


def test_this_week_is_over_for_next_friday() -> None:
    monday = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
    assert read_when("friday 19:00", monday, BERLIN).day == 27
    assert read_when("next friday 19:00", monday, BERLIN).day == 4


def test_a_leap_day_is_in_the_next_leap_year() -> None:
    assert read_when("29 feb 19:30", datetime(2027, 5, 1, tzinfo=UTC), BERLIN).year == 2028


@pytest.mark.parametrize("typed", ["friday", "in 3 days", "11/29", "tonight"])
def test_a_day_without_an_hour_has_the_usual_one_or_the_one_that_is_answered(typed: str) -> None:
    with pytest.raises(Undecided, match="at what time") as asked:
        read_when(typed, NOW, BERLIN)
    agreed = (asked.value.answers[1].sign,)
    assert f"{read_when(typed, NOW, BERLIN, agreed=agreed):%H:%M}" == "19:00"
    assert f"{read_when(typed, NOW, BERLIN, time(18, 15)):%H:%M}" == "18:15"


@pytest.mark.parametrize("typed", ["today", "tonight", "22.11.", "22 nov", "2026-11-22"])
def test_a_day_whose_usual_hour_is_over_asks_for_one_that_is_not(typed: str) -> None:
    evening = datetime(2026, 11, 22, 18, 45, tzinfo=UTC)  # 19:45 in Berlin
    with pytest.raises(Undecided, match="at what time") as asked:
        read_when(typed, evening, BERLIN, time(19, 30))
    assert [str(each.label) for each in asked.value.answers] == ["20:00", "21:00"]
    agreed = (asked.value.answers[1].sign,)
    assert f"{read_when(typed, evening, BERLIN, time(19, 30), agreed):%d %H:%M}" == "22 21:00"
    with pytest.raises(Undecided) as asked:
        read_when(typed, evening, BERLIN)
    assert [str(each.label) for each in asked.value.answers] == ["20:00", "21:00"]
    late = datetime(2026, 11, 22, 21, 0, tzinfo=UTC)
    with pytest.raises(
        NotAllowed, match=f'"{typed}" at what time\\? Add the time after the day. Example: {typed} 23:59'
    ):
        read_when(typed, late, BERLIN, time(19, 30))
    assert f"{read_when(f'{typed} 23:59', late, BERLIN):%d %H:%M}" == "22 23:59"
    assert read_when("sunday", evening, BERLIN, time(19, 30)).day == 29


def test_two_numbers_with_a_slash_may_be_two_days() -> None:
    with pytest.raises(Undecided, match='Does "5/6 7pm" mean 6 May or 5 June') as asked:
        read_when("5/6 7pm", NOW, BERLIN)
    days = [read_when("5/6 7pm", NOW, BERLIN, agreed=(each.sign,)) for each in asked.value.answers]
    assert [(at.day, at.month) for at in days] == [(6, 5), (5, 6)]


@pytest.mark.parametrize(
    "typed", ["22.11. 19:00", "22 nov", "nov 22, 7pm", "11/22 7pm", "23.11. 12:30", "24.10. 19:00"]
)
def test_a_day_that_is_just_over_is_no_day_of_next_year(typed: str) -> None:
    monday = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
    with pytest.raises(
        NotAllowed, match=r'^".*" is in the past\. Type a later time, or add the year\. Example: 2027-1'
    ):
        read_when(typed, monday, BERLIN)
    assert read_when("22.11.2027 19:00", monday, BERLIN).year == 2027
    assert read_when("20.10. 19:00", monday, BERLIN).year == 2027
    assert read_when("23.11. 13:30", monday, BERLIN).year == 2026


def test_new_years_eve_is_just_over_on_new_years_day() -> None:
    day = datetime(2027, 1, 1, 12, 0, tzinfo=UTC)
    with pytest.raises(
        NotAllowed,
        match=(
            r'"31\.12\. 19:00" is in the past\. Type a later time, or add the year\. '
            r"Example: 2027-12-31 19:00"
        ),
    ):
        read_when("31.12. 19:00", day, BERLIN)
    assert read_when("30 nov 19:00", day, BERLIN).year == 2027


def test_of_two_days_in_two_years_the_year_is_named() -> None:
    monday = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
    with pytest.raises(Undecided, match='Does "12/11 7pm" mean 11 December 2026 or 12 November 2027'):
        read_when("12/11 7pm", monday, BERLIN)


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


def test_a_day_is_said_with_the_name_of_its_month() -> None:
    said = [str(day_words(date(2026, month, 5))) for month in range(1, 13)]
    months = "January February March April May June July August September October November December"
    assert said == [f"5 {month}" for month in months.split()]


def test_a_time_on_a_button_is_said_shortly() -> None:
    months = [str(short_time(datetime(2026, month, 5, 19, 30))).split()[2] for month in range(1, 13)]
    assert months == ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    days = [str(short_time(datetime(2026, 11, day, 9, 5))) for day in range(23, 30)]
    assert [day.split()[0] for day in days] == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    assert days[0] == "Mon 23 Nov 09:05"


@pytest.mark.parametrize("typed", ["fri, 28.11. 19:30", "friday 28 nov, 19:30", "Mon. 11/28 7pm"])
def test_a_day_of_another_weekday_than_named_is_refused(typed: str) -> None:
    with pytest.raises(NotAllowed, match="28 November 2026 is a Saturday, not"):
        read_when(typed, NOW, BERLIN)
