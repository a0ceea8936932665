"""Shards that several processes share, by claims on one PostgreSQL server."""

import asyncio
import re
import signal
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bot.loopback.driver import Loopback
from bot.loopback.model import Channel
from bot.loopback.reply import BotReply
from bot.store import shard_claims
from bot.store.engine import Replaced, connect
from bot.store.ledger import Ledger
from bot.store.shard_claims import HUNG, LATE, Claims, Lost, _Kind
from tests.bot.store.samples import ANNA, HERE, gift, pp
from tests.bot.store.test_away import told_to_wait
from tests.bot.store.test_migrate import rows
from tests.bot.test_health import asked, figures, until_is
from tests.bot.test_process import TOKEN, Program
from tests.cluster import running, serves, started, tables
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
        alice = loopback.person("alice")
        first = await started(tmp_path, loopback, **shared, DATABASE_URL=url)
        await serves(loopback, 0, 1)
        shared["HEALTH_PORT"] = "0"
        second = await started(tmp_path, loopback, **shared, DATABASE_URL=distant)
        await is_ready(second)
        assert "Alice: 1 PP" in (await alice.slash("/pp give who:Alice", places[1])).text
        assert loopback.gateway.identified == 2
        first.process.kill()
        await first.process.wait()
        await until(lambda: loopback.gateway.identified == 4)  # its lines count until they are seen to be cut
        await serves(loopback, 0, 1)
        for place, text in zip(places, ("Alice: 1 PP", "Alice: 2 PP"), strict=True):
            assert text in (await alice.slash("/pp give who:Alice", place)).text
        pipe.down()
        await serves(loopback)
        await pipe.up()
        await serves(loopback, 0, 1)
        assert "Alice: 3 PP" in (await alice.slash("/pp give who:Alice", places[1])).text
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
        alice = loopback.person("alice")
        given = 0
        first.process.send_signal(signal.SIGTERM)
        # All along: a process whose lines nobody reads stands still once the pipe is full.
        ending, reading = (asyncio.create_task(each.process.communicate()) for each in (first, second))
        while not ending.done() or given < 20:
            given += 1
            line = f"/pp set who:Alice number:{given % 900}"
            replies = await asyncio.gather(*(alice.slash(line, place) for place in places))
            assert [reply for reply in replies if f"Alice: {given % 900} PP" not in reply.text] == []
            assert loopback.gateway.served() == {0, 1}
        for place in places:
            _, newest = (await alice.slash("/log count:1", place)).text.splitlines()
            assert newest.startswith(f"{given}\\. alice"), "each is done once"
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
        assert "Alice: 1 PP" in (await loopback.person("alice").slash("/pp give who:Alice")).text
        code, printed = await only.ended()
    assert (code, "Traceback" in printed) == (0, False), printed


def looked_for(claims: Claims, seconds: float) -> None:
    """Let a process have looked each second for so long, and have heard nothing of the others."""
    claims._since = {beat: at - timedelta(seconds=seconds) for beat, at in claims._since.items()}


async def test_one_of_two_others_ends_a_process_that_hangs_and_it_cannot_write_again(url: str) -> None:
    ledger = await Ledger.open(url, process="a1")
    await ledger.append(HERE, ANNA, 1, gift())
    for name, days in (("old", 31), ("young", 29)):
        await rows(url, f"INSERT INTO note VALUES ('replaced:{name}', now() - interval '{days} days')")
    hung, one, two, full = [await Claims.open(url, process=name) for name in ("a1", "b2", "c3", "d4")]
    assert (await hung.take(3, 2), await full.take(3, 1)) == ([0, 1], [2])
    for each in (one, two, full):
        await each.take(3, 1)
        looked_for(each, HUNG + 1)
        await each.take(3, 1)
        assert [round(seconds) for seconds in each.late.values()] == [HUNG + 1] * len(each.late)
    assert full.late.keys() == {0, 1}
    assert await full.end_hung(1) == [], "it has no room"
    assert hung.held == {0, 1}
    ended = await asyncio.gather(one.end_hung(2), two.end_hung(2))
    assert sorted(ended) == [[], [0, 1]]
    told = await rows(url, "SELECT key FROM note WHERE starts_with(key, 'replaced:') ORDER BY key")
    assert [name for (name,) in told] == ["replaced:a1", "replaced:young"]
    with pytest.raises(Lost):
        await hung.pause(PATIENCE)
    assert await one.take(3, 2) == [0, 1]
    for _ in range(2):
        with pytest.raises(Replaced):
            await ledger.append(HERE, ANNA, 2, gift())
    with pytest.raises(Replaced):
        await ledger.look(HERE)
    with pytest.raises(Replaced):
        await Claims.open(url, process="a1")
    await ledger.close()
    ledger = await Ledger.open(url, process="e5")
    assert pp((await ledger.append(HERE, ANNA, 2, gift())).table) == 2, "another process can"
    await ledger.close()
    for each in (hung, one, two, full):
        await each.close()


