"""When do we play: several times asked for in one message, pressed by all, and one of them taken."""

import asyncio
from datetime import UTC, datetime, timedelta

from bot.loopback.reply import BotReply, buttons_of
from bot.store.jobs import Job
from rules.campaign.schedule import QuietHours
from rules.values import replace
from tests.bot.test_buttons import is_refused
from tests.bot.test_dates import due, jobs, message, said, settled
from tests.clock import START
from tests.game import Game

NOON = (START + timedelta(days=3)).replace(hour=12, minute=0, second=0, microsecond=0)
TIMES = [NOON + timedelta(days=days) for days in range(5)]


def typed(*times: datetime) -> str:
    return ", ".join(f"{at:%Y-%m-%d %H:%M}" for at in times)


def label(at: datetime) -> str:
    return f"{at:%a} {at.day} {at:%b} 12:00"


def line(at: datetime) -> str:
    return f"<t:{int(at.timestamp())}:F>"


async def asked(table: Game, *times: datetime, more: str = "") -> BotReply:
    reply = await table.play(f"gm: /session plan when:{typed(*times)} zone:UTC{more}")
    await settled(table)
    return reply


def rows(reply: BotReply) -> list[str]:
    return [each.label for each in buttons_of(message(reply))]


async def test_a_time_that_suits_nobody_says_so_and_where_no_zone_is_known_the_clock_is_utc(
    table: Game,
) -> None:
    stamps = ", ".join(f"<t:{int(at.timestamp())}:F>" for at in TIMES[:2])
    poll = await table.play(f"gm: /session plan when:{stamps}")
    await table.gm.press(poll, rows(poll)[0])
    assert f"{line(TIMES[0])}: nobody yet" in poll.text
    assert "Times on the buttons are in UTC." in poll.text


async def test_each_presses_what_suits_them_and_the_gm_takes_one(table: Game) -> None:
    poll = await asked(table, *TIMES[:3], more=" note:Snacks")
    assert message(poll).pings == {table.alice.user.id, table.bob.user.id}
    days = [label(at) for at in TIMES[:3]]
    assert rows(poll) == [*days, *(f"Take this: {day}" for day in days), "Move", "Call off"]
    assert all(len(each) <= 34 for each in rows(poll))
    assert message(poll).files == []
    people = (table.alice, table.bob, table.person("zoe"))
    await asyncio.gather(*(who.press(poll, days[1]) for who in people))
    await table.alice.press(poll, days[0])
    assert poll.text.splitlines() == [
        "When do we play?",
        "Snacks",
        f"{line(TIMES[0])}: 2, gm and Alice",
        f"{line(TIMES[1])}: 4, gm, Alice, Bob and zoe",
        f"{line(TIMES[2])}: 1, gm",
        "Times on the buttons are in UTC.",
    ]
    assert f"Next session: {line(TIMES[0])}, " in (await table.says("bob: /table show")).text
    await table.bob.press(poll, days[1])
    assert f"{line(TIMES[1])}: 3, gm, Alice and zoe" in poll.text
    assert is_refused(await table.alice.press(poll, f"Take this: {days[1]}"))
    await table.restart()
    taken = await table.gm.press(poll, f"Take this: {days[1]}")
    assert "In: gm, Alice and zoe\nNo answer yet: Bob" in taken.text
    assert rows(poll) == ["I'm in", "Maybe", "Can't", "Move", "Call off"]
    told = await said(table, "The next session is on")
    assert table.bob.user.id in told.pings
    assert table.gm.user.id not in told.pings
    await settled(table)
    assert set(await jobs(table)) == {"remind 24", "remind 1", "event"}


async def test_two_take_a_time_at_once_and_one_is_told_so(table: Game) -> None:
    poll = await asked(table, *TIMES[:2])
    presses = [table.gm.press(poll, f"Take this: {label(at)}") for at in TIMES[:2]]
    found = await asyncio.gather(*presses)
    assert sorted(each.private for each in found) == [False, True]
    refused = next(each for each in found if each.private)
    assert "A time has already" in refused.text


async def test_an_answer_is_undone_by_who_gave_it_and_by_no_plain_undo_of_another(table: Game) -> None:
    await table.play("gm: /doom add dice:d10")
    poll = await asked(table, *TIMES[:2])
    await table.bob.press(poll, label(TIMES[0]))
    refused = await table.says("gm: /undo")
    assert is_refused(refused)
    assert refused.text == "Step 7 can't be undone by itself: step 8 builds on it."
    assert "Undone: “Bob can play on" in (await table.play("bob: /undo")).text
    await settled(table)
    assert f"{line(TIMES[0])}: 1, gm" in message(poll).text.replace("**", "")
    await table.bob.press(poll, label(TIMES[0]))
    await table.bob.press(poll, label(TIMES[0]))
    assert "Undone: “Bob can no longer play on" in (await table.play("bob: /undo")).text


