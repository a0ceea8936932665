"""The next session: who plans, moves and answers, and what is planned after it."""

from datetime import UTC, datetime, timedelta

import pytest

from rules.campaign import scenes
from rules.campaign.schedule import (
    MOST,
    answers,
    call_off,
    followed,
    plan,
    repeated,
    reply,
    skip,
    standing,
    told_at,
)
from rules.campaign.seats import Actor
from rules.errors import NotAllowed, RuleError, TooLate
from rules.facts import CalledOff, Planned, Replied, SettingChanged
from rules.names import Coming, Plan, Reply
from rules.table import Table
from rules.values import replace
from tests.rules.people import ALICE, BOB, GRETA, ZOE, after, table

NOW = datetime(2026, 10, 18, 12, tzinfo=UTC)
"""A Sunday; the clocks of Berlin change a week later."""
SAT = int(datetime(2026, 10, 24, 17, 30, tzinfo=UTC).timestamp())
HOUR = 3600


def planned(weeks: int | None = None) -> Table:
    return after(plan(table(), GRETA, "sat 19:30", "Snacks", weeks, "berlin", now=NOW))


def of(at: Table) -> Plan:
    assert at.plan is not None
    return at.plan


def test_a_session_is_planned_by_the_gm_who_is_in() -> None:
    step = plan(table(), GRETA, "sat 19:30", "Snacks", 1, "berlin", now=NOW)
    assert step.facts == (SettingChanged("time zone", "Europe/Berlin"), Planned(SAT, "Snacks", 1))
    assert of(step.table).replies == {1: Reply("Greta", Coming.IN)}
    assert [name for name, _ in answers(step.table, of(step.table)).values()] == ["Greta", "Alice", "Bob"]
    moved = plan(after(step), GRETA, "2026-10-25 19:30", now=NOW)
    assert moved.facts == (Planned(SAT + 25 * HOUR, "Snacks", 1, SAT),)


@pytest.mark.parametrize(
    ("who", "again", "why"),
    [(ALICE, None, "Only the GM"), (GRETA, None, "for that time")],
)
def test_who_plans_nothing_new_is_refused(who: Actor, again: int | None, why: str) -> None:
    with pytest.raises(RuleError, match=why):
        plan(planned(), who, "sat 19:30", "", again, now=NOW)


def test_the_same_time_of_day_needs_a_zone_to_be_planned_again() -> None:
    with pytest.raises(NotAllowed, match="name your time zone once"):
        plan(table(), GRETA, "2026-10-24 19:30+02:00", "", 1, now=NOW)
    assert of(plan(table(), GRETA, "2026-10-24 19:30+02:00", now=NOW).table).at == SAT


def test_everybody_answers_and_is_asked_anew_when_the_session_moves() -> None:
    at = planned()
    for who, coming in ((ALICE, Coming.IN), (BOB, Coming.OUT), (ZOE, Coming.MAYBE), (BOB, Coming.MAYBE)):
        step = reply(at, who, coming, of(at).number)
        assert step.facts == (Replied(who.name, coming, SAT),)
        at = after(step)
    said = [coming for _, coming in answers(at, of(at)).values()]
    assert said == [Coming.IN, Coming.IN, Coming.MAYBE, Coming.MAYBE]
    moved = plan(at, GRETA, "sun 19:30", now=NOW).table
    assert [coming for _, coming in answers(moved, of(moved)).values()] == [Coming.IN, None, None, None]
    assert of(moved).number == of(at).number


def test_what_changes_nothing_or_comes_too_late_is_refused() -> None:
    at = planned()
    with pytest.raises(NotAllowed, match="You've already given that answer"):
        reply(at, GRETA, Coming.IN)
    with pytest.raises(TooLate, match="no longer planned"):
        reply(at, ALICE, Coming.IN, of(at).number + 1)
    with pytest.raises(TooLate, match="no longer planned"):
        call_off(table(), GRETA)
    with pytest.raises(NotAllowed, match="Only the GM"):
        call_off(at, ALICE)
    off = call_off(at, GRETA)
    assert off.facts == (CalledOff(SAT),)
    with pytest.raises(TooLate, match="has been called off"):
        reply(off.table, ALICE, Coming.IN)
    assert of(plan(off.table, GRETA, "sat 19:30", now=NOW).table).note == ""


