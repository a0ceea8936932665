"""The next session as people meet it: asked in one message, reminded once, in the server's calendar."""

import asyncio
import re
from datetime import datetime, time, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest

from bot.loopback.model import Message, Permission, ScheduledEvent
from bot.loopback.reply import BotReply
from bot.store.history import Place
from bot.store.jobs import Job
from rules.campaign.schedule import QuietHours, repeated
from rules.values import replace
from tests.bot.test_buttons import is_refused
from tests.bot.test_tables import begin_nameless
from tests.clock import START
from tests.game import Game

IN_TWO_DAYS = (START + timedelta(days=2)).replace(microsecond=0)
WHEN = f"when:{IN_TWO_DAYS:%Y-%m-%dT%H:%M:%SZ}"
STAMP = f"<t:{int(IN_TWO_DAYS.timestamp())}:F>"
LATER = f"<t:{int(IN_TWO_DAYS.timestamp()) + 3600}>"


async def planned(table: Game, more: str = "") -> BotReply:
    """A session in two days; its reminders are set up."""
    reply = await table.play(f"gm: /session plan {WHEN}{more}")
    await settled(table)
    return reply


async def settled(table: Game) -> None:
    """What follows the table has followed."""
    await table.at_rest()


async def jobs(table: Game) -> dict[str, Job]:
    """What is due of the one campaign, by kind and hours."""
    (campaign, _), *_ = await table.ledger.past.changed_last()
    known = await table.ledger.jobs.of_campaign(campaign)
    return {key.removesuffix(f":{campaign}").replace(f":{campaign}:", " "): job for key, job in known.items()}


async def due(table: Game, job: Job) -> None:
    """Let time pass until a job is due; it is done then, and stands for the same no more."""
    await settled(table)
    await table.advance((job.due - table.now).total_seconds())
    await table.at_rest()
    left = await table.ledger.jobs.get(job.key)
    assert left is None or left.due > job.due


def events(table: Game) -> list[ScheduledEvent]:
    return list(table.discord.world.home.events.values())


async def said(table: Game, words: str) -> Message:
    """The newest message, once it says that."""
    await table.at_rest()
    assert words in table.discord.messages()[-1].text
    return table.discord.messages()[-1]


def stamp_of(shown: Message) -> int:
    """The time that a plan's card names first."""
    return int(shown.text.partition("<t:")[2].partition(":")[0])


def message(reply: BotReply) -> Message:
    assert reply.message is not None
    return reply.message


async def test_people_are_asked_in_one_message_which_is_pressed_by_all(table: Game) -> None:
    asked = await planned(table, " note:Snacks again:weekly zone:berlin")
    assert [each.label for each in asked.buttons] == [
        "I'm in",
        "Maybe",
        "Can't",
        "Move",
        "Skip this one",
        "Call off",
    ]
    assert STAMP in message(asked).text
    assert f"<t:{int(IN_TWO_DAYS.timestamp())}:R>" in message(asked).text
    assert message(asked).pings == {table.alice.user.id, table.bob.user.id}
    players = (table.alice, table.bob, table.person("zoe"))
    await asyncio.gather(*(who.press(asked, "I'm in") for who in players))
    await settled(table)  # a later edit mends what an overtaken answer has shown
    assert "In: gm, Alice, Bob and zoe" in message(asked).text
    await table.bob.press(asked, "Can't")
    assert asked.text.splitlines()[2:] == [
        "Snacks",
        "In: gm, Alice and zoe",
        "Can't: Bob",
        "Repeats weekly.",
    ]
    refused = await table.bob.press(asked, "Can't")
    assert refused.private
    assert "already given that answer" in refused.text
    await table.play("bob: /undo")
    await settled(table)
    assert "In: gm, Alice, Bob and zoe" in message(asked).text
    assert STAMP in message(await table.says("bob: /table show")).text