async def test_a_process_that_is_slow_and_comes_back_keeps_its_shards(url: str) -> None:
    slow, other = [await Claims.open(url, process=name) for name in ("a1", "b2")]
    assert await slow.take(1, 1) == [0]
    for silence, is_late in ((LATE - 2, False), (LATE + 1, True), (HUNG - 2, True)):
        await other.take(1, 1)
        looked_for(other, silence)
        await other.take(1, 1)
        assert bool(other.late) is is_late
        assert await other.end_hung(1) == []
        await slow.take(1, 1)
        await other.take(1, 1)
        assert other.late == {}
    looked_for(other, HUNG + 1)
    await slow.take(1, 1)
    assert await other.end_hung(1) == [], "it wakes up in the last moment"
    for each in (slow, other):
        await each.close()


@pytest.mark.parametrize("jump", [LATE + 1, HUNG + 1, -60.0])
async def test_whoever_was_away_itself_ends_nobody_for_what_happened_meanwhile(url: str, jump: float) -> None:
    """All processes stand still at once where their machine or the database does; its clock may jump, too."""
    one, two = [await Claims.open(url, process=name) for name in ("a1", "b2")]
    assert (await one.take(2, 1), await two.take(2, 1)) == ([0], [1])
    await two.take(2, 2)
    looked_for(two, HUNG + 1)
    assert two._looked is not None
    two._looked -= timedelta(seconds=jump)
    assert (await two.take(2, 2), two.late) == ([], {})
    assert await two.end_hung(2) == []
    await one.take(2, 1)
    for each in (one, two):
        await each.close()


