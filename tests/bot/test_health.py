"""Whether the bot is well, and what it counts, as whoever runs it asks over HTTP."""

import asyncio
import gzip
import json
import os
import resource
import socket
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from bot.client.request import SLOW
from bot.loopback.driver import Loopback
from bot.ops.health import Health, answering
from bot.services.jobs import Keeping
from tests.bot.test_process import ROOT, Program, gift, serving
from tests.clock import HeldClock, hurried
from tests.game import Game
from tests.patience import PATIENCE
from tests.patience import until as happens

Figures = dict[tuple[str, ...], float]


@asynccontextmanager
async def looked_at(folder: Path) -> AsyncIterator[tuple[Game, str]]:
    """A table that is watched, and where its figures are."""
    health, clock = Health(), HeldClock()
    with hurried(clock):
        async with Loopback(clock=clock) as loopback, answering(health, "127.0.0.1", 0) as port:
            game = Game(loopback, folder / "game.db")
            game.watch = health.watch
            await game.start()
            health.bot, health.ledger = game.bot, game.ledger
            try:
                await game.table()
                yield game, f"http://127.0.0.1:{port}"
            finally:
                await game.stop()


async def asked(address: str) -> tuple[int, str]:
    """A page: its status and its text."""
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        return answer.status, await answer.text()