async def test_a_plain_undo_takes_back_no_answer_of_somebody_else(table: Game) -> None:
    await table.play("gm: /doom add dice:d10")
    asked = await planned(table)
    await table.bob.press(asked, "Maybe")
    refused = await table.says("gm: /undo")
    assert refused.private
    assert "step 8 builds on it" in refused.text
    assert "step by step" not in refused.text
    await table.bob.press(asked, "Can't")
    await table.play("gm: /doom add dice:d12")
    await table.alice.press(asked, "I'm in")
    assert "Undone: Doom pool: 2d6 d10 again" in (await table.play("gm: /undo")).text
    await settled(table)
    assert "In: gm and Alice" in message(asked).text
    assert "Can't: Bob" in message(asked).text
    assert "Undone: “Bob can't come on" in (await table.play("bob: /undo")).text
    back = await table.gm.press(refused, "Go back before step")
    assert "Undone: The next session is on" in back.text


async def test_reminders_come_once_to_who_is_in_or_silent(table: Game) -> None:
    asked = await planned(table)
    await table.bob.press(asked, "Can't")
    await table.person("zoe").press(asked, "Maybe")
    day, hour = (await jobs(table))["remind 24"], (await jobs(table))["remind 1"]
    assert (IN_TWO_DAYS - day.due, IN_TWO_DAYS - hour.due) == (timedelta(days=1), timedelta(hours=1))
    await due(table, day)
    reminder = table.discord.messages()[-1]
    assert reminder.pings == {table.gm.user.id, table.alice.user.id}
    assert "The session starts soon" in reminder.text
    count = len(table.discord.messages())
    await due(table, day)  # as after a crash between the message and its note
    assert len(table.discord.messages()) == count
    await table.restart()
    await settled(table)
    assert set(await jobs(table)) >= {"remind 1", "event"}
    assert "remind 24" not in await jobs(table)
    await table.alice.press(reminder, "I'm in")
    await settled(table)
    assert "In: gm and Alice" in message(asked).text


async def test_who_rests_is_reminded_when_they_do_no_more(table: Game) -> None:
    asked = await planned(table)
    await table.bob.press(asked, "I'm in")
    day, now = (await jobs(table))["remind 24"], START
    await table.says(f"bob: /quiet from:{now:%H:%M} to:{now + timedelta(hours=3):%H:%M} zone:UTC")
    await table.says("alice: /away until:in 5 hours zone:UTC")
    assert day.campaign is not None
    known = await table.ledger.jobs.get(day.key)
    assert known is not None
    await table.ledger.jobs.put(replace(known, due=START))
    await table.at_rest()
    assert table.discord.messages()[-1].pings == {table.gm.user.id}
    later = await table.ledger.jobs.get(day.key)
    assert later is not None
    assert (later.due.hour, later.due.minute) == ((now.hour + 3) % 24, now.minute)
    await table.ledger.quiet_hours.keep(table.bob.user.id, QuietHours())
    await table.ledger.quiet_hours.keep(table.alice.user.id, QuietHours())
    await due(table, later)
    assert table.discord.messages()[-1].pings == {table.alice.user.id, table.bob.user.id}
    count = len(table.discord.messages())
    await table.ledger.quiet_hours.keep(table.gm.user.id, QuietHours(muted=(day.campaign,)))
    await table.ledger.quiet_hours.keep(
        table.bob.user.id, QuietHours(until=int(IN_TWO_DAYS.timestamp()) + 60)
    )
    await table.alice.press(asked, "Can't")
    await due(table, (await jobs(table))["remind 1"])
    assert len(table.discord.messages()) == count


async def test_who_is_away_then_counts_as_not_coming_until_they_say_otherwise(table: Game) -> None:
    await table.says("alice: /away until:in 3 days, 12:00 zone:UTC")
    asked = await planned(table)
    assert "Can't: Alice (away)" in message(asked).text
    assert "No answer yet: Bob" in message(asked).text
    assert message(asked).pings == {table.bob.user.id}
    await table.bob.press(asked, "Can't")
    assert "Can't: Bob and Alice (away)" in message(asked).text
    await due(table, (await jobs(table))["remind 24"])
    reminder = table.discord.messages()[-1]
    assert reminder.pings == {table.gm.user.id}
    back = await table.says("alice: /quiet")
    await table.alice.press(back, "Remind me at any time")
    await settled(table)
    assert "No answer yet: Alice" in message(asked).text
    await table.says("alice: /away until:in 3 days, 12:00 zone:UTC")
    await settled(table)
    assert "Can't: Bob and Alice (away)" in message(asked).text
    await table.alice.press(asked, "I'm in")
    assert "In: gm and Alice" in message(asked).text


