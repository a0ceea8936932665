"""Several times for the next session: whom each suits, which is taken, and what is kept when it moves."""

from datetime import UTC, datetime, timedelta

import pytest

from rules.campaign import scenes
from rules.campaign.schedule import (
    MOST,
    QuietHours,
    able,
    answers,
    asked_at,
    awaited,
    call_off,
    carried,
    followed,
    is_away,
    plan,
    reply,
    silent,
    skip,
    standing,
    suit,
    take,
    told_at,
    usual_hour,
)
from rules.campaign.seats import Actor
from rules.errors import NotAllowed, TooLate
from rules.facts import CalledOff, Planned, TimesAsked, TimeSuited
from rules.names import Coming, Plan
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, ZOE, after, table

NOW = datetime(2026, 10, 18, 12, tzinfo=UTC)
"""A Sunday; the clocks of Berlin change a week later."""
SAT = int(datetime(2026, 10, 24, 17, 30, tzinfo=UTC).timestamp())
DAY = 24 * 3600
FRI = SAT - DAY


def asked(more: str = "", weeks: int | None = None, least: int | None = None) -> Table:
    when = f"fri 19:30, sat 19:30{more}"
    return after(plan(table(), GRETA, when, "Snacks", weeks, "berlin", least, now=NOW))


def of(at: Table) -> Plan:
    assert at.plan is not None
    return at.plan


def suited(at: Table, *said: tuple[Actor, int]) -> Table:
    for who, time in said:
        at = after(suit(at, who, time, of(at).number, now=NOW))
    return at


def names(at: Table) -> list[tuple[str, ...]]:
    return list(able(at, of(at)).values())


def test_people_are_asked_for_several_times_and_the_gm_can_at_each() -> None:
    step = plan(table(), GRETA, "sat 19:30, fri 19:30", "Snacks", 1, "berlin", 3, now=NOW)
    assert step.facts[1:] == (TimesAsked((FRI, SAT), "Snacks", 1, 0, 3),)
    assert names(step.table) == [("Greta",), ("Greta",)]
    assert list(silent(step.table, of(step.table)).values()) == ["Alice", "Bob"]
    assert standing(step.table, NOW) is None
    assert awaited(step.table, NOW) == of(step.table)
    with pytest.raises(NotAllowed, match="Only the GM"):
        plan(table(), ALICE, "sat 19:30, fri 19:30", zone="berlin", now=NOW)


def test_everybody_presses_what_suits_them_and_takes_it_back_by_the_same() -> None:
    at = asked()
    step = suit(at, ALICE, SAT, of(at).number, now=NOW)
    assert step.facts == (TimeSuited("Alice", SAT),)
    at = suited(after(step), (BOB, SAT), (ZOE, FRI))
    assert names(at) == [("Greta", "Zoe"), ("Greta", "Alice", "Bob")]
    back = suit(at, ALICE, SAT, of(at).number, now=NOW)
    assert back.facts == (TimeSuited("Alice", SAT, can=False),)
    assert names(after(back)) == [("Greta", "Zoe"), ("Greta", "Bob")]


def test_the_gm_takes_a_time_and_whom_it_suits_is_in() -> None:
    at = suited(asked(weeks=1, least=2), (ALICE, SAT), (BOB, FRI), (ZOE, SAT))
    with pytest.raises(NotAllowed, match="Only the GM can choose a time"):
        take(at, ALICE, SAT, now=NOW)
    step = take(at, GRETA, SAT, of(at).number, now=NOW)
    assert step.facts == (Planned(SAT, "Snacks", 1, asked=True, least=2),)
    taken = of(step.table)
    assert (taken.number, taken.at, taken.weeks, taken.least) == (of(at).number, SAT, 1, 2)
    said = dict(answers(step.table, taken).values())
    assert said == {"Greta": Coming.IN, "Alice": Coming.IN, "Bob": None, "Zoe": Coming.IN}
    assert standing(step.table, NOW) == taken


def test_a_session_that_moves_to_another_of_the_times_has_who_can_then() -> None:
    at = after(take(suited(asked(), (ALICE, SAT), (BOB, FRI)), GRETA, SAT, now=NOW))
    moved = plan(at, GRETA, "fri 19:30", now=NOW)
    assert moved.facts == (Planned(FRI, "Snacks", 0, SAT),)
    said = [coming for _, coming in answers(moved.table, of(moved.table)).values()]
    assert said == [Coming.IN, None, Coming.IN]


def test_what_is_said_of_times_that_stay_is_kept_when_others_come_and_go() -> None:
    at = suited(asked(), (ALICE, SAT), (BOB, FRI), (GRETA, SAT))
    step = plan(at, GRETA, "sat 19:30, 25.10. 19:30", now=NOW)
    assert step.facts == (TimesAsked((SAT, SAT + DAY + 3600), "Snacks"),)
    assert names(step.table) == [("Alice",), ("Greta",)]
    assert of(step.table).number == of(at).number
    with pytest.raises(NotAllowed, match="People have already been asked about these times"):
        plan(step.table, GRETA, "25.10. 19:30, sat 19:30", now=NOW)
    one = plan(at, GRETA, "sat 19:30", now=NOW)
    assert one.facts == (Planned(SAT, "Snacks", asked=True),)
    assert answers(one.table, of(one.table))[ALICE.id] == ("Alice", Coming.IN)


