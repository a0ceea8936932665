"""Time zones as people type them: offsets, abbreviations and places; and dates that say their own."""

from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign.dates import read_times, read_when, with_places
from rules.campaign.zones import (
    ABBREVIATIONS,
    is_zone,
    place_of,
    tzinfo_of,
    zone_named,
    zones,
    zones_to_offer,
)
from rules.errors import NotAllowed, RuleError, Undecided, Unknown, Unreadable, ZoneNeeded

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
"""A Sunday."""
BERLIN = "Europe/Berlin"
PLACES = {
    "PST": ["Los Angeles", "Vancouver"],
    "IST": ["India", "Ireland", "Israel"],
    "est": ["New York", "Toronto"],
    "CET": ["Berlin", "Paris", "Rome"],
    "BST": ["London", "Bangladesh"],
    " MST ": ["Denver", "Phoenix", "Edmonton"],
    "CST": ["Chicago", "Mexico City", "China"],
}
"""What some abbreviations may mean, the likeliest first."""


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("GMT-8", "UTC-08:00"),
        ("GMT -8", "UTC-08:00"),
        ("gmt - 8", "UTC-08:00"),
        ("GMT+3", "UTC+03:00"),
        ("UTC+2", "UTC+02:00"),
        ("UTC +02:00", "UTC+02:00"),
        ("UTC-03:30", "UTC-03:30"),
        ("utc-330", "UTC-03:30"),
        ("utc+5:45", "UTC+05:45"),
        ("+02:00", "UTC+02:00"),
        ("+0530", "UTC+05:30"),
        ("+9", "UTC+09:00"),
        ("-11", "UTC-11:00"),
        ("UTC\N{MINUS SIGN}7", "UTC-07:00"),
        ("GMT\N{EN DASH}8", "UTC-08:00"),
        ("\N{FULLWIDTH PLUS SIGN}９", "UTC+09:00"),
        ("GMT\N{NO-BREAK SPACE}+１", "UTC+01:00"),
        ("UTC-12", "UTC-12:00"),
        ("UTC+14", "UTC+14:00"),
        ("UTC+0", "UTC"),
        ("-00:00", "UTC"),
        ("GMT", "UTC"),
        ("utc", "UTC"),
        ("z", "UTC"),
        ("Etc/GMT-8", "Etc/GMT-8"),
        ("etc/gmt+3", "Etc/GMT+3"),
        ("EST5EDT", "EST5EDT"),
        ("JST", "Asia/Tokyo"),
        ("new york", "America/New_York"),
        ("India", "Asia/Kolkata"),
        ("EUROPE/BERLIN", BERLIN),
    ],
)
def test_a_zone_is_read_as_people_mean_it(typed: str, meant: str) -> None:
    assert zone_named(typed) == meant
    assert is_zone(meant)
    assert zone_named(meant) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2027-01-10 20:00 UTC+2", "2027-01-10T18:00"),
        ("2027-01-10 20:00 GMT+3", "2027-01-10T17:00"),
        ("2027-01-10 8pm GMT-3:30", "2027-01-10T23:30"),
        ("28 nov 7pm +02:00", "2026-11-28T17:00"),
        ("28 nov 7pm+2", "2026-11-28T17:00"),
        ("sat 19:30 GMT-8", "2026-11-29T03:30"),
        ("sat 19:30 UTC \N{MINUS SIGN}8", "2026-11-29T03:30"),
        ("sat 19:30GMT-8", "2026-11-29T03:30"),
        ("sat 7pm -08:00", "2026-11-29T03:00"),
        ("sat 19:30 GMT", "2026-11-28T19:30"),
        ("sat 19:30Z", "2026-11-28T19:30"),
        ("sat noon utc", "2026-11-28T12:00"),
        ("sat 19:30 Etc/GMT-8", "2026-11-28T11:30"),
        ("sat 19:30 america/new_york", "2026-11-29T00:30"),
        ("sat 19:30 JST", "2026-11-28T10:30"),
        ("sunday 1:00 UTC+14", "2026-11-28T11:00"),
        ("tomorrow 0:15 UTC+13", "2026-11-23T11:15"),
        ("in 3 days 20:00 GMT+3", "2026-11-25T17:00"),
        ("in 2 hours GMT+3", "2026-11-22T14:00"),
        ("11/29/2026 7pm UTC+1", "2026-11-29T18:00"),
        ("19:30 UTC+5:45", "2026-11-22T13:45"),
        ("2026-11-28T19:30:15Z", "2026-11-28T19:30"),
        ("2026-11-28T19:30:00.000+05:30", "2026-11-28T14:00"),
        ("2026-11-28 19:30-05:00", "2026-11-29T00:30"),
        ("１９：３０ ＧＭＴ＋３", "2026-11-22T16:30"),
    ],
)
def test_a_date_says_its_own_zone_at_its_end(typed: str, meant: str) -> None:
    for zone in ("", BERLIN):
        assert read_when(typed, NOW, zone).astimezone(UTC).isoformat()[:16] == meant