async def test_who_goes_away_after_they_have_answered_counts_as_not_coming(table: Game) -> None:
    asked = await planned(table)
    await table.alice.press(asked, "I'm in")
    await table.advance(minutes=1)
    await table.says("alice: /away until:in 4 days, 12:00 zone:UTC")
    await table.says("gm: /away until:in 4 days, 12:00 zone:UTC")  # has planned it, and pressed nothing
    await settled(table)
    assert "Can't: gm (away) and Alice (away)" in message(asked).text
    await table.gm.press(asked, "I'm in")
    assert "In: gm" in message(asked).text
    await due(table, (await jobs(table))["remind 24"])
    assert table.discord.messages()[-1].pings == {table.bob.user.id}
    await table.alice.press(asked, "I'm in")
    assert "In: gm and Alice" in message(asked).text
    assert "already given that answer" in (await table.alice.press(asked, "I'm in")).text
    await table.advance(minutes=1)
    await table.says("alice: /away until:in 5 days, 12:00 zone:UTC")
    await settled(table)
    assert "Can't: Alice (away)" in message(asked).text


async def test_a_session_is_moved_or_called_off_in_one_press_and_everybody_is_told(table: Game) -> None:
    asked = await planned(table)
    old = (await jobs(table))["remind 24"]
    await table.alice.press(asked, "I'm in")
    assert "Only the GM" in (await table.alice.press(asked, "Move")).text
    form = (await table.gm.press(asked, "Move")).form
    assert form is not None
    refused = await table.gm.submit(form, {"When": "soon"})
    assert "isn't a time" in refused.text
    await table.gm.submit(form, {"When": LATER})
    told = await said(table, "has been moved to")
    assert told.pings == {table.alice.user.id, table.bob.user.id}
    assert "No answer yet: Alice and Bob" in message(asked).text
    await settled(table)
    assert (await jobs(table))["remind 24"].due - old.due == timedelta(hours=1)
    (event,) = events(table)
    assert datetime.fromisoformat(event.begins) == IN_TWO_DAYS + timedelta(hours=1)
    count = len(table.discord.messages())
    await due(table, replace(old, key="remind:late"))  # it was being done while the session moved
    assert len(table.discord.messages()) == count
    assert "Only the GM" in (await table.alice.press(asked, "Call off")).text
    await table.gm.press(asked, "Call off")
    await said(table, "has been called off")
    await settled(table)
    assert await jobs(table) == {}
    assert events(table) == []
    assert message(asked).text.startswith("### Next session: called off")
    assert asked.buttons == []
    await table.play("gm: /undo")
    await settled(table)
    assert set(await jobs(table)) == {"remind 24", "remind 1", "event"}
    assert len(events(table)) == 1
    await table.restart()
    await table.play("gm: /redo")
    await settled(table)
    assert await jobs(table) == {}
    assert events(table) == []


async def test_one_week_of_a_weekly_session_is_skipped_in_one_press(table: Game) -> None:
    once = await planned(table)
    assert "Skip this one" not in [each.label for each in once.buttons]
    await table.play("gm: /undo")
    asked = await planned(table, " again:weekly zone:berlin")
    await table.alice.press(asked, "I'm in")
    assert [each.label for each in asked.buttons[3:]] == ["Move", "Skip this one", "Call off"]
    assert "Only the GM" in (await table.alice.press(asked, "Skip this one")).text
    await table.gm.press(asked, "Skip this one")
    told = await said(table, "has been called off")
    assert told.pings == {table.gm.user.id, table.alice.user.id, table.bob.user.id}
    assert "The next session is on" in told.text
    assert "No answer yet: Alice and Bob" in message(asked).text
    assert stamp_of(message(asked)) > IN_TWO_DAYS.timestamp() + 6 * 24 * 3600
    await settled(table)
    assert (await jobs(table))["next"].payload["at"] == stamp_of(message(asked))
    (event,) = events(table)
    assert datetime.fromisoformat(event.begins).timestamp() == stamp_of(message(asked))


