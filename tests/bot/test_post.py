"""Play by post as people meet it: what waits since when, reminders, rest, and what the GM does then."""

import re

import pytest

from bot.loopback.model import Message, Permission
from bot.loopback.reply import buttons_of
from bot.services.play_by_post import Waits, waits_of
from bot.store.jobs import Job
from rules.campaign.schedule import QuietHours
from rules.values import replace
from tests.bot.test_dates import due
from tests.clock import START
from tests.game import Game

HOUR = 3600
VERBS = ("Act for", "Pass over", "Keep waiting for")


@pytest.fixture
async def slow(table: Game) -> Game:
    """A table by post, at which it is Alice's turn."""
    await table.play("gm: /campaign set setting:pace value:post", "gm: /turn start who:Alice")
    await table.at_rest()
    return table


async def campaign(table: Game) -> int:
    (only,) = await table.ledger.servers.campaigns(table.discord.world.home.id)
    return only.id


async def waits(table: Game, player: int) -> Waits:
    return (await waits_of(table.ledger, await campaign(table)))[player]


async def hours_later(table: Game, player: int, hours: int) -> None:
    """What waits for somebody has waited that much longer; what is due then is done."""
    of = await campaign(table)
    old = await waits(table, player)
    since = {sign: at - hours * HOUR for sign, at in old.since.items()}
    job = replace(old, since=since).job(of)
    await finished(table, job)
    late = await table.ledger.jobs.get(f"late:{of}")
    if late is not None:
        told = {"told": late.payload["told"] - hours * HOUR}
        await table.ledger.jobs.put(replace(late, payload=told))
        table.bot.post.later.touch(of)
        await table.at_rest()
        await finished(table)


async def finished(table: Game, *new: Job) -> None:
    """Put jobs, and wait until all are done that are due by then."""
    for job in new:
        await table.ledger.jobs.put(job)
    await table.at_rest()
    left = (await table.ledger.jobs.of_campaign(await campaign(table))).values()
    assert [each for each in left if each.due <= table.now or each.claimed is not None] == []


def last(table: Game) -> Message:
    return table.discord.messages()[-1]


async def test_what_waits_is_listed_with_since_when(slow: Game) -> None:
    await hours_later(slow, slow.alice.user.id, 1)
    await slow.play("alice: /contest start dice:2d8 against:Bob")
    await slow.at_rest()
    shown = await slow.says("bob: /table waiting")
    assert shown.private
    assert shown.message is not None
    turn, answer = shown.message.text.splitlines()[:2]
    assert re.fullmatch(r"\*\*Alice: 1 turn\*\*, of the turn order \(<t:\d+:R>\)", turn)
    assert answer.startswith("**Bob: 1 answer**, of ")
    assert "https://discord.com/channels/" in answer


async def test_what_has_waited_longest_is_listed_first(slow: Game) -> None:
    await slow.play("alice: /contest start dice:2d8 against:Bob")
    await slow.at_rest()
    await hours_later(slow, slow.bob.user.id, 5)
    shown = await slow.says("bob: /table waiting")
    assert shown.message is not None
    assert [line[:6] for line in shown.message.text.splitlines()[:2]] == ["**Bob:", "**Alic"]


async def test_since_when_something_waits_is_said_at_every_table(table: Game) -> None:
    for faces in ((3, 4), (5, 6)):
        table.dice.show(faces)
        await table.play(f"{'alice' if faces[0] == 3 else 'bob'}: /roll dice:2d8 vs:2")
    shown = await table.says("bob: /table waiting")
    assert shown.message is not None
    first, second = shown.message.text.splitlines()[:2]
    assert first.startswith("**Alice: 1 effect**")
    assert "(<t:" in first
    assert second.startswith("**Bob: 1 effect**")
    assert "(<t:" in second


