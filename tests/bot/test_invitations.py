"""The session as a file for calendars: in the plan's message, right whatever becomes of the plan."""

import os
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import vobject

from bot.loopback.model import Message, Permission
from bot.loopback.reply import BotReply
from tests.bot.test_dates import IN_TWO_DAYS, LATER, due, jobs, message, planned, said, settled
from tests.bot.test_tables import begin_nameless
from tests.bot.test_times import TIMES, asked, label
from tests.clock import START
from tests.forked import forked_to, is_loaded
from tests.game import Game

HOUR = timedelta(hours=1)


def read(shown: Message) -> Any:
    """The one event of the one file in a message, as another program reads it."""
    (file,) = shown.files
    assert file.name.endswith(".ics")
    assert any(part["type"] == 13 for box in shown.components for part in box["components"])
    calendar = vobject.readOne(file.data.decode())
    assert calendar.method.value == "PUBLISH"
    (event,) = calendar.vevent_list
    return event


def told(event: Any) -> tuple[int, str, datetime]:
    return int(event.sequence.value), event.status.value, event.dtstart.value


async def test_a_plan_brings_a_file_that_calendars_read(table: Game) -> None:
    plan = await planned(table, " note:Bring snacks; and dice, please")
    event = read(message(plan))
    assert told(event) == (0, "CONFIRMED", IN_TWO_DAYS)
    assert event.dtend.value - event.dtstart.value == 4 * HOUR
    assert event.dtstart.value.utcoffset() == timedelta(0)
    assert START - event.dtstamp.value < timedelta(minutes=5)
    assert event.summary.value == "Skyfall, session 2"
    assert event.description.value == "Bring snacks; and dice, please"
    await table.alice.press(plan, "I'm in")
    again = read(message(plan))
    assert (again.uid.value, told(again)) == (event.uid.value, told(event))


async def test_it_follows_each_change_and_what_is_taken_back(table: Game) -> None:
    plan = await planned(table, " again:weekly zone:berlin")
    first = read(message(plan))
    form = (await table.gm.press(plan, "Move")).form
    assert form is not None
    await table.gm.submit(form, {"When": LATER})
    seen = [read(message(plan))]
    await table.play("gm: /undo")
    await settled(table)
    seen.append(read(message(plan)))
    await table.gm.press(plan, "Skip this one")
    seen.append(read(message(plan)))
    await table.restart()
    await table.gm.press(plan, "Call off")
    seen.append(read(message(plan)))
    await table.play("gm: /undo")
    await settled(table)
    seen.append(read(message(plan)))
    assert {each.uid.value for each in seen} == {first.uid.value}
    assert [int(each.sequence.value) for each in seen] == [1, 2, 3, 4, 5]
    assert [each.status.value for each in seen] == ["CONFIRMED"] * 3 + ["CANCELLED", "CONFIRMED"]
    starts = [each.dtstart.value for each in seen]
    assert starts[:2] == [IN_TWO_DAYS + HOUR, IN_TWO_DAYS]
    assert starts[2] - IN_TWO_DAYS >= timedelta(days=6)
    assert len(table.discord.world.files) == 1


async def test_a_plan_that_is_taken_back_is_cancelled_and_put_back_again(table: Game) -> None:
    plan = await planned(table)
    await table.play("gm: /undo")
    await table.at_rest()
    assert "no longer planned" in message(plan).text
    assert told(read(message(plan)))[:2] == (1, "CANCELLED")
    await table.play("gm: /redo")
    await table.at_rest()
    assert "no longer planned" not in message(plan).text
    assert told(read(message(plan)))[:2] == (2, "CONFIRMED")


async def test_times_that_are_asked_for_have_no_file_until_one_is_taken(table: Game) -> None:
    poll = await asked(table, *TIMES[:2])
    assert message(poll).files == []
    await table.gm.press(poll, f"Take this: {label(TIMES[0])}")
    taken = read(message(poll))
    assert taken.dtstart.value == TIMES[0]
    form = (await table.gm.press(poll, "Move")).form
    assert form is not None
    await table.gm.submit(form, {"When": f"{TIMES[0]:%Y-%m-%d %H:%M}, {TIMES[1]:%Y-%m-%d %H:%M}"})
    assert message(poll).files == []
    await table.gm.press(poll, f"Take this: {label(TIMES[1])}")
    later = read(message(poll))
    assert later.uid.value == taken.uid.value
    assert int(later.sequence.value) > int(taken.sequence.value)


async def test_the_next_one_of_a_weekly_session_is_an_event_of_its_own(table: Game) -> None:
    plan = await planned(table, " again:weekly zone:berlin")
    first = read(message(plan))
    await due(table, (await jobs(table))["next"])
    following = read(await said(table, "Next session"))
    assert following.uid.value != first.uid.value
    assert following.dtstart.value > first.dtstart.value
    await table.at_rest()
    assert "no longer planned" in message(plan).text


async def test_where_discord_takes_no_file_the_plan_is_shown_without_it(table: Game) -> None:
    plan = await planned(table)
    table.discord.faults.fail("POST /interactions/*/callback", 400, code=50035, message="Invalid Form Body")
    await table.alice.press(plan, "I'm in")
    assert "In: gm and Alice" in plan.text
    assert message(plan).files == []
    table.discord.faults.fail("PATCH /channels/*/messages/*", 400, code=50035, message="Invalid Form Body")
    await table.play("alice: /undo")
    await table.at_rest()
    assert "No answer yet: Alice and Bob" in plan.text
    await settled(table)
    await table.alice.press(plan, "I'm in")
    assert read(message(plan)).status.value == "CONFIRMED"


async def test_the_next_one_is_told_where_the_bot_may_attach_no_files(table: Game) -> None:
    await planned(table, " again:weekly zone:berlin")
    table.discord.forbid(table.discord.table, Permission.ATTACH_FILES)
    await due(table, (await jobs(table))["next"])
    following = await said(table, "Next session")
    assert following.files == []


async def test_a_table_without_a_name_has_a_session_by_its_number(game: Game) -> None:
    await begin_nameless(game)
    plan: BotReply = await game.play(f"gm: /session plan when:<t:{int(IN_TWO_DAYS.timestamp())}>")
    assert read(message(plan)).summary.value == "Session 1"


async def test_calendars_are_not_loaded_before_somebody_plans() -> None:
    process = await forked_to(partial(is_loaded, "icalendar"), Path.cwd(), os.environ)
    printed, _ = await process.communicate()
    assert process.returncode == 0, printed.decode()