async def test_a_press_is_for_the_date_on_its_card(table: Game) -> None:
    asked = await planned(table, " again:weekly zone:berlin")
    skip, cannot, off = (table.gm.look_for(asked, which) for which in ("Skip this one", "Can't", "Call off"))
    await table.gm.push(asked, skip)
    await said(table, "has been called off")
    following = stamp_of(message(asked))
    count = len(table.discord.messages())
    for who, button in ((table.gm, skip), (table.bob, cannot), (table.gm, off)):
        refused = await who.push(asked, button)
        assert refused.private
        assert "to another time. To see" in refused.text
    await settled(table)
    assert stamp_of(message(asked)) == following
    assert "No answer yet: Alice and Bob" in message(asked).text
    assert len(table.discord.messages()) == count
    await table.bob.press(asked, "Can't")
    assert "Can't: Bob" in message(asked).text
    skip = table.gm.look_for(asked, "Skip this one")
    both = await asyncio.gather(table.gm.push(asked, skip), table.gm.push(asked, skip))
    assert sorted(each.private for each in both) == [False, True]
    assert stamp_of(message(asked)) - following in [(7 * 24 + hours) * 3600 for hours in (-1, 0, 1)]
    await table.gm.press(asked, "Call off")
    assert message(asked).text.startswith("### Next session: called off")


async def test_a_card_that_is_called_off_asks_nobody_and_says_no_more_when_it_is_again(table: Game) -> None:
    asked = await planned(table, " again:weekly zone:berlin")
    await table.bob.press(asked, "Can't")
    await table.gm.press(asked, "Call off")
    assert message(asked).text.splitlines()[2:] == ["In: gm", "Can't: Bob"]


async def test_a_weekly_session_whose_time_the_clocks_skip_once_has_it_again_a_week_later(
    table: Game,
) -> None:
    there, day = ZoneInfo("Europe/Berlin"), START.date() + timedelta(days=8)
    while day.weekday() != 6 or day.month != 3 or day.day < 25:  # the last Sunday of March
        day += timedelta(days=1)
    before = day - timedelta(days=7)
    asked = await table.play(
        f"gm: /session plan when:{before} 2:30 zone:Europe/Berlin again:weekly",
    )
    shown = []
    for _ in range(2):
        await table.gm.press(asked, "Skip this one")
        shown.append(datetime.fromtimestamp(stamp_of(message(asked)), there).strftime("%F %H:%M"))
    assert shown == [f"{day} 03:30", f"{day + timedelta(days=7)} 02:30"]


async def test_a_session_that_is_moved_back_by_undo_has_the_answers_it_had(table: Game) -> None:
    asked = await planned(table)
    await table.alice.press(asked, "I'm in")
    form = (await table.gm.press(asked, "Move")).form
    assert form is not None
    await table.gm.submit(form, {"When": LATER})
    await said(table, "has been moved to")
    zoe = table.person("zoe")
    await table.bob.press(asked, "Can't")
    await zoe.press(asked, "Maybe")
    undone = await table.play("gm: /undo")
    await settled(table)
    assert stamp_of(message(asked)) == IN_TWO_DAYS.timestamp()
    assert message(asked).text.splitlines()[2:] == ["In: gm and Alice", "No answer yet: Bob and zoe"]
    assert message(undone).pings == {each.user.id for each in (table.gm, table.alice, table.bob, zoe)}
    assert f"The next session is on {STAMP}" in undone.text.replace("**", "")
    await table.play("gm: /redo")
    await settled(table)
    assert stamp_of(message(asked)) == IN_TWO_DAYS.timestamp() + 3600
    assert "Can't: Bob" in message(asked).text
    await table.alice.press(asked, "Can't")
    refused = await table.says("gm: /undo")
    assert refused.private
    assert "step 13 builds on it" in refused.text
    back = await table.gm.press(refused, "Go back before step")
    assert "has been moved to" in back.text
    await settled(table)
    assert stamp_of(message(asked)) == IN_TWO_DAYS.timestamp()
    assert "In: gm and Alice" in message(asked).text