@pytest.mark.parametrize("typed", PLACES)
def test_an_abbreviation_asks_for_the_place_whether_alone_or_behind_a_time(typed: str) -> None:
    with pytest.raises(Undecided, match="could be the time zone of") as asked:
        zone_named(typed)
    assert [str(each.label) for each in asked.value.answers] == PLACES[typed]
    signs = [each.sign for each in asked.value.answers]
    places = [zone_named(typed, [sign]) for sign in signs]
    assert list(map(place_of, places)) == PLACES[typed]
    with pytest.raises(Undecided, match=f'"{typed.strip().upper()}" could be the time zone of') as of_time:
        read_when(f"sat 7pm {typed}", NOW, BERLIN)
    assert [each.sign for each in of_time.value.answers] == signs
    times = [read_when(f"sat 7pm {typed}", NOW, BERLIN, agreed=[sign]) for sign in signs]
    assert times == [read_when("sat 7pm", NOW, place) for place in places]
    assert [read_when(each, NOW, "") for each in with_places(f"Sat 7pm {typed}")] == times


@pytest.mark.parametrize("typed", ["GMT+15", "UTC-12:15", "+14:15", "UTC+5:20", "GMT-8:99", "-99"])
def test_no_place_has_such_an_offset(typed: str) -> None:
    with pytest.raises(Unknown, match=r"Use UTC-12:00 to UTC\+14:00, in quarter"):
        zone_named(typed)
    with pytest.raises(Unknown, match=r"Use UTC-12:00 to UTC\+14:00, in quarter"):
        read_when(f"2027-01-10 20:00 {typed}", NOW, BERLIN)
    assert not is_zone(typed)


@pytest.mark.parametrize("typed", ["GMT8", "8", "GMT+", "GMT--8", "UTC+5.5", "GMT+²", "Etc", "XYZ"])
def test_what_is_no_zone_is_never_taken_for_one_that_is_like_it(typed: str) -> None:
    with pytest.raises(Unknown) as refused:
        zone_named(typed)
    assert "Etc/" not in str(refused.value)
    with pytest.raises(Unreadable):
        read_when(f"sat 19:30 {typed}", NOW, BERLIN)


@pytest.mark.parametrize("typed", ["sat 21:00-01:00", "sat 21:00 - 01:00", "sat 9:00 GMT - 11:00", "7pm-9"])
def test_from_one_hour_to_another_is_no_offset(typed: str) -> None:
    with pytest.raises(Unreadable):
        read_when(typed, NOW, BERLIN)


def test_a_zone_that_is_kept_is_written_in_one_way() -> None:
    kept = ("UTC-08:00", "UTC+05:45", "Etc/GMT+3", "CET", "GMT+0")
    assert all(map(is_zone, kept))
    assert [str(tzinfo_of(zone)) for zone in kept] == list(kept)
    assert not any(
        map(is_zone, ("utc-08:00", "UTC-8", "GMT-08:00", "UTC+00:00", "PST", "berlin", "", "+02:00"))
    )