@pytest.mark.parametrize("name", ["", "a1"])
async def test_a_process_that_cannot_be_ended_is_only_told_of(url: str, name: str) -> None:
    """One of another role, which no statement may end, and one of a version that has no name."""
    guest = f"guest_of_{urlsplit(url).path.strip('/')}"
    await rows(url, f"CREATE ROLE {guest} LOGIN")
    await rows(url, f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {guest}")
    await rows(url, f"GRANT pg_read_all_stats TO {guest}")
    address = url.replace("postgres:@", f"{guest}@") if name else url
    hung, other = await Claims.open(url, process=name), await Claims.open(address, process="b2")
    assert await hung.take(1, 1) == [0]
    await other.take(1, 1)
    looked_for(other, HUNG + 1)
    await other.take(1, 1)
    assert (await other.end_hung(1), sorted(other.late)) == ([], [] if name else [0])
    assert await hung.take(1, 1) == [], "it lives"
    for each in (hung, other):
        await each.close()


async def test_a_process_that_waits_in_reserve_is_not_ended(url: str) -> None:
    one, reserve = [await Claims.open(url, process=name) for name in ("a1", "b2")]
    assert await one.agree(1, is_fixed=True) == await reserve.agree(1, is_fixed=True) == 1
    assert (await one.take(1, 2), await reserve.take(1, 2)) == ([0], [])
    await one.take(1, 2)
    looked_for(one, HUNG + 1)
    await one.take(1, 2)
    assert (await one.end_hung(2), one.late) == ([], {})
    for each in (one, reserve):
        await each.close()


def be_quick() -> None:
    """Let others be late, and then count as hung, sooner."""
    setattr(shard_claims, "LATE", 3.0)  # noqa: B010
    setattr(shard_claims, "HUNG", 8.0)  # noqa: B010


async def test_a_process_that_hangs_is_replaced_and_says_so_when_it_wakes_up(
    tmp_path: Path, url: str
) -> None:
    shared = {"SHARDS": "auto", "DATABASE_URL": url, "HEALTH_PORT": "0"}
    async with patient(TOKEN, shards=2, concurrency=2, identify_pause=5) as loopback:
        place, other = tables(loopback)
        first, second = [Program(tmp_path, loopback, **shared, SHARDS_PER_PROCESS=most) for most in "12"]
        first.before = second.before = be_quick
        loopback.world.owner = loopback.person("gm").user
        async with running(first):
            await serves(loopback, 0)
            async with running(second):
                await serves(loopback, 0, 1)
                port = await is_ready(second)
                held = await hung(first, await is_ready(first), loopback, port, place, other, url)
                await until(lambda: says(port, "ready\n"))
                assert await late_shards(port) == 0
                assert await given(loopback, place) == "Alice: 2 PP (+1)"
                first.process.send_signal(signal.SIGCONT)
                assert {(await one).text for one in held} == {
                    "The bot is restarting. In a moment, check /log, and try again if your change "
                    "isn't there."
                }
                code, printed = await first.ended()
                *_, last = printed.splitlines()
                assert (code, "Traceback" in printed) == (1, False), printed
                assert last == "This process did not respond, so another one has taken over its shards."
                assert await given(loopback, place) == "Alice: 3 PP (+1)"
                await first.start()
                await is_ready(first)
                first.process.send_signal(signal.SIGTERM)
                assert (await first.ended())[0] == 0
                assert await given(loopback, other) == "Alice: 2 PP (+1)"
                second.process.send_signal(signal.SIGTERM)
                code, printed = await second.ended()
    assert (code, "Traceback" in printed) == (0, False), printed
    assert printed.count("hung process ended") == 1


async def hung(
    program: Program, own: str, loopback: Loopback, port: str, place: Channel, other: Channel, url: str
) -> list[asyncio.Task[BotReply]]:
    """Let a process stand still with two commands at a place; return them once the other has taken over."""
    for each in (place, other):
        assert "is a new character" in await given(loopback, each)
    engine = connect(url)
    async with engine.connect() as connection:
        await connection.exec_driver_sql("BEGIN")
        await connection.exec_driver_sql("LOCK TABLE entry IN EXCLUSIVE MODE")
        people = [loopback.person(name) for name in ("gm", "alice")]
        held = [asyncio.create_task(person.slash("/pp give who:Alice", place)) for person in people]
        await until(lambda: len(told_to_wait(loopback)) == 2)
        # It knows so too, or it would wake up in the middle of a request that has run out of time.
        await until(lambda: has_deferred(own, 2))
        program.process.send_signal(signal.SIGSTOP)
        await until(lambda: says(port, "ready; shard 0 is late by "))
        assert await late_shards(port) == 1
        for person in people:
            person.user.manage_guild = True
        setup = (await people[0].slash("/setup", other)).text
        assert re.match(r"Shard 0 is late: its process hasn't responded for \d s\.\n", setup)
        assert "Shard 0" not in (await people[1].slash("/setup", other)).text, "she does not host the bot"
        await until(lambda: loopback.gateway.identified == 3)
        await connection.exec_driver_sql("ROLLBACK")
    await engine.dispose()
    return held


async def given(loopback: Loopback, place: Channel) -> str:
    return (await loopback.person("alice").slash("/pp give who:Alice", place)).text


async def late_shards(port: str) -> float:
    return (await figures(f"http://127.0.0.1:{port}"))[("shards_late",)]


async def has_deferred(port: str, count: int) -> bool:
    """Whether a process knows that it has deferred so many answers."""
    return (await figures(f"http://127.0.0.1:{port}"))[("answers_deferred_total",)] >= count


async def says(port: str, text: str) -> bool:
    """Whether a process is ready, and says so by a text that begins like this."""
    status, found = await asked(f"http://127.0.0.1:{port}/ready")
    return status == 200 and found.startswith(text)


async def is_ready(program: Program) -> str:
    """Wait until a process is ready; who has no shard can take over then. Return its port."""
    assert program.process.stdout is not None
    (port,) = re.findall(rb"port=([0-9]+)", await program.process.stdout.readline())
    await until_is(f"http://127.0.0.1:{port.decode()}/ready", 200)
    found: str = port.decode()
    return found