async def test_the_next_one_is_asked_for_where_nobody_ends_a_session(table: Game) -> None:
    asked = await planned(table, " again:weekly zone:berlin")
    job = (await jobs(table))["next"]
    assert job.due - IN_TWO_DAYS == timedelta(hours=12)
    table.discord.world.last_id += 2 * 24 * 3600 * 1000 + 60_000 << 22  # by Discord's clock it has begun
    shown = await table.says("bob: /table show")
    assert "Next session" not in shown.text
    await due(table, job)
    new = table.discord.messages()[-1]
    assert new.pings == {table.gm.user.id, table.alice.user.id, table.bob.user.id}
    assert stamp_of(new) > IN_TWO_DAYS.timestamp() + 6 * 24 * 3600
    assert "No answer yet: gm, Alice and Bob" in new.text
    await settled(table)
    assert not asked.buttons
    assert f"<t:{stamp_of(new)}" in (await table.says("bob: /table show")).text
    await table.bob.press(new, "I'm in")
    assert "In: Bob" in new.text
    await settled(table)
    assert (await jobs(table))["next"].payload["at"] == stamp_of(new)
    await settled(table)  # else what follows the press would put the job of the new date in its place
    count = len(table.discord.messages())
    await due(table, job)  # as after a crash between the message and its note
    assert len(table.discord.messages()) == count
    await table.play("gm: /session end")
    assert table.discord.messages()[count:][0].text.startswith("### Session 1 ends")
    assert len(table.discord.messages()) == count + 1


async def test_a_next_one_that_was_planned_and_not_told_before_a_crash_is_told(table: Game) -> None:
    await planned(table, " again:weekly zone:berlin")
    job = (await jobs(table))["next"]
    assert job.campaign is not None
    place = Place(table.discord.table.id, table.discord.world.home.id)
    rule = partial(repeated, at=job.payload["at"], now=job.due)
    table.bot.dates.later.retry = 0.0  # nobody tells the new one, which it waits for
    await table.bot.play.come_round(job.campaign, place, rule)
    await settled(table)
    count = len(table.discord.messages())
    await due(table, replace(job, key="next:late"))  # it was planned at the session's end, and told then
    assert len(table.discord.messages()) == count
    await table.bot.dates.kinds()["next"](replace(job, key="next:late", tries=1))
    assert "No answer yet: gm, Alice and Bob" in table.discord.messages()[-1].text


async def test_an_event_of_a_table_without_a_name_is_a_session(game: Game) -> None:
    await begin_nameless(game)
    await planned(game)
    assert [event.name for event in events(game)] == ["Game session"]


async def test_without_the_right_everything_else_works_and_it_says_what_is_missing(table: Game) -> None:
    table.discord.world.home.denied |= Permission.CREATE_EVENTS
    asked = await table.play(f"gm: /session plan {WHEN}")
    assert "The bot can't add a calendar event: it needs the Create Events" in asked.text
    await settled(table)
    assert events(table) == []
    assert {"remind 24", "remind 1"} < set(await jobs(table))
    assert "In: gm and Alice" in (await table.alice.press(asked, "I'm in")).text


async def test_a_plan_whose_channel_is_gone_is_told_in_another_or_by_direct_message(table: Game) -> None:
    other = table.discord.channel("other")
    await table.gm.slash("/campaign join name:Skyfall", channel=other)
    await planned(table, " again:weekly zone:berlin")
    known = await jobs(table)
    await table.discord.delete_channel(table.discord.table)
    await table.gm.slash("/about", channel=other)  # it has been heard of
    await due(table, known["remind 24"])
    reminder = table.discord.messages(other)[-1]
    assert "The session starts soon" in reminder.text
    assert reminder.pings == {table.gm.user.id, table.alice.user.id, table.bob.user.id}
    await table.bob.press(reminder, "I'm in")
    await table.discord.delete_channel(other)
    await settled(table)
    for job, told in ((known["remind 1"], "The session starts soon"), (known["next"], "No answer yet")):
        await due(table, job)
        alone = table.discord.messages(table.discord.dm(table.gm))[-1]
        assert told in alone.text
        assert "Skyfall" in alone.text
        assert "The bot can't post in any channel of **Skyfall**." in alone.text
        assert "or play in another channel: `/campaign join name:Skyfall`" in alone.text
        assert told in table.discord.messages(table.discord.dm(table.alice))[-1].text