def test_what_is_suggested_are_places_and_utc() -> None:
    assert not any(name.startswith("Etc/") or "GMT" in name for name in zones_to_offer())
    assert all(zone_named(name) == name for name in zones_to_offer())
    assert {zone for found in ABBREVIATIONS.values() for zone in found} <= set(zones().values())


@pytest.mark.parametrize("typed", ["sat GMT-8", "saturday PST"])
def test_a_day_with_its_own_zone_asks_for_its_hour_there(typed: str) -> None:
    agreed = [f"pst is {ABBREVIATIONS['pst'][0]}"]
    with pytest.raises(Undecided, match="at what time") as asked:
        read_when(typed, NOW, BERLIN, time(15), agreed)
    agreed.append(asked.value.answers[1].sign)
    assert read_when(typed, NOW, BERLIN, time(15), agreed) == datetime(2026, 11, 29, 3, tzinfo=UTC)


def test_an_example_keeps_the_zone_that_was_typed() -> None:
    for typed in ("22.11. 8:00 GMT", "today UTC"):
        late = datetime(2026, 11, 22, 22, 0, tzinfo=UTC)
        with pytest.raises(NotAllowed) as refused:
            read_when(typed, late, BERLIN)
        example = str(refused.value).partition("Example: ")[2]
        assert read_when(example, late, BERLIN).utcoffset() == timedelta(0)


def test_a_zone_behind_the_last_of_several_times_is_not_that_of_some() -> None:
    for zone in ("GMT-8", "+02:00", "PST"):
        with pytest.raises(NotAllowed, match=r"Is .* the time zone of all these") as refused:
            read_times(f"sat 19:30, sun 15:00 {zone}", NOW, BERLIN)
        assert f"when:sat 19:30, sun 15:00 zone:{zone}" in str(refused.value)
    assert len(read_times("sat 19:30 GMT-8, sun 15:00 GMT-8", NOW, "")) == 2
    assert len(read_times("in 2 hours, <t:1795894200:F>, sun 15:00 GMT-8", NOW, BERLIN)) == 3
    assert len(read_times("sat 19:30, 2027-10-31 02:30+01:00", NOW, BERLIN)) == 2


def test_a_time_of_no_zone_names_the_command_with_one() -> None:
    with pytest.raises(ZoneNeeded, match=r"Example: /session plan when:sat 19:30 zone:Europe/Berlin"):
        read_when("sat 19:30", NOW, "")


OFFSETS = st.integers(-12 * 4, 14 * 4).map(lambda quarters: timedelta(minutes=15 * quarters))


@given(OFFSETS, st.sampled_from(["UTC", "GMT", "utc ", "Gmt ", ""]), st.booleans())
def test_an_offset_is_so_many_hours_from_utc_and_is_read_back_as_it_is_printed(
    offset: timedelta, before: str, is_spaced: bool
) -> None:
    hours, minutes = divmod(abs(offset) // timedelta(minutes=1), 60)
    sign = ("-" if offset < timedelta(0) else "+") + (" " if is_spaced else "")
    written = [f"{before}{sign}{hours:02}:{minutes:02}", f"{before}{sign}{hours}:{minutes:02}"]
    for typed in written if minutes else [*written, f"{before}{sign}{hours}"]:
        zone = zone_named(typed)
        assert tzinfo_of(zone).utcoffset(NOW) == offset
        assert zone_named(zone) == zone == str(tzinfo_of(zone))
        assert is_zone(zone)
        at = read_when(f"2027-01-10 20:00 {zone}", NOW, BERLIN)
        assert at == datetime(2027, 1, 10, 20, tzinfo=UTC) - offset


@given(st.text("gmtutcez+-:0123456789 ./\N{MINUS SIGN}pwsi", max_size=12))
def test_whatever_is_read_as_a_zone_can_be_kept(typed: str) -> None:
    try:
        zone = zone_named(typed)
    except RuleError:
        return
    assert is_zone(zone)
    assert tzinfo_of(zone).utcoffset(NOW) is not None