async def figures(address: str) -> Figures:
    """Every figure by its name and the values of its labels, in the labels' order, but the buckets."""
    status, text = await asked(f"{address}/metrics")
    assert status == 200
    families = [*text_string_to_metric_families(text)]
    assert all(family.documentation for family in families)
    return {
        (sample.name.removeprefix("doomkeeper_"), *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
        if "le" not in sample.labels
    }


async def test_when_the_database_was_last_copied_is_a_figure(tmp_path: Path) -> None:
    async with looked_at(tmp_path) as (game, address):
        assert ("copied_timestamp_seconds",) not in await figures(address)
        keeper = game.bot.keeper
        keeper._keeping = Keeping(folder=tmp_path / "copies", every=24)
        await keeper.begin()
        begun = await figures(address)
        assert begun[("copy_period_seconds",)] == 24 * 60 * 60
        assert begun[("copied_timestamp_seconds",)] == game.now.timestamp()
        await game.advance(hours=25)
        await game.at_rest()
        made = (await figures(address))[("copied_timestamp_seconds",)]
        assert made - begun[("copied_timestamp_seconds",)] >= 24 * 60 * 60
        (tmp_path / "copies").rename(tmp_path / "gone")
        (tmp_path / "copies").write_text("A file where a folder should be.")
        await game.advance(hours=30)
        assert (await figures(address))[("copied_timestamp_seconds",)] == made
        assert (await asked(f"{address}/ready"))[0] == 200


async def test_each_figure_is_what_was_done(tmp_path: Path) -> None:
    async with looked_at(tmp_path) as (game, address):
        before = await figures(address)
        await game.play("gm: /pp give who:Alice", "gm: /doom add dice:d6")
        assert (await game.says("alice: /doom add dice:d6")).private
        rolled = await game.play("alice: /roll dice:2d6 d8 vs:5")
        opened = await game.alice.press(rolled, "Apply")
        await game.alice.submit(opened.form, {"Name": "Rope"})
        await game.alice.complete("/pp give who:A")
        game.discord.faults.rate_limit("POST /interactions/*/callback", 0.01)
        await game.play("gm: /doom add dice:d8")
        await game.says("gm: /table pin")
        await game.play("gm: /doom add dice:d10")
        await game.at_rest()
        assert "d10" in game.discord.pins()[0].text
        game.discord.faults.fail("PATCH /channels/*/messages/*", 403, code=50013)
        await game.play("gm: /doom add dice:d12")
        await game.at_rest()
        after = await figures(address)
        assert after[("pins_total", "failed")] == 1
        entries = sqlite3.connect(game.file).execute("SELECT count(*) FROM entry").fetchone()[0]
    assert before[("interactions_total", "campaign new", "command", "done")] == 1
    assert after[("interactions_total", "doom add", "command", "done")] == 4
    assert after[("interactions_total", "doom add", "command", "refused")] == 1
    assert after[("interactions_total", "roll", "command", "done")] == 1
    assert after[("interactions_total", "apply", "press", "done")] == 1
    assert after[("interactions_total", "apply", "form", "done")] == 1
    assert after[("interactions_total", "pp give", "suggestion", "done")] == 1
    answered = sum(value for name, value in after.items() if name[0] == "interactions_total")
    assert answered == sum(value for name, value in after.items() if name[0] == "answer_seconds_count")
    assert after[("commit_changes_sum",)] >= entries
    assert after[("commit_changes_count",)] == after[("commit_seconds_count",)]
    assert after[("discord_requests_total", "POST", "429")] == 1
    assert after[("discord_requests_total", "PATCH", "403")] == 1
    assert after[("pins_total", "refreshed")] >= 1
    assert after[("servers",)] == after[("campaigns_cached",)] == after[("shards",)] == 1
    assert after[("shard_up", "0")] == after[("jobs_waiting",)] == 1
    assert after[("shard_latency_seconds", "0")] < PATIENCE
    assert after[("cache_bytes",)] > 1000
    assert after[("writes_waiting",)] == after[("busy_total",)] == after[("overtaken_total",)] == 0
    assert after[("process_resident_memory_bytes",)] > 1e6


async def test_what_goes_wrong_is_counted(tmp_path: Path) -> None:
    async with looked_at(tmp_path) as (game, address):
        game.bot.running.late = 0.0
        await game.play("gm: /doom add dice:d6")
        game.discord.faults.fail("POST /interactions/*/callback", 404, code=10062)
        game.bot.running.late = PATIENCE
        faults = game.discord.faults
        await game.unanswered(game.says("gm: /doom add dice:d8"), lambda: not faults.waiting)
        with sqlite3.connect(game.file) as database:
            database.execute("UPDATE entry SET state = x'00' WHERE number = (SELECT max(number) FROM entry)")
        await game.restart()
        await game.says("gm: /doom show")
        found = await figures(address)
    assert found[("answers_deferred_total",)] >= 1
    assert found[("interactions_total", "doom add", "command", "unanswered")] == 1
    assert found[("states_unreadable_total",)] >= 1


async def test_ready_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.client.shards.TURN", 0.0)  # this Discord demands no pause between two sessions
    health = Health()
    async with answering(health, "127.0.0.1", 0) as port:
        address = f"http://127.0.0.1:{port}"
        assert (await asked(f"{address}/live")) == (200, "alive\n")
        assert (await asked(f"{address}/ready")) == (503, "not connected to Discord yet\n")
        health.lag = 7.25
        assert (await asked(f"{address}/live")) == (503, "the event loop was 7.2 s late\n")
    async with looked_at(tmp_path) as (game, address):
        assert await until_is(f"{address}/ready", 200) == "ready\n"
        game.discord.gateway.ready.clear()
        await game.discord.faults.drop(False, 4000)
        assert await until_is(f"{address}/ready", 503) == "shards not connected: 0\n"
        assert await until_is(f"{address}/ready", 200) == "ready\n"


async def until_is(address: str, status: int) -> str:
    """The text of a page, once it has that status."""
    found = 0, ""

    async def is_so() -> bool:
        nonlocal found
        found = await asked(address)
        return found[0] == status

    await happens(is_so)
    return found[1]


async def checked(port: int) -> int:
    """The exit code of what the image does to see whether it is well."""
    made = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    command: list[str] = json.loads(made.split("HEALTHCHECK")[1].split("CMD ")[1].splitlines()[0])
    check = await asyncio.create_subprocess_exec(
        sys.executable,
        *command[1:],
        env={"HEALTH_PORT": str(port), "PATH": os.environ["PATH"]},
        stderr=asyncio.subprocess.DEVNULL,
    )
    return await check.wait()


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.mark.slow
@pytest.mark.parametrize("level", ["DEBUG", "INFO"])
async def test_a_process_answers_and_writes_a_line_a_command_where_that_is_wanted(
    tmp_path: Path, level: str
) -> None:
    port = free_port()
    settings = {"HEALTH_PORT": str(port), "LOG_FORMAT": "json", "LOG_LEVEL": level}
    async with serving(tmp_path, None, **settings) as (program, loopback):
        await loopback.person("gm").slash("/campaign new name:Whispered")
        assert await until_is(f"http://127.0.0.1:{port}/ready", 200) == "ready\n"
        assert (await asked(f"http://127.0.0.1:{port}/live"))[0] == 200
        assert await checked(port) == 0
        program.process.terminate()
        code, printed = await program.ended()
    assert code == 0
    assert await checked(port) != 0
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    assert "Whispered" not in printed
    written = [line for line in lines if line["event"] == "over"]
    # A busy machine may take long, and what took long is written at INFO.
    assert [line for line in written if line["level"] != "debug" and line["ms"] < SLOW * 1000] == []
    if level == "INFO":
        assert {line["level"] for line in written} <= {"info"}
        return
    over = written[0]
    assert (over["command"], over["outcome"]) == ("campaign new", "done")
    assert over["server"]
    assert over["interaction"]
    assert over["ms"] >= 0


async def test_a_command_that_took_long_or_failed_is_a_line_whatever_the_level(game: Game) -> None:
    with capture_logs() as logs:
        await game.says("alice: /roll dice:2d6")
        await game.says("alice: /roll dice:2d7")
        await game.at_rest()
        usual = [line for line in logs if line["event"] == "over" and line["ms"] < SLOW * 1000]
        assert {line["log_level"] for line in usual} <= {"debug"}
        game.discord.faults.fail("POST /interactions/*/callback", 400)
        await game.alice.slash("/roll dice:2d6")
        await game.at_rest()
    assert [line["outcome"] for line in logs if line["event"] == "over" and line["log_level"] == "info"] != []


@contextmanager
def room_for(files: int) -> Iterator[None]:
    """This process may have so many files open at least, whatever the machine allows at first."""
    before, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before, files), most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (before, most))