async def test_somebody_is_reminded_at_half_time_and_at_the_deadline_and_never_again(slow: Game) -> None:
    alice = slow.alice.user.id
    count = len(slow.discord.messages())
    await hours_later(slow, alice, 23)
    assert len(slow.discord.messages()) == count
    await hours_later(slow, alice, 2)
    assert last(slow).pings == {alice}
    assert "1 thing is waiting for you" in last(slow).text
    count = len(slow.discord.messages())
    await hours_later(slow, alice, 1)
    assert len(slow.discord.messages()) == count
    await slow.restart()
    await slow.play("bob: /note text:Still here")
    await slow.at_rest()
    await hours_later(slow, alice, 24)
    reminder, late = slow.discord.messages()[-2:]
    assert reminder.pings == {alice}
    assert late.pings == {slow.gm.user.id}
    assert "The deadline has passed" in late.text
    count = len(slow.discord.messages())
    await hours_later(slow, alice, 100)
    assert len(slow.discord.messages()) == count


async def test_several_things_are_one_reminder(slow: Game) -> None:
    await slow.play(
        "gm: /campaign set setting:deadline value:24", "bob: /contest start dice:d8 against:Alice"
    )
    await slow.at_rest()
    count = len(slow.discord.messages())
    await hours_later(slow, slow.alice.user.id, 13)
    assert len(slow.discord.messages()) == count + 1
    assert "2 things are waiting for you" in last(slow).text


async def test_a_reminder_names_some_and_says_how_many_more_there_are(slow: Game) -> None:
    await slow.play(*(f"p{number}: /contest start dice:d8 against:Alice" for number in range(6)))
    await slow.at_rest()
    await hours_later(slow, slow.alice.user.id, 25)
    assert "7 things are waiting for you" in last(slow).text
    assert "2 more: /table waiting" in last(slow).text


async def test_each_thing_is_told_twice_and_what_is_due_soon_along_with_it(slow: Game) -> None:
    alice = slow.alice.user.id
    turn = set((await waits(slow, alice)).since)
    await slow.play("bob: /contest start dice:d8 against:Alice")
    await slow.at_rest()
    (answer,) = set((await waits(slow, alice)).since) - turn
    of = await campaign(slow)

    async def later(hours: float, **more: int) -> list[str]:
        """What is said when so many hours have gone by, and whom it is for."""
        before = len(slow.discord.messages())
        known = await waits(slow, alice)
        since = {sign: at - int(hours * HOUR) for sign, at in known.since.items()}
        await finished(slow, replace(known, since={**since, **more}).job(of))
        new = slow.discord.messages()[before:]
        assert all(each.pings == {alice} for each in new)
        return [each.text for each in new]

    now = int(START.timestamp())
    assert await later(0, **{answer: now + 3 * HOUR}) == []  # it is three hours younger
    assert await later(23) == []
    (both,) = await later(1)
    assert "2 things are waiting for you" in both
    assert "Alice: 1 turn" in both
    assert "Alice: 1 answer" in both
    assert await later(20) == []
    await slow.play("bob: /note text:Still here")
    await slow.at_rest()
    assert await later(0, **{answer: now - 20 * HOUR}) == []  # now it is late long after the other
    (end,) = await later(5)
    assert "1 thing is waiting for you" in end
    assert "Alice: 1 turn" in end
    assert "1 answer" not in end
    (last_,) = await later(26)
    assert "1 thing is waiting for you" in last_
    assert "Alice: 1 answer" in last_
    assert await later(100) == []


async def test_what_an_earlier_version_has_told_is_not_told_again(slow: Game) -> None:
    alice = slow.alice.user.id
    known = await waits(slow, alice)
    now = int(START.timestamp())
    since = dict.fromkeys(known.since, now - 30 * HOUR)
    old = replace(known, since=since).job(await campaign(slow))
    payload = {"player": alice, "told": now - HOUR, "hours": 48, "since": since}
    count = len(slow.discord.messages())
    await slow.ledger.jobs.put(replace(old, payload=payload))
    slow.bot.post.later.touch(await campaign(slow))
    await slow.at_rest()
    await finished(slow)
    assert len(slow.discord.messages()) == count
    assert (await waits(slow, alice)).next_moment.timestamp() == now + 18 * HOUR