def test_not_everybody_in_the_world_answers() -> None:
    at = planned()
    crowd = {number: Reply("Zoe", Coming.IN) for number in range(100, 100 + MOST)}
    with pytest.raises(NotAllowed, match=f"{MOST} people"):
        reply(replace(at, plan=replace(of(at), replies=crowd)), ALICE, Coming.IN)


@pytest.mark.parametrize(("weeks", "days"), [(1, 7), (2, 14)])
def test_the_next_one_is_planned_at_the_sessions_end_for_the_same_time_of_day(weeks: int, days: int) -> None:
    at = after(scenes.start_session(after(reply(planned(weeks), BOB, Coming.OUT)), GRETA))
    early = followed(scenes.end_session(at, GRETA), NOW)
    assert early.table.plan == at.plan
    evening = datetime.fromtimestamp(SAT, UTC) + timedelta(hours=4)
    step = followed(scenes.end_session(at, GRETA), evening)
    following = of(step.table)
    assert following.at == SAT + days * 24 * HOUR + HOUR
    assert step.facts[-1] == Planned(following.at, "Snacks", weeks)
    assert following.number != of(at).number
    assert {each.coming for each in following.replies.values()} == {None}


def test_one_of_them_is_skipped_and_everybody_asked_anew() -> None:
    at = after(reply(planned(1), BOB, Coming.OUT))
    step = skip(at, GRETA, of(at).number, now=NOW)
    following = of(step.table)
    assert step.facts == (CalledOff(SAT), Planned(following.at, "Snacks", 1))
    assert following.at == SAT + 7 * 24 * HOUR + HOUR
    assert {name: each.coming for name, each in zip("GB", following.replies.values(), strict=True)} == {
        "G": Coming.IN,
        "B": None,
    }
    for table_, who, why in ((at, ALICE, "Only the GM"), (planned(), GRETA, "session")):
        with pytest.raises(NotAllowed, match=why):
            skip(table_, who, now=NOW)


def test_a_weekly_session_whose_time_the_clocks_skip_once_has_it_again_a_week_later() -> None:
    march = datetime(2027, 3, 20, 12, tzinfo=UTC)
    at = after(plan(table(), GRETA, "21.3. 2:30", "", 1, "berlin", now=march))
    days = []
    for _ in range(3):
        days.append(datetime.fromtimestamp(of(at).at, UTC).strftime("%d.%m. %H:%M"))
        at = after(skip(at, GRETA, now=march))
    assert days == ["21.03. 01:30", "28.03. 01:30", "04.04. 00:30"]
    assert of(at).minute is None


def test_a_day_without_an_hour_has_the_one_that_the_clocks_skipped() -> None:
    march = datetime(2027, 3, 20, 12, tzinfo=UTC)
    at = after(plan(table(), GRETA, "21.3. 2:30", "", 1, "berlin", now=march))
    at = after(skip(at, GRETA, now=march))
    assert of(at).minute == 150
    moved = of(plan(at, GRETA, "30.3.", now=march).table)
    assert (moved.at, moved.minute) == (int(datetime(2027, 3, 30, 0, 30, tzinfo=UTC).timestamp()), None)


def test_the_next_one_is_planned_where_nobody_ends_the_session() -> None:
    late = datetime.fromtimestamp(SAT, UTC) + timedelta(hours=12)
    at = planned(1)
    assert of(told_at(at, late)).is_over
    assert told_at(at, NOW) == at
    assert of(repeated(at, SAT, late).table).at > SAT
    for gone in (planned(), after(call_off(at, GRETA)), repeated(at, SAT, late).table):
        with pytest.raises(TooLate, match="no longer planned"):
            repeated(gone, SAT, late)


def test_what_is_over_or_called_off_is_not_planned_again() -> None:
    evening = datetime.fromtimestamp(SAT, UTC) + timedelta(hours=4)
    for before in (planned(), after(call_off(planned(1), GRETA))):
        at = after(scenes.start_session(before, GRETA))
        over = followed(scenes.end_session(at, GRETA), evening).table
        assert standing(over, NOW) is None
        with pytest.raises(TooLate, match="no longer planned"):
            reply(over, ALICE, Coming.IN)
        following = of(plan(over, GRETA, "in a week", now=evening).table)
        assert following.at == SAT + 7 * 24 * HOUR + HOUR
        assert following.number != of(before).number
