"""What is offered where a session is planned."""

from datetime import UTC, datetime

import pytest

from bot.language.printers import spelled
from bot.views import schedule
from bot.views.question import Pressed
from bot.views.schedule import readable_times
from rules.campaign.schedule import QuietHours, plan
from rules.errors import NotAllowed
from rules.names import Coming
from rules.table import Table
from rules.values import replace
from tests.bot.views.asking import GM, answers, begun
from tests.rules.people import ALICE

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def planned() -> Table:
    return plan(begun(), GM, "sat 19:30", zone="Europe/Berlin", now=NOW).table


def test_everybody_says_whether_they_come_by_a_press() -> None:
    at = planned()
    assert at.plan is not None
    come, (_, off) = schedule.plan_rows(at, at.plan)
    weekly = replace(at.plan, weeks=1)
    assert [spelled(each.label) for each in schedule.plan_rows(at, weekly)[1]] == [
        "Move",
        "Skip this one",
        "Call off",
    ]
    presses = [Pressed(button.verb, 1, button.number, button.subject) for button in come]
    rules = [schedule.coming(press, NOW, QuietHours()) for press in presses]
    said = [rule(at, ALICE).table.plan for rule in rules]
    assert [each.replies[ALICE.id].coming for each in said if each] == [Coming.IN, Coming.MAYBE, Coming.OUT]
    (step,) = answers(at, GM, off)
    assert step.table.plan is not None
    assert schedule.plan_rows(step.table, step.table.plan) == ()


def test_the_form_to_move_asks_for_the_zone_only_where_there_is_none() -> None:
    press = Pressed("moveplan", 1, 1, "")
    assert [each.key for each in schedule.move_form(planned(), GM, press).fields] == ["when"]
    assert [each.key for each in schedule.move_form(begun(), GM, press).fields] == ["when", "zone"]
    with pytest.raises(NotAllowed, match="Only the GM"):
        schedule.move_form(planned(), ALICE, press)


@pytest.mark.parametrize(
    ("typed", "zone", "meant"),
    [
        ("sat 19:30", "europe/berlin", "Saturday 28 November 2026, 19:30 (Europe/Berlin)"),
        ("2026-11-28 19:30Z", "", "Saturday 28 November 2026, 19:30 (UTC)"),
        ("sat 19", "Europe/Berlin", "sat 19"),
        ("sat 19:30", "", "sat 19:30"),
        ("sat 19:30", "Nowhere", "sat 19:30"),
    ],
)
def test_a_time_is_completed_by_what_it_is_understood_as(typed: str, zone: str, meant: str) -> None:
    assert _understood(begun(), typed, zone) == [(meant, typed)]


def test_a_time_is_understood_with_its_day_of_the_week() -> None:
    days = [f"{day} nov 2026 19:30" for day in range(23, 30)]
    said = [_understood(begun(), day, "Europe/Berlin")[0][0].partition(" ")[0] for day in days]
    assert said == ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def test_what_may_be_two_times_is_completed_by_each() -> None:
    (may, june) = _understood(begun(), "5/6 7pm", "Europe/Berlin")
    assert may == ("Thursday 6 May 2027, 19:00 (Europe/Berlin)", "2027-05-06 19:00")
    assert june == ("Saturday 5 June 2027, 19:00 (Europe/Berlin)", "2027-06-05 19:00")
    hours = _understood(begun(), "friday", "Europe/Berlin")
    assert hours[0] == ("Friday 27 November 2026, 18:00 (Europe/Berlin)", "friday 18:00")
    assert _understood(planned(), "friday", "Europe/Berlin")[0][0].startswith(
        "Friday 27 November 2026, 19:30"
    )


def _understood(table: Table, typed: str, zone: str) -> list[tuple[str, str]]:
    return [(spelled(meant), value) for meant, value in readable_times(table, typed, NOW, zone)]
