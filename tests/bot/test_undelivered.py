"""What reaches the bot too late is declined; what was done and not answered is told in the channel."""

import asyncio
from collections.abc import Coroutine
from datetime import timedelta
from pathlib import Path

import discord
import pytest

from bot.client.responder import LATE
from bot.loopback.driver import Loopback
from bot.loopback.model import AnswerType
from bot.loopback.reply import BotReply, buttons_of
from tests.bot.test_buttons import seen
from tests.clock import START, ByClock, HeldClock
from tests.game import Game

CALLBACK = "POST /interactions/*/callback"
DONE = "Done, even though Discord showed no answer:"


def told(game: Game) -> list[str]:
    """What the channel has been told of steps that nobody saw an answer to."""
    return [message.text for message in game.discord.messages() if message.text.startswith(DONE)]


async def after(game: Game, seconds: float, *deeds: Coroutine[None, None, BotReply]) -> list[BotReply]:
    """What comes of deeds of which the bot hears some seconds later."""
    game.discord.gateway.hold()
    doing = [asyncio.create_task(deed) for deed in deeds]
    await game.advance(seconds)
    await game.discord.gateway.release()
    await game.rest()
    return [await each for each in doing]


@pytest.mark.parametrize(
    "line", ["gm: /pp give who:Alice", "alice: /roll dice:d6 d8", "gm: /scene end", "alice: /note text:hello"]
)
async def test_a_command_that_comes_too_late_changes_nothing(table: Game, line: str) -> None:
    before = await seen(table), len(table.discord.messages())
    late, again = await after(table, 8.0, table.says(line), table.says(line))
    assert late.failed
    assert again.failed
    assert (await seen(table), len(table.discord.messages())) == before
    await table.play(line)
    assert (await seen(table))[0] == before[0][0] + 1


async def test_a_press_that_comes_too_late_changes_nothing(table: Game) -> None:
    table.dice.show((9, 7, 2, 3))
    rolled = await table.play("alice: /roll dice:d10 d8 2d6")
    before = await seen(table)
    (late,) = await after(table, 8.0, table.alice.press(rolled, "Total 12, effect d8"))
    assert late.failed
    assert await seen(table) == before


async def test_what_is_replayed_after_a_lost_connection_changes_nothing(table: Game) -> None:
    before = await seen(table)
    await table.discord.faults.drop_gateway(resumable=True)
    late = asyncio.create_task(table.says("gm: /pp give who:Alice"))
    await asyncio.sleep(0)
    table.held._passed += 8.0  # nothing else is due meanwhile
    await table.discord.ready()
    await table.rest()
    assert (await late).failed
    assert table.discord.gateway.resumed == 1
    assert await seen(table) == before


async def test_what_is_slow_but_in_time_is_done(table: Game) -> None:
    (slow,) = await after(table, 2.9, table.says("gm: /pp give who:Alice"))
    assert "Alice: 2 PP" in slow.text


@pytest.mark.parametrize("hours", [-1, 1])
async def test_a_wrong_clock_declines_nobody(tmp_path: Path, hours: int) -> None:
    async with Loopback("", clock=HeldClock()) as discord_:
        game = Game(discord_, tmp_path / "game.db")
        game.clock = HeldClock(START + timedelta(hours=hours))
        await game.start()
        try:
            for _ in range(2):
                reply = await game.says("alice: /roll dice:d6 d8")
                assert reply.failed is None
                assert "d8" in reply.text
            assert reply.interaction.answer is not None  # by then it has learned how wrong it is
            assert reply.interaction.answer.type is AnswerType.MESSAGE
        finally:
            await game.stop()


async def lost(game: Game, deed: Coroutine[None, None, BotReply]) -> BotReply:
    """What comes of a deed whose every answer Discord says to be too late."""
    game.discord.server.answers.deadline = -1
    reply = await deed
    game.discord.server.answers.deadline = 3.0
    await game.rest()
    return reply