async def test_people_are_reminded_alone_where_the_bot_may_not_write_unless_they_rest(table: Game) -> None:
    await planned(table)
    known = await jobs(table)
    table.discord.forbid(table.discord.table, Permission.SEND_MESSAGES)
    count = len(table.discord.messages())
    await table.ledger.quiet_hours.keep(table.gm.user.id, QuietHours(until=int(IN_TWO_DAYS.timestamp()) + 60))
    await due(table, known["remind 24"])
    assert not table.discord.messages(table.discord.dm(table.gm))
    await table.ledger.quiet_hours.keep(table.gm.user.id, QuietHours())
    await due(table, known["remind 1"])
    assert len(table.discord.messages()) == count
    assert "The session starts soon" in table.discord.messages(table.discord.dm(table.gm))[-1].text


async def test_the_end_of_a_session_asks_for_the_next_one(table: Game) -> None:
    await planned(table, " again:every two weeks zone:berlin")
    table.discord.world.last_id += 3 * 24 * 3600 * 1000 << 22  # by Discord's clock it is three days later
    await table.play("gm: /session end")
    asked = await said(table, "No answer yet: gm, Alice and Bob")
    assert asked.pings == {table.gm.user.id, table.alice.user.id, table.bob.user.id}
    assert STAMP not in asked.text
    await settled(table)
    assert set(await jobs(table)) == {"remind 24", "remind 1", "next", "event"}


def in_berlin(days: int, clock: str) -> str:
    """A stamp of that time so many days from today."""
    there = ZoneInfo("Europe/Berlin")
    day = START.astimezone(there).date() + timedelta(days=days)
    return f"<t:{int(datetime.combine(day, time.fromisoformat(clock), there).timestamp())}:F>"


async def test_a_day_without_an_hour_has_that_of_the_last_plan_or_asks(table: Game) -> None:
    asked = await table.says("gm: /session plan when:in 3 days zone:berlin")
    assert asked.private
    assert '"in 3 days' in asked.text
    assert [each.label for each in asked.buttons] == ["18:00", "19:00", "19:30", "20:00", "21:00"]
    made = await table.gm.press(asked, "19:30")
    assert in_berlin(3, "19:30") in made.text
    table.discord.world.last_id += 4 * 24 * 3600 * 1000 << 22  # by Discord's clock it is four days later
    await table.play("gm: /session end")
    offered = await table.gm.complete("/session plan when:in 2 days")
    assert len(offered) == 1
    assert " 19:30 (Europe/Berlin)" in offered[0].name
    assert in_berlin(6, "19:30") in (await table.play("gm: /session plan when:in 2 days")).text
    away = await table.says("alice: /away until:in 2 days")
    assert in_berlin(6, "19:30")[:-2] in away.text


async def test_today_is_not_over_where_the_hour_of_the_last_plan_is(table: Game) -> None:
    await table.play("gm: /session plan when:in 3 days 0:01 zone:berlin")
    for command in ("gm: /session plan when:today", "alice: /away until:tonight"):
        asked = await table.says(command)
        assert asked.private
        assert f'"{command.rpartition(":")[2]}" at what time?' in asked.text
        now = f"{START.astimezone(ZoneInfo('Europe/Berlin')):%H:%M}"
        assert all(each.label > now for each in asked.buttons)
        assert asked.buttons or "23:59" in asked.text
    offered = await table.gm.complete("/session plan when:today")
    assert all("Europe/Berlin" in each.name or each.name == "today" for each in offered)
    refused = await table.says("gm: /session plan when:sat 19.30pm")
    assert '"19.30pm" isn\'t a time of day.' in refused.text
    assert in_berlin(2, "19:30") in (await table.play("gm: /session plan when:in 2 days 7.30pm")).text


