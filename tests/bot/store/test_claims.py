"""Shards that several processes share, by claims on one PostgreSQL server."""

import asyncio
import re
import signal
from pathlib import Path

import pytest

from bot.store.claims import Claims, Lost
from bot.store.engine import connect
from bot.store.ledger import Ledger
from tests.bot.store.test_migrate import rows
from tests.bot.test_health import until_is
from tests.bot.test_process import TOKEN
from tests.cluster import serves, started, tables
from tests.cut import Pipe
from tests.patience import PATIENCE, patient

pytestmark = pytest.mark.parametrize("url", ["postgresql"], indirect=True)


async def test_no_two_processes_have_the_same_shard(url: str) -> None:
    one, two, reserve = [await Claims.open(url) for _ in range(3)]
    assert await one.take(4, 2) == [0, 1]
    assert await two.take(4, 3) == [2, 3]
    assert (await reserve.take(4, 3), reserve.free) == ([], [])
    await one.close()
    found: list[int] = []
    async with asyncio.timeout(PATIENCE):  # the server has yet to notice
        while len(found) < 2:
            found += await reserve.take(4, 1) + await two.take(4, 3)
    assert (sorted(found), len(reserve.held), two.free) == ([0, 1], 1, [])
    for each in (two, reserve):
        await each.close()


async def test_all_processes_have_the_number_of_shards_that_the_first_one_says(url: str) -> None:
    one, two, three = [await Claims.open(url) for _ in range(3)]
    assert await one.agree(4, is_fixed=True) == 4
    assert await two.agree(8, is_fixed=False) == 4
    assert await three.agree(8, is_fixed=True) is None
    await one.close()
    assert await three.agree(8, is_fixed=True) is None
    await two.close()
    async with asyncio.timeout(PATIENCE):  # the server has yet to notice
        while (agreed := await three.agree(8, is_fixed=True)) is None:
            pass
    assert agreed == 8
    await three.close()


async def test_who_loses_the_connection_has_nothing_and_is_told_at_once(url: str) -> None:
    one, two = await Claims.open(url), await Claims.open(url)
    assert await one.take(1, 1) == [0]
    engine = connect(url)
    async with engine.connect() as connection:
        ours = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2"
        await connection.exec_driver_sql(f"SELECT pg_terminate_backend(pid, 5000) FROM ({ours}) AS holders")
    await engine.dispose()
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(Lost):
            await one.pause(10 * PATIENCE)
    assert await two.take(1, 1) == [0]
    with pytest.raises(Lost):
        await one.take(1, 1)
    for each in (one, two):
        await each.close()


async def test_a_turn_is_one_process_s_alone_until_its_time_is_over(url: str) -> None:
    ledgers = [await Ledger.open(url) for _ in range(4)]
    for _ in range(2):
        taken = await asyncio.gather(*(ledger.turns.take("one", 60) for ledger in ledgers))
        assert sum(map(bool, taken)) == 1
        await rows(url, "UPDATE note SET value = CAST(CAST(value AS double precision) - 61 AS text)")
    mine, *others = [await ledger.turns.take("other", 60) for ledger in ledgers]
    assert mine
    assert not any(others)
    assert (again := await ledgers[0].turns.renew("other", mine))
    assert not await ledgers[1].turns.renew("other", mine)
    assert await ledgers[0].turns.renew("other", again)
    for ledger in ledgers:
        await ledger.close()


async def test_a_process_takes_over_what_another_one_leaves_and_gives_up_what_it_loses(
    tmp_path: Path, distant: str, pipe: Pipe, url: str
) -> None:
    shared = {"SHARDS": "auto", "SHARDS_PER_PROCESS": "2", "LOG_LEVEL": "INFO"}
    async with patient(TOKEN, shards=2, concurrency=2, identify_pause=5) as loopback:
        places = tables(loopback)
        gm = loopback.person("gm")
        first = await started(tmp_path, loopback, **shared, DATABASE_URL=url)
        await serves(loopback, 0, 1)
        shared["HEALTH_PORT"] = "0"
        second = await started(tmp_path, loopback, **shared, DATABASE_URL=distant)
        assert second.process.stdout is not None
        (port,) = re.findall(rb"port=([0-9]+)", await second.process.stdout.readline())
        await until_is(f"http://127.0.0.1:{port.decode()}/ready", 200)  # who has no shard can take over
        assert "Alice: 1 PP" in (await gm.slash("/pp give who:Alice", places[1])).text
        assert loopback.gateway.identified == 2
        first.process.kill()
        await first.process.wait()
        await serves(loopback, 0, 1)
        for place, text in zip(places, ("Alice: 1 PP", "Alice: 2 PP"), strict=True):
            assert text in (await gm.slash("/pp give who:Alice", place)).text
        pipe.down()
        await serves(loopback)
        await pipe.up()
        await serves(loopback, 0, 1)
        assert "Alice: 3 PP" in (await gm.slash("/pp give who:Alice", places[1])).text
        assert (loopback.gateway.hasty, loopback.gateway.doubled, loopback.command_puts) == (0, 0, 1)
        second.process.send_signal(signal.SIGTERM)
        code, printed = await second.ended()
    assert (code, "Traceback" in printed) == (0, False), printed
    assert printed.count("shards given up") == 1