async def test_a_step_without_an_answer_is_told_in_the_channel_and_can_be_undone(table: Game) -> None:
    before = (await seen(table))[1]
    assert (await lost(table, table.says("gm: /pp give who:Alice"))).failed
    assert told(table) == [f"{DONE} Alice: 2 PP (+1)"]
    await table.gm.press(table.discord.messages()[-1], "Undo")
    assert (await seen(table))[1].characters == before.characters


@pytest.mark.parametrize("line", ["gm: /undo", "gm: /redo"])
async def test_undoing_without_an_answer_is_told_and_taken_back_by_its_own_command(
    table: Game, line: str
) -> None:
    await table.play("gm: /pp give who:Alice", *(["gm: /undo"] if line == "gm: /redo" else []))
    await lost(table, table.says(line))
    assert len(told(table)) == 1
    assert not buttons_of(table.discord.messages()[-1])


async def test_a_roll_without_an_answer_is_shown_and_played_on(table: Game) -> None:
    table.dice.show((9, 7, 2, 3))
    await lost(table, table.says("alice: /roll dice:d10 d8 2d6"))
    shown = table.discord.messages()[-1]
    assert told(table) == [shown.text]
    assert "d10: 9" in shown.text
    reply = await table.alice.press(shown, "Total 12, effect d8")
    assert reply.updated
    assert "Total 12, effect d8" in reply.text
    await table.play("gm: /scene end")
    await table.at_rest()
    assert "This roll is closed" in shown.text


async def test_a_press_without_an_answer_is_told_and_its_message_follows(table: Game) -> None:
    table.dice.show((9, 7, 2, 3))
    rolled = await table.play("alice: /roll dice:d10 d8 2d6")
    await lost(table, table.alice.press(rolled, "Total 12, effect d8"))
    await table.at_rest()
    (line,) = told(table)
    assert "Total 12, effect d8" in line
    assert len(line.splitlines()) == 1
    assert "Total 12, effect d8" in rolled.text.splitlines()[0]


async def test_an_answer_that_was_to_come_later_and_could_not_is_told(table: Game) -> None:
    table.bot.running.late = 0
    table.discord.faults.fail("PATCH /webhooks/", 404, code=10015)
    await table.unanswered(table.says("gm: /pp give who:Alice"), lambda: not table.discord.faults.waiting)
    await table.rest()
    assert told(table) == [f"{DONE} Alice: 2 PP (+1)"]


@pytest.mark.parametrize(("status", "retry_after"), [(500, 0.0), (503, 0.0), (429, LATE)])
async def test_an_answer_that_discord_fails_to_take_is_told(
    table: Game, status: int, retry_after: float
) -> None:
    if status == 429:
        table.discord.faults.rate_limit(CALLBACK, retry_after, times=10)
    else:
        table.discord.faults.fail(CALLBACK, status, times=10)
    deed = table.says("gm: /pp give who:Alice")
    await table.unanswered(deed, lambda: table.discord.faults.waiting[0].times < 10)
    table.discord.faults.waiting.clear()
    await table.rest()
    assert told(table) == [f"{DONE} Alice: 2 PP (+1)"]


WEBHOOK = "* /webhooks/*"
"""Requests about an interaction that has its first answer."""


def fail_always(game: Game, how: str, *patterns: str) -> None:
    """Let Discord fail such requests for good, or never answer them."""
    for pattern in patterns:
        if how == "never":
            game.discord.faults.hold(pattern, times=999)
        else:
            game.discord.faults.fail(pattern, int(how), times=999)