async def test_a_day_that_was_yesterday_is_refused_and_not_taken_for_next_years(table: Game) -> None:
    gone = START.astimezone(ZoneInfo("Europe/Berlin")).date() - timedelta(days=1)
    for typed in (f"{gone:%d.%m.} 19:00", f"{gone:%d %b} 19:00"):
        refused = await table.says(f"gm: /session plan zone:Europe/Berlin when:{typed}")
        assert is_refused(refused)
        assert "is in the" in refused.text
        assert f"Example: {gone.year + 1}" in refused.text
    assert await table.ledger.past.changed_last() == []


async def test_a_day_and_a_month_that_may_be_either_way_are_asked_for(table: Game) -> None:
    offered = await table.gm.complete("/session plan zone:Europe/Berlin when:5/6 7pm")
    assert [" 6 May " in each.name or " 5 June " in each.name for each in offered] == [True, True]
    asked = await table.says("gm: /session plan when:5/6 7pm zone:berlin")
    # Between the two days of a year one of them is next year's, and says so.
    may, june = (each.label for each in asked.buttons)
    assert (may[:5], june[:6]) == ("6 May", "5 June")
    made = await table.gm.press(asked, june)
    stamp = int(made.text.partition("<t:")[2].partition(":")[0])
    assert datetime.fromtimestamp(stamp, ZoneInfo("Europe/Berlin")).strftime("%d.%m. %H:%M") == "05.06. 19:00"
    form = (await table.gm.press(made, "Move")).form
    assert form is not None
    again = await table.gm.submit(form, {"When": "5/6"})
    assert (await table.gm.press(again, may)).text.startswith("Next session")


async def test_what_is_no_time_to_come_is_said_with_an_example(table: Game) -> None:
    for typed in ("31.2.", "25:00", "noon", "2020-03-29 02:30", "today 0:00", "friday 7"):
        refused = await table.says(f"gm: /session plan when:{typed} zone:berlin")
        assert refused.private, typed
        assert re.search("Example: |isn't a time of day|no such day|in the past", refused.text), typed


async def test_when_somebody_is_back_is_completed_in_their_own_zone(table: Game) -> None:
    await table.play(f"gm: /session plan {WHEN} zone:Europe/Berlin")
    await table.says("alice: /quiet from:22:00 to:8:00 zone:Asia/Tokyo")
    offered = await table.alice.complete("/away until:sat 19:30")
    assert offered[0].name.endswith(" 19:30 (Asia/Tokyo)")


async def test_a_time_is_completed_as_it_is_understood(table: Game) -> None:
    offered = await table.gm.complete("/session plan zone:Europe/Berlin when:sat 19:30")
    assert [each.value for each in offered] == ["sat 19:30"]
    assert offered[0].name.startswith("Saturday ")
    assert offered[0].name.endswith(" 19:30 (Europe/Berlin)")
    assert [each.value for each in await table.gm.complete("/session plan when:sat zone:Europe/Berl")] == [
        "Europe/Berlin"
    ]


@pytest.mark.parametrize(
    ("lines", "last"),
    [
        (("when:2027-01-10 20:00",), ""),
        (("when:2027-01-10 20:00", "when:2027-01-11 20:00"), "Moved from <t:1799611200:F>."),
        (("when:2027-01-10 20:00", "when:2027-01-10 20:00 note:Bring dice"), ""),
        (("when:2027-01-10 20:00, 2027-01-12 20:00", "when:2027-01-10 20:00"), ""),
        (("when:2027-01-10 20:00", "when:2027-01-11 20:00, 2027-01-12 20:00"), ""),
    ],
)
async def test_the_card_of_a_plan_says_its_time_once(table: Game, lines: tuple[str, ...], last: str) -> None:
    await table.play("gm: /campaign set setting:time zone value:UTC")
    for line in lines:
        told = await table.play(f"gm: /session plan {line}")
    times = re.findall(r"<t:(\d+):F>", told.text)
    assert len(times) == len(set(times))
    assert [line for line in told.text.splitlines() if line.startswith("Moved from")] == [last][: bool(last)]
    assert "next session is on" not in told.text
    assert "has been moved" not in told.text
    if len(lines) > 1 and "note" not in lines[-1]:
        assert told.message is not None
        assert told.message.pings == {table.alice.user.id, table.bob.user.id}