async def test_nobody_is_reminded_while_they_rest_or_of_what_they_have_muted(slow: Game) -> None:
    alice = slow.alice.user.id
    hour = (START.hour - 1) % 24
    shown = await slow.says(f"alice: /quiet from:{hour}:00 to:{(hour + 3) % 24}:00 zone:UTC")
    assert shown.private
    count = len(slow.discord.messages())
    await hours_later(slow, alice, 25)
    assert len(slow.discord.messages()) == count
    job = await slow.ledger.jobs.get(f"wait:{await campaign(slow)}:{alice}")
    assert job is not None
    assert (job.due.hour, job.due.minute) == ((hour + 3) % 24, 0)
    await slow.alice.press(shown, "Remind me at any time")
    await slow.says("alice: /away until:tomorrow 12:00")
    await finished(slow, replace(job, due=START))
    assert len(slow.discord.messages()) == count
    await slow.ledger.quiet_hours.keep(alice, QuietHours())
    await finished(slow, replace(job, due=START))
    assert len(slow.discord.messages()) == count + 1
    muted = await slow.alice.press(last(slow), "No more reminders")
    assert "No reminders from this table" in muted.text
    await hours_later(slow, alice, 30)
    assert last(slow).pings == {slow.gm.user.id}
    assert "Remind me again" in [button.label for button in (await slow.says("alice: /quiet")).buttons]


async def test_the_gm_waits_on_acts_or_passes_over(slow: Game) -> None:
    alice = slow.alice.user.id
    await hours_later(slow, alice, 49)
    late = last(slow)
    refused = await slow.bob.press(late, "Keep waiting for Alice")
    assert "Only the GM" in refused.text
    waited = await slow.gm.press(late, "Keep waiting for Alice")
    assert waited.text == "New deadline for Alice: in 48 hours"
    await slow.at_rest()
    await hours_later(slow, alice, 50)
    again = last(slow)
    assert again is not late
    acting = await slow.gm.press(again, "Act for Alice")
    assert acting.private
    assert "Next: Bob" in [button.label for button in acting.buttons]
    passed = await slow.gm.press(again, "Pass over Alice")
    assert passed.text.startswith("Alice is skipped")
    assert "That has been settled. To see" in (await slow.gm.press(again, "Pass over Alice")).text
    await slow.at_rest()
    assert await waits_of(slow.ledger, await campaign(slow)) == {}


async def test_the_buttons_say_what_they_mean_where_several_things_wait_for_one_person(slow: Game) -> None:
    await slow.play("bob: /contest start dice:d8 against:Alice")
    await slow.at_rest()
    await hours_later(slow, slow.alice.user.id, 49)
    late = last(slow)
    labels = [f"{verb} Alice: 1 {what}" for what in ("answer", "turn") for verb in VERBS]
    assert "The deadline has passed" in late.text
    assert [each.label for each in buttons_of(late)] == labels
    await slow.gm.press(late, "Keep waiting for Alice: 1 turn")


async def test_what_no_longer_waits_is_not_reminded_of(slow: Game) -> None:
    of = await campaign(slow)
    job = (await waits(slow, slow.alice.user.id)).job(of)
    slow.discord.forbid(slow.discord.table, Permission.SEND_MESSAGES)
    await hours_later(slow, slow.alice.user.id, 25)  # it cannot be written, and is not tried for ever
    await slow.play("gm: /campaign set setting:pace value:live")
    await slow.at_rest()
    assert await slow.ledger.jobs.of_campaign(of) == {}
    await due(slow, job)


async def test_when_somebody_rests_is_theirs_to_take_along_and_to_delete(game: Game) -> None:
    assert "Add both from and to." in (await game.says("zoe: /quiet from:22:00")).text
    assert "Name your time zone once" in (await game.says("zoe: /quiet from:22:00 to:8:00")).text
    await game.says("zoe: /quiet from:22:00 to:8:00 zone:berlin")
    assert "Quiet from 22:00 to 8:00 (Europe/Berlin)" in (await game.says("zoe: /quiet")).text
    assert "quiet shows them" in (await game.says("zoe: /privacy show")).text
    file = (await game.says("zoe: /privacy export")).message
    assert file is not None
    assert b'"zone":"Europe/Berlin"' in file.files[0].data
    await game.forget(game.person("zoe"))
    assert "at any time" in (await game.says("zoe: /quiet")).text