def half_open(port: int) -> socket.socket:
    """A connection whose request never ends."""
    line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    line.sendall(b"GET /live HTTP/1.1\r\n")
    return line


@pytest.mark.slow
async def test_half_open_connections_keep_nobody_from_playing_or_asking(tmp_path: Path) -> None:
    port = free_port()
    with ExitStack() as lines:
        lines.enter_context(room_for(4096))
        async with serving(tmp_path, HEALTH_PORT=str(port)) as (program, loopback):
            resource.prlimit(program.process.pid, resource.RLIMIT_NOFILE, (1024, 1024))
            for _ in range(1100):
                lines.enter_context(await asyncio.to_thread(half_open, port))
            replies = await asyncio.gather(*(gift(loopback, number) for number in range(100)))
            assert all(reply.failed is None for reply in replies)
            assert (await asked(f"http://127.0.0.1:{port}/live"))[0] == 200
            assert await until_is(f"http://127.0.0.1:{port}/ready", 200) == "ready\n"
            program.process.terminate()
            code, printed = await program.ended()
    assert code == 0
    assert "Traceback" not in printed


@pytest.mark.parametrize("sent", [b"", b"GET /live HTTP/1.1\r\n", b"GET /live HTTP/1.1\r\nHost: x\r\n\r\n"])
async def test_who_is_silent_for_long_is_let_go(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr("bot.ops.health.STAY", 0.01)
    async with answering(Health(), "127.0.0.1", 0) as port, asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        with suppress(ConnectionError):
            await reader.read()  # to its end
        writer.close()


async def test_a_port_that_is_taken_is_said_so(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        program = Program(tmp_path, None, HEALTH_PORT=str(taken.getsockname()[1]))
        await program.start()
        code, printed = await program.ended()
    assert code == 78
    assert "HEALTH_PORT" in printed.strip().splitlines()[-1]


@pytest.mark.parametrize("dsn", ["nonsense", "http://127.0.0.1/1"])
async def test_an_address_that_is_none_of_sentrys_is_said_so(tmp_path: Path, dsn: str) -> None:
    program = Program(tmp_path, None, SENTRY_DSN=dsn)
    await program.start()
    code, printed = await program.ended()
    assert code == 78
    assert printed.strip().startswith("SENTRY_DSN")


async def test_sentry_hears_of_a_fault_and_of_nobody(tmp_path: Path) -> None:
    heard: list[str] = []

    async def envelope(request: web.Request) -> web.Response:
        body = await request.read()
        heard.append((gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body).decode())
        return web.json_response({})

    application = web.Application()
    application.router.add_post("/api/1/envelope/", envelope)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    dsn = f"http://key@127.0.0.1:{runner.addresses[0][1]}/1"
    async with serving(tmp_path, SENTRY_DSN=dsn) as (program, loopback):
        gm = loopback.person("gm")
        await gm.slash("/campaign new name:Whispered")
        with sqlite3.connect(tmp_path / "game.db", timeout=PATIENCE) as database:
            database.execute("DROP TABLE build")
        assert "reference" in (await gm.slash("/pool build")).text
        program.process.terminate()
        assert (await program.ended())[0] == 0
    await runner.cleanup()
    told = "\n".join(heard)
    report = next(json.loads(line) for line in told.splitlines() if '"exception"' in line)
    assert report["tags"].keys() == {"command", "reference"}
    assert report["tags"]["command"] == "pool build"
    assert report["exception"]["values"][-1]["type"] == "OperationalError"
    assert report["exception"]["values"][-1]["stacktrace"]["frames"]
    for secret in ("Whispered", "DROP", "no such table", "gm", str(gm.user.id), "127.0.0.1"):
        assert secret not in json.dumps(report["exception"]) + json.dumps(report["tags"]), secret
    assert {"user", "server_name", "breadcrumbs", "extra", "request"}.isdisjoint(report)
