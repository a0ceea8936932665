"""Heartbeats on the gateway."""

import time
from typing import Any

import aiohttp

from bot.loopback.driver import Loopback
from bot.loopback.gateway import BREATH
from tests.bot.loopback.small_bot import Connected
from tests.patience import PATIENCE, until


async def test_a_heartbeat_is_answered_a_moment_later(discord_: Loopback) -> None:
    async with aiohttp.ClientSession() as web, web.ws_connect(discord_.gateway_url) as socket:
        hello: Any = await socket.receive_json(timeout=PATIENCE)
        assert hello["op"] == 10
        begun = time.monotonic()
        await socket.send_json({"op": 1, "d": None})
        assert await socket.receive_json(timeout=PATIENCE) == {"op": 11}
        assert time.monotonic() - begun >= BREATH * 0.9
        await socket.send_json({"op": 1, "d": None})  # whose answer nobody waits for


async def test_the_library_measures_that_moment_and_not_the_time_between_two_heartbeats() -> None:
    async with Loopback(heartbeat=0.4) as discord_, Connected(discord_) as bot:
        await until(lambda: 0 < bot.latency < 0.4)
