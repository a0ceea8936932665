"""One message a day of what waits, for who wants to hear of it in the morning alone."""

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta

import pytest

from bot.services.play_by_post import Waits
from bot.store.jobs import Job
from rules.campaign.schedule import QuietHours
from rules.values import replace
from tests.bot.test_post import HOUR, campaign, finished, hours_later, last
from tests.clock import START
from tests.game import Game


@pytest.fixture
async def slow(table: Game) -> Game:
    """A table by post, at which it is Alice's turn."""
    await table.play("gm: /campaign set setting:pace value:post", "gm: /turn start who:Alice")
    await table.at_rest()
    return table


async def by_morning(table: Game, who: str, ends: datetime) -> None:
    """Somebody wants one message a day, then."""
    begins = ends - timedelta(hours=8)
    await table.says(f"{who}: /quiet from:{begins:%H:%M} to:{ends:%H:%M} zone:UTC by:morning")


async def wait_job(table: Game, person: int) -> Job:
    job = await table.ledger.jobs.get(f"wait:{await campaign(table)}:{person}")
    assert job is not None
    return job


async def morning_comes(table: Game, person: int, hours: int, ends: datetime) -> None:
    """It is the morning of somebody for whom all has waited that much longer."""
    known = Waits.of((await wait_job(table, person)).payload)
    older = replace(known, since={sign: at - hours * HOUR for sign, at in known.since.items()})
    await finished(table, older.job(await campaign(table), ends))


async def test_what_waits_is_one_message_in_the_morning_for_who_wants_that(slow: Game) -> None:
    alice, ends = slow.alice.user.id, START.replace(second=0, microsecond=0)
    await by_morning(slow, "alice", ends)
    assert (await wait_job(slow, alice)).due == ends + timedelta(days=1)
    await slow.play("bob: /contest start dice:d8 against:Alice")
    await slow.at_rest()
    assert (await wait_job(slow, alice)).due == ends + timedelta(days=1)
    count = len(slow.discord.messages())
    await hours_later(slow, alice, 25)  # half of its time is over at another hour of the day
    assert len(slow.discord.messages()) == count
    assert (await wait_job(slow, alice)).due == ends + timedelta(days=1)
    await morning_comes(slow, alice, 0, ends)
    assert len(slow.discord.messages()) == count + 1
    answer, turn = sorted(last(slow).text.splitlines()[1:3])
    assert turn.startswith("**Alice: 1 turn**")
    assert answer.startswith("**Alice: 1 answer**")
    assert "https://discord.com/channels/" in answer
    assert last(slow).pings == {alice}


async def test_a_morning_on_which_nothing_is_new_or_soon_late_has_no_message(slow: Game) -> None:
    alice, ends = slow.alice.user.id, START.replace(second=0, microsecond=0)
    await slow.play("gm: /campaign set setting:deadline value:72")
    await slow.at_rest()
    await by_morning(slow, "alice", ends)
    count = len(slow.discord.messages())
    told: list[int] = []
    for days in (4, 3, 2, 1, 0):
        await morning_comes(slow, alice, 25 if told else 0, ends - timedelta(days=days))
        told.append(len(slow.discord.messages()) - count)
    assert told == [1, 1, 2, 2, 2]
    assert "the GM can go on without you" in last(slow).text


async def test_each_of_two_has_a_message_in_the_morning_and_only_of_the_table_where_it_waits(
    slow: Game,
) -> None:
    alice, bob = slow.alice.user.id, slow.bob.user.id
    ends = START.replace(second=0, microsecond=0)
    await slow.play("alice: /contest start dice:d8 against:Bob")
    await slow.at_rest()
    for name in ("alice", "bob"):
        await by_morning(slow, name, ends)
    count = len(slow.discord.messages())
    await morning_comes(slow, alice, 0, ends)
    await morning_comes(slow, bob, 0, ends)
    first, second = slow.discord.messages()[count:]
    assert first.pings == {alice}
    assert second.pings == {bob}
    assert "turn" not in second.text