async def test_answers_outlive_a_move_to_other_times_and_to_one(table: Game) -> None:
    poll = await asked(table, *TIMES[:2])
    await table.alice.press(poll, label(TIMES[1]))
    form = (await table.gm.press(poll, "Move")).form
    assert form is not None
    moved = await table.gm.submit(form, {"When": typed(TIMES[1], TIMES[2])})
    assert f"{line(TIMES[1])}: 2, gm and Alice" in moved.text
    assert f"{line(TIMES[2])}: 1, gm" in moved.text
    assert line(TIMES[0]) not in moved.text
    await table.gm.press(poll, f"Take this: {label(TIMES[2])}")
    form = (await table.gm.press(poll, "Move")).form
    assert form is not None
    again = await table.gm.submit(form, {"When": typed(TIMES[1])})
    assert "In: gm and Alice\nNo answer yet: Bob" in again.text
    form = (await table.gm.press(poll, "Move")).form
    assert form is not None
    asked_again = await table.gm.submit(form, {"When": typed(TIMES[1], TIMES[3])})
    await said(table, "needs a new time. Proposed: ")
    assert f"{line(TIMES[1])}: 2, gm and Alice" in asked_again.text
    await settled(table)
    assert message(poll).files == []
    assert set(await jobs(table)) == {"times"}


async def test_a_poll_that_is_called_off_is_one_no_more(table: Game) -> None:
    poll = await asked(table, *TIMES[:2])
    off = await table.gm.press(poll, "Call off")
    assert "Next session: called off" in off.text
    await said(table, "The search for a time has been called off")
    assert rows(poll) == []
    undone = await table.play("gm: /undo")
    assert "the next session: <t:1780574400" in undone.text
    await settled(table)
    assert label(TIMES[0]) in rows(poll)


async def test_a_time_that_is_over_loses_its_buttons(table: Game) -> None:
    soon = table.now + timedelta(minutes=1)
    poll = await table.play(f"gm: /session plan when:<t:{int(soon.timestamp())}>, {typed(TIMES[0])} zone:UTC")
    await settled(table)
    (job,) = [job for job in (await jobs(table)).values() if job.kind == "times"]
    assert job.payload == {"at": int(soon.timestamp())}
    first = rows(poll)[0]
    await due(table, job)
    await table.at_rest()
    assert first not in rows(poll)
    assert rows(poll) == [label(TIMES[0]), f"Take this: {label(TIMES[0])}", "Move", "Call off"]
    assert f"<t:{int(soon.timestamp())}:F>: over" in message(poll).text


async def test_none_is_taken_where_one_is_not_understood(table: Game) -> None:
    refused = await table.says(f"gm: /session plan when:{typed(TIMES[0])}, soon zone:UTC")
    assert is_refused(refused)
    assert "soon" in refused.text
    (found,) = await table.gm.complete("/session plan zone:UTC when:sat 19:30, sun 15:00")
    assert found.value == "sat 19:30, sun 15:00"
    assert found.name.endswith("19:30 (UTC)") or found.name.endswith("15:00 (UTC)")
    (found,) = await table.gm.complete("/session plan zone:UTC when:sat 19:30, soon")
    assert found.name == "sat 19:30, soon"


async def few(table: Game) -> Job:
    return (await jobs(table))["few"]


async def done(table: Game, job: Job) -> Job:
    """A notice that is due now, and what is left of it."""
    await settled(table)
    await table.ledger.jobs.put(replace(job, due=table.now))
    await table.at_rest()
    left = await few(table)
    assert left.claimed is None
    assert left.due > table.now
    return left


async def test_the_gm_is_told_a_day_before_once_where_too_few_come(table: Game) -> None:
    plan = await asked(table, TIMES[0], more=" at_least:2")
    assert "At least 2 players." in plan.text
    await table.alice.press(plan, "I'm in")
    job = await few(table)
    assert TIMES[0] - job.due == timedelta(days=1)
    left = await done(table, job)
    told = table.discord.messages()[-1]
    assert told.text.splitlines()[0] == "### Not enough players yet: 1 of 2"
    assert "In: Alice\nNo answer yet: Bob" in told.text
    assert told.pings == {table.gm.user.id}
    assert [each.label for each in buttons_of(told)] == ["Move", "Call off"]
    assert left.due == TIMES[0]
    await table.restart()
    await table.alice.press(plan, "Can't")
    await settled(table)
    assert (await few(table)).due == TIMES[0]
    await table.play(f"gm: /session plan when:{typed(TIMES[1])}")
    await settled(table)
    assert TIMES[1] - (await few(table)).due == timedelta(days=1)


async def test_nobody_is_told_where_enough_come_or_nothing_is_wished(table: Game) -> None:
    plan = await asked(table, TIMES[0], more=" at_least:1")
    assert "At least 1 player." in plan.text
    await table.alice.press(plan, "I'm in")
    await settled(table)
    count = len(table.discord.messages())
    assert (await done(table, await few(table))).due == TIMES[0]
    assert len(table.discord.messages()) == count
    await table.play(f"gm: /session plan when:{typed(TIMES[0])} at_least:0")
    await settled(table)
    assert "few" not in await jobs(table)


async def test_of_a_session_that_is_near_the_gm_is_told_in_an_hour(table: Game) -> None:
    soon = START + timedelta(hours=8)
    await table.play(f"gm: /session plan when:<t:{int(soon.timestamp())}> at_least:3")
    await settled(table)
    job = await few(table)
    assert timedelta(minutes=55) < job.due - table.now <= timedelta(hours=1)
    await table.ledger.quiet_hours.keep(table.gm.user.id, QuietHours(until=int(soon.timestamp()) - 3600))
    count = len(table.discord.messages())
    left = await done(table, job)
    assert left.due == datetime.fromtimestamp(int(soon.timestamp()) - 3600, UTC)
    assert len(table.discord.messages()) == count