@pytest.mark.parametrize("how", ["500", "503", "never"])
@pytest.mark.parametrize("is_deferred", [False, True])
@pytest.mark.parametrize("is_press", [False, True])
async def test_an_answer_that_discord_never_takes_is_told_within_20_seconds(
    table: Game, monkeypatch: pytest.MonkeyPatch, how: str, *, is_deferred: bool, is_press: bool
) -> None:
    table.dice.show((9, 7, 2, 3))
    rolled = await table.play("alice: /roll dice:d10 d8 2d6")
    for module in (discord.http, discord.webhook.async_):
        monkeypatch.setattr(module, "asyncio", ByClock(table.clock))
    patterns = [WEBHOOK] if is_deferred else [CALLBACK, WEBHOOK]
    fail_always(table, how, *patterns)
    if is_deferred:
        table.bot.running.late = 0
    if is_press:
        deed = table.alice.press(rolled, "Total 12, effect d8")
    else:
        deed = table.says("alice: /asset add what:Rope")
    doing, began = asyncio.create_task(deed), table.now
    while not told(table):
        await table.held.step()
    assert table.now - began <= timedelta(seconds=20)
    table.discord.faults.waiting.clear()
    table.discord.give_up()
    await doing
    assert len(told(table)) == 1
    await table.at_rest()
    if is_press:
        assert "Total 12, effect d8" in rolled.text.splitlines()[0]


@pytest.mark.parametrize("then", [(503, 0), (404, 10062), (404, 10015), (404, 10008)])
@pytest.mark.parametrize("is_deferred", [False, True])
async def test_an_answer_whose_first_try_arrived_is_not_told_again_whatever_the_others_met(
    table: Game, then: tuple[int, int], *, is_deferred: bool
) -> None:
    request = "PATCH /webhooks/*" if is_deferred else CALLBACK
    if is_deferred:
        table.bot.running.late = 0
    table.discord.faults.fail(request, 503, takes_effect=True)
    table.discord.faults.fail(request, then[0], code=then[1], times=99)
    table.dice.show((9, 7, 2, 3))
    reply = await table.says("alice: /roll dice:d10 d8 2d6")
    await table.rest()
    table.discord.faults.waiting.clear()
    assert told(table) == []
    assert "d10: 9" in reply.text
    await table.play("gm: /scene end")
    await table.at_rest()
    assert "This roll is closed" in reply.text


async def test_a_deferred_answer_that_never_arrived_is_told(table: Game) -> None:
    table.bot.running.late = 0
    table.discord.faults.fail("PATCH /webhooks/*", 503, times=99)
    deed = table.says("gm: /pp give who:Alice")
    await table.unanswered(deed, lambda: table.discord.faults.waiting[0].times < 99)
    await table.rest()
    table.discord.faults.waiting.clear()
    assert told(table) == [f"{DONE} Alice: 2 PP (+1)"]


@pytest.mark.parametrize("how", ["failed", "lost"])
async def test_an_answer_that_arrived_all_the_same_is_not_told_again(table: Game, how: str) -> None:
    faults = table.discord.faults
    if how == "failed":
        faults.fail(CALLBACK, 500, times=10, takes_effect=True)
    else:
        faults.lose(CALLBACK, times=10, takes_effect=True)
    reply = await table.says("gm: /pp give who:Alice")
    await table.rest()
    faults.waiting.clear()
    assert "Alice: 2 PP" in reply.text
    assert told(table) == []


@pytest.mark.parametrize(
    "line",
    [
        "gm: /pp show",
        "alice: /roll dice:2d8 hidden:true",
        "alice: /doom add dice:d6",
        "alice: /pool build",
    ],
)
async def test_what_changed_nothing_is_not_told(table: Game, line: str) -> None:
    await lost(table, table.says(line))
    assert told(table) == []


async def test_a_private_answer_that_is_lost_is_told_its_author_alone(table: Game) -> None:
    await lost(table, table.says("gm: /note text:psst hidden:true"))
    assert told(table) == []
    (alone,) = table.discord.messages(table.discord.dm(table.gm))
    assert alone.text.startswith(f"{DONE} ")
    assert "psst" in alone.text
    assert not buttons_of(alone)
