"""Shards that several processes share, by claims on one PostgreSQL server."""

import asyncio
import re
import signal
from pathlib import Path

import pytest

from bot.store.engine import connect
from bot.store.ledger import Ledger
from bot.store.shard_claims import Claims, Lost, _Kind
from tests.bot.store.test_migrate import rows
from tests.bot.test_health import until_is
from tests.bot.test_process import TOKEN, Program
from tests.cluster import serves, started, tables
from tests.cut import Pipe
from tests.patience import PATIENCE, patient, until

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("url", ["postgresql"], indirect=True)]


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


async def test_who_leaves_is_followed_and_lets_go_only_of_what_is_connected(url: str) -> None:
    old, new, third = [await Claims.open(url) for _ in range(3)]
    for each in (old, new, third):
        assert await each.agree(2, is_fixed=False) == 2
    assert await old.take(2, 2) == [0, 1]
    assert (await new.take(2, 1), await new.succeed(1)) == ([], [])
    await old.leave()
    assert (await new.take(2, 1), await new.succeed(1), new.coming) == ([], [0], {0})
    assert (await third.take(2, 9), await third.succeed(9)) == ([], [1])
    assert await old.successors() == ({0, 1}, set())
    assert not old.is_alone
    for _ in range(3):
        assert not await new.own(0)
    assert await old.successors() == ({0, 1}, {0})
    await old.let_go(0)
    assert old.held == {1}
    assert (await third.take(2, 9), third.coming) == ([], {1}), "it is spoken for"
    assert (await new.own(0), new.held, new.coming) == (True, {0}, set())
    await new.leave()
    assert await new.successors() == (set(), set()), "nobody is next yet where it leaves in its turn"
    await old.close()
    await until(lambda: third.own(1))
    assert not await third.forgo(1)
    for each in (new, third):
        await each.close()


async def test_who_is_next_gives_way_to_who_has_it_for_good(url: str) -> None:
    old, new, quick = [await Claims.open(url) for _ in range(3)]
    assert await old.take(1, 1) == [0]
    await old.leave()
    assert (await new.take(1, 1), await new.succeed(1)) == ([], [0])
    assert not await new.forgo(0)
    await old.let_go(0)
    quick._seen[_Kind.LEAVING] = {0}
    assert await quick.own(0), "it had looked before"
    assert (await new.own(0), await new.take(1, 1)) == (False, [])
    assert (await new.forgo(0), new.coming) == (True, set())
    for each in (old, new, quick):
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
        await is_ready(second)
        assert "Alice: 1 PP" in (await gm.slash("/pp give who:Alice", places[1])).text
        assert loopback.gateway.identified == 2
        first.process.kill()
        await first.process.wait()
        await until(lambda: loopback.gateway.identified == 4)  # its lines count until they are seen to be cut
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


async def test_a_process_that_is_told_to_stop_serves_until_another_one_does(tmp_path: Path, url: str) -> None:
    shared = {"SHARDS": "auto", "SHARDS_PER_PROCESS": "2", "LOG_LEVEL": "INFO", "DATABASE_URL": url}
    shared["USER_COMMANDS_PER_10S"] = "0"
    async with patient(TOKEN, shards=2, concurrency=2, identify_pause=5) as loopback:
        places = tables(loopback)
        first = await started(tmp_path, loopback, **shared)
        await serves(loopback, 0, 1)
        second = await started(tmp_path, loopback, **shared, HEALTH_PORT="0")
        await is_ready(second)
        gm = loopback.person("gm")
        given = 0
        first.process.send_signal(signal.SIGTERM)
        # All along: a process whose lines nobody reads stands still once the pipe is full.
        ending, reading = (asyncio.create_task(each.process.communicate()) for each in (first, second))
        while not ending.done() or given < 20:
            given += 1
            line = f"/pp set who:Alice number:{given % 900}"
            replies = await asyncio.gather(*(gm.slash(line, place) for place in places))
            assert [reply for reply in replies if f"Alice: {given % 900} PP" not in reply.text] == []
            assert loopback.gateway.served() == {0, 1}
        for place in places:
            _, newest = (await gm.slash("/log count:1", place)).text.splitlines()
            assert newest.startswith(f"{given}\\. gm"), "each is done once"
        gateway = loopback.gateway
        assert (gateway.identified, gateway.hasty, gateway.doubled) == (4, 0, 2)
        second.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            printed, more = [b"".join(filter(None, await each)) for each in (ending, reading)]
    assert (first.process.returncode, second.process.returncode) == (0, 0)
    assert printed.count(b"shard handed over") == 2
    for word in (b"Traceback", b"answered already", b"not answered"):
        assert word not in printed + more


async def test_whoever_has_no_successor_stops_as_ever(tmp_path: Path, url: str) -> None:
    shared = {"SHARDS": "auto", "SHARDS_PER_PROCESS": "2", "DATABASE_URL": url}
    async with patient(TOKEN) as loopback:
        only = await started(tmp_path, loopback, **shared)
        await serves(loopback, 0)
        await until(lambda: loopback.command_puts)
        only.process.send_signal(signal.SIGTERM)
        assert "Alice: 1 PP" in (await loopback.person("gm").slash("/pp give who:Alice")).text
        code, printed = await only.ended()
    assert (code, "Traceback" in printed) == (0, False), printed


async def is_ready(program: Program) -> None:
    """Wait until a process is ready; who has no shard can take over then."""
    assert program.process.stdout is not None
    (port,) = re.findall(rb"port=([0-9]+)", await program.process.stdout.readline())
    await until_is(f"http://127.0.0.1:{port.decode()}/ready", 200)