async def test_each_thing_is_told_in_its_time_again_for_who_goes_back_to_that(slow: Game) -> None:
    alice, ends = slow.alice.user.id, START.replace(second=0, microsecond=0)
    half = (await wait_job(slow, alice)).due
    await by_morning(slow, "alice", ends)
    shown = await slow.says("alice: /quiet")
    assert "00 (UTC)\nAll reminders come in one message a day" in shown.text
    back = await slow.alice.press(shown, "Send each reminder separately")
    assert "one message a day" not in back.text
    assert f"to {ends.hour}:{ends.minute:02}" in back.text
    assert (await wait_job(slow, alice)).due == half
    await by_morning(slow, "alice", ends)
    assert "one message a day" not in (await slow.says("alice: /quiet by:once")).text
    assert (await wait_job(slow, alice)).due == half


async def test_who_is_away_or_hears_nothing_of_a_table_has_no_message_in_the_morning(slow: Game) -> None:
    alice, ends = slow.alice.user.id, START.replace(second=0, microsecond=0)
    await by_morning(slow, "alice", ends)
    count = len(slow.discord.messages())
    await slow.says("alice: /away until:in 30 hours")
    assert (await wait_job(slow, alice)).due == ends + timedelta(days=2)
    await morning_comes(slow, alice, 0, ends)
    assert len(slow.discord.messages()) == count
    assert (await wait_job(slow, alice)).due == ends + timedelta(days=2)
    rest = QuietHours("UTC", (ends.hour - 8) % 24 * 60 + ends.minute, ends.hour * 60 + ends.minute)
    muted = replace(rest, by_morning=True, muted=(await campaign(slow),))
    await slow.ledger.quiet_hours.keep(alice, muted)
    await morning_comes(slow, alice, 0, ends)
    assert len(slow.discord.messages()) == count


async def test_whose_time_the_gm_lets_begin_anew_is_told_on_the_next_morning(slow: Game) -> None:
    alice, ends = slow.alice.user.id, START.replace(second=0, microsecond=0)
    await by_morning(slow, "alice", ends)
    await hours_later(slow, alice, 49)
    await slow.gm.press(last(slow), "Keep waiting for Alice")
    assert (await wait_job(slow, alice)).due == ends + timedelta(days=1)


async def test_the_gm_hears_in_the_morning_what_is_late(slow: Game) -> None:
    alice, ends = slow.alice.user.id, START.replace(second=0, microsecond=0)
    later = ends + timedelta(hours=3)
    await by_morning(slow, "gm", later)
    count = len(slow.discord.messages())
    await hours_later(slow, alice, 49)
    assert last(slow).pings == {alice}
    late = await slow.ledger.jobs.get(f"late:{await campaign(slow)}")
    assert late is not None
    assert late.due == later
    assert len(slow.discord.messages()) == count + 1
    await by_morning(slow, "gm", ends)
    await finished(slow, replace(late, due=START))
    assert "The deadline has passed" in last(slow).text


async def test_there_is_no_morning_without_quiet_hours(slow: Game) -> None:
    refused = await slow.says("alice: /quiet by:morning")
    assert refused.text.endswith("but you haven't set any. Add from and to.")
    assert "at any time" in (await slow.says("alice: /quiet")).text
    assert "at any time" in (await slow.says("alice: /quiet by:once")).text


async def test_a_morning_that_the_bot_slept_through_is_told_once_after_its_start(slow: Game) -> None:
    alice, ends = slow.alice.user.id, START.replace(second=0, microsecond=0)
    early = ends - timedelta(hours=2)
    await by_morning(slow, "alice", early)
    job = await wait_job(slow, alice)
    count = len(slow.discord.messages())
    await slow.stop()
    with closing(sqlite3.connect(slow.file)) as clock:
        clock.execute("UPDATE job SET due = ? WHERE key = ?", (f"{early:%Y-%m-%d %H:%M:%S.%f}", job.key))
        clock.commit()
    slow.discord.gateway.ready.clear()
    await slow.start()
    await slow.play("bob: /note text:Still here")
    await slow.at_rest()
    await finished(slow)
    assert len(slow.discord.messages()) == count + 2, "the note, and the message of the morning"
    assert (await wait_job(slow, alice)).due == early + timedelta(days=1)
    await slow.restart()
    await finished(slow)
    assert len(slow.discord.messages()) == count + 2