def test_a_planned_session_may_be_asked_for_at_several_times_and_who_was_in_can_then() -> None:
    at = after(plan(table(), GRETA, "sat 19:30", zone="berlin", now=NOW))
    at = after(reply(after(reply(at, ALICE, Coming.IN)), BOB, Coming.OUT))
    old = of(at)
    step = plan(at, GRETA, "sat 19:30, fri 19:30", now=NOW)
    assert step.facts == (TimesAsked((FRI, SAT), was=SAT),)
    assert names(step.table) == [("Greta",), ("Greta", "Alice")]
    with pytest.raises(
        TooLate,
        match=(
            r"That session has moved to another time\. To see when: /table "
            r"show"
        ),
    ):
        reply(step.table, BOB, Coming.IN, old.number, moved=old.moved)
    back = after(take(step.table, GRETA, SAT, now=NOW))
    assert of(back).number == old.number


def test_what_is_no_longer_asked_for_or_over_is_refused() -> None:
    at = asked()
    number = of(at).number
    late = NOW + timedelta(days=5, hours=12)
    for press in (suit, take):
        with pytest.raises(TooLate, match="That time is in the past"):
            press(at, GRETA, FRI, number, now=late)
        with pytest.raises(TooLate, match="You can't choose that time any more"):
            press(at, GRETA, SAT + 60, number, now=NOW)
        with pytest.raises(TooLate, match="no longer planned"):
            press(at, GRETA, SAT, number + 1, now=NOW)
        with pytest.raises(TooLate, match="A time has already been chosen"):
            press(after(take(at, GRETA, SAT, now=NOW)), GRETA, FRI, number, now=NOW)
        with pytest.raises(TooLate, match="has been called off"):
            press(call_off(at, GRETA).table, GRETA, FRI, number, now=NOW)
    with pytest.raises(NotAllowed, match="You can't skip the last planned session"):
        skip(asked(weeks=1), GRETA, now=NOW)
    assert call_off(at, GRETA).facts == (CalledOff(0),)
    crowd = dict.fromkeys(range(100, 100 + MOST), "Zoe")
    with pytest.raises(NotAllowed, match=f"{MOST} people"):
        suit(replace(at, plan=replace(of(at), times={SAT: crowd})), ALICE, SAT, now=NOW)


def test_times_that_are_over_are_told_so_until_all_of_them_are() -> None:
    at = asked()
    friday, sunday = NOW + timedelta(days=5, hours=12), NOW + timedelta(days=7)
    assert asked_at(at, NOW) == at
    assert of(asked_at(at, friday)).gone == (FRI,)
    assert of(told_at(at, friday)).is_asked
    assert of(told_at(at, sunday)).is_over
    assert awaited(at, sunday) is None
    assert of(plan(at, GRETA, "in 3 days", now=sunday).table).number != of(at).number


def test_a_time_that_is_asked_for_is_no_session_yet() -> None:
    at = asked(weeks=1)
    assert usual_hour(at, "Europe/Berlin") == datetime(2026, 10, 24, 19, 30).time()
    ended = scenes.end_session(after(scenes.start_session(at, GRETA)), GRETA)
    assert followed(ended, NOW + timedelta(days=8)) == ended
    assert not is_away(of(at), ALICE.id, QuietHours(until=SAT))


def test_what_is_wished_at_least_stays_and_can_be_changed_alone() -> None:
    at = after(plan(table(), GRETA, "sat 19:30", "", 1, "berlin", 3, now=NOW))
    at = after(reply(at, ALICE, Coming.IN))
    assert of(skip(at, GRETA, now=NOW).table).least == 3
    ended = scenes.end_session(after(scenes.start_session(at, GRETA)), GRETA)
    assert of(followed(ended, NOW + timedelta(days=7)).table).least == 3
    fewer = plan(at, GRETA, "sat 19:30", least=2, now=NOW)
    assert answers(fewer.table, of(fewer.table))[ALICE.id] == ("Alice", Coming.IN)
    assert of(plan(fewer.table, GRETA, "fri 19:30", now=NOW).table).least == 2


def test_changes_of_a_plan_are_counted_also_those_that_are_taken_back() -> None:
    first = after(plan(table(), GRETA, "sat 19:30", zone="berlin", now=NOW))
    moved = after(plan(first, GRETA, "fri 19:30", now=NOW))
    back = carried(moved, first)
    off = after(call_off(back, GRETA))
    again = carried(off, carried(off, back))
    counts = [each.plan_changes for each in (first, moved, back, off, again)]
    assert counts == [0, 1, 2, 3, 4]
    assert after(reply(moved, ALICE, Coming.IN)).plan_changes == 1
    assert of(plan(off, GRETA, "sat 19:30", now=NOW).table).since == 3
