"""The clock that tests hold keeps its promises."""

import asyncio
import time
from pathlib import Path

import aiohttp
import aiosqlite
import pytest

from tests.clock import START, HeldClock
from tests.game import Game


async def test_no_time_passes_but_what_a_test_lets_pass() -> None:
    clock, heard = HeldClock(), list[float]()
    clock.call_later(2.0, lambda: heard.append(clock.monotonic()))
    clock.call_later(1.0, lambda: heard.append(clock.monotonic()))
    begun = clock.monotonic()
    await clock.advance(0.5)
    assert heard == []
    assert (clock.now() - START).total_seconds() == 0.5
    await clock.advance(1.5)
    assert heard == [begun + 1.0, begun + 2.0]


async def test_what_is_due_comes_to_rest_before_time_goes_on() -> None:
    clock, seen = HeldClock(), list[float]()

    async def twice() -> None:
        for _ in range(2):
            await clock.sleep(1.0)
            for _ in range(50):
                await asyncio.sleep(0)
            seen.append(clock.monotonic())

    begun, task = clock.monotonic(), asyncio.create_task(twice())
    await clock.advance(5.0)
    assert task.done()
    assert seen == [begun + 1.0, begun + 2.0]


async def test_a_timeout_is_over_when_its_time_has_passed_and_not_before() -> None:
    clock = HeldClock()

    async def waits() -> None:
        async with clock.timeout(3.0):
            await asyncio.get_running_loop().create_future()

    task = asyncio.create_task(waits())
    await clock.advance(2.9)
    assert not task.done()
    await clock.advance(0.1)
    with pytest.raises(TimeoutError):
        await task


async def test_waiting_ends_with_the_tasks_or_with_the_time() -> None:
    clock = HeldClock()
    short, long = (asyncio.create_task(clock.sleep(seconds)) for seconds in (1.0, 9.0))
    waiting = asyncio.create_task(clock.wait({short, long}, 2.0))
    await clock.advance(2.0)
    assert await waiting == ({short}, {long})
    await clock.advance(7.0)
    assert await clock.wait({long}, 1.0) == ({long}, set())


def sleepy() -> int:
    time.sleep(0.05)
    return 1


async def test_statements_of_sqlite_are_in_flight_until_they_are_answered(tmp_path: Path) -> None:
    clock = HeldClock()
    async with aiosqlite.connect(tmp_path / "slow.db") as database:
        await database.create_function("wait", 0, sleepy)
        asked = asyncio.create_task(database.execute_fetchall("SELECT wait()"))
        await clock.rest()
        assert asked.done()


async def test_work_in_a_thread_is_in_flight_until_it_is_done() -> None:
    clock = HeldClock()
    working = asyncio.create_task(asyncio.to_thread(time.sleep, 0.05))
    await clock.rest()
    assert working.done()


async def test_what_never_rests_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.clock.HANG", 0.02)
    clock = HeldClock()
    clock.in_flight["the kettle"] = lambda: True
    with pytest.raises(AssertionError, match="the kettle"):
        await clock.rest()


async def test_a_game_rests_when_the_bot_has_heard_and_answered(table: Game) -> None:
    await table.play("alice: /roll dice:d6")
    await table.says("gm: /table pin")
    await table.at_rest()
    requests, events = table.discord.server.requests, table.discord.messages()
    async with aiohttp.ClientSession() as session:  # whatever the bot still did would come before this
        await session.get(table.discord.api_url)
    assert (table.discord.server.requests, table.discord.messages()) == (requests + 1, events)
    assert not table.bot.followers.waits
