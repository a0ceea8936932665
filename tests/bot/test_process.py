"""The program as a process of its own: told to stop, killed, or unable to start."""

import asyncio
import contextlib
import io
import json
import logging
import os
import re
import resource
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot import doomkeeper
from bot.loopback.driver import Loopback
from bot.loopback.model import Message
from bot.loopback.people import Person
from bot.loopback.reply import BotReply
from bot.loopback.table import AT_WORK
from bot.ops import logs
from bot.store import messages
from bot.store.migrate import migrate
from tests.forked import Forked, forked
from tests.game import Game
from tests.patience import PATIENCE, patient, until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TOKEN = "a-secret-that-nobody-may-see"
CALLBACK, EDIT = "POST /interactions/*/callback", "PATCH /channels/*/messages/*"
POINTS = re.compile(r"P(\d+): (\d+) PP")


class Program:
    """`python -m bot`, pointed at a loopback Discord."""

    def __init__(self, folder: Path, loopback: Loopback | None, **settings: str) -> None:
        self.folder = folder
        self.before: Callable[[], None] | None = None
        """What is done in the process before the program begins."""
        self.loads = False
        """Whether it loads the program itself, as from a command line."""
        self.output = asyncio.subprocess.PIPE
        self.loopback = loopback
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        urls = {}
        if loopback is not None:
            urls = {"DISCORD_API_URL": loopback.api_url, "DISCORD_GATEWAY_URL": loopback.gateway_url}
        database = f"sqlite+aiosqlite:///{folder / 'game.db'}"
        self.environment = {
            **kept,
            **urls,
            "DISCORD_TOKEN": TOKEN,
            "DATABASE_URL": database,
            "PYTHONPATH": str(ROOT),
            **settings,
        }

    async def start(self) -> None:
        """Start the process; most need not load the program anew."""
        environment = {name: value for name, value in self.environment.items() if value}
        self.process: Process | Forked
        if not self.loads and self.output == asyncio.subprocess.PIPE:
            self.process = await forked((), self.folder, environment, self.before)
            return
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            cwd=self.folder,
            env=environment,
            stdout=self.output,
            stderr=asyncio.subprocess.STDOUT,
        )

    async def ready(self) -> None:
        """Wait until it is connected."""
        assert self.loopback is not None
        await self.loopback.ready()

    async def ended(self) -> tuple[int | None, str]:
        """Wait until it ends: its exit code, and all that it has printed."""
        async with asyncio.timeout(PATIENCE):
            printed, _ = await self.process.communicate()
        assert TOKEN not in printed.decode()
        return self.process.returncode, printed.decode()

    async def again(self) -> None:
        """Start it anew, on the same database."""
        assert self.loopback is not None
        self.loopback.gateway.ready.clear()
        await self.start()
        await self.ready()


_MIGRATED: list[bytes] = []


async def lay_database(folder: Path) -> None:
    """Lay a database there that has its tables: a start that makes them takes three times as long."""
    if not _MIGRATED:
        with TemporaryDirectory() as other:
            await migrate(f"sqlite:///{other}/game.db")
            _MIGRATED.append((Path(other) / "game.db").read_bytes())
    (folder / "game.db").write_bytes(_MIGRATED[0])


@contextlib.asynccontextmanager
async def serving(
    folder: Path, before: Callable[[], None] | None = None, **settings: str
) -> AsyncIterator[tuple[Program, Loopback]]:
    """The program, connected to a loopback Discord, on a database that nobody has played in."""
    async with patient(TOKEN) as loopback:
        await lay_database(folder)
        program = Program(folder, loopback, **settings)
        program.before = before
        await program.start()
        try:
            await program.ready()
            yield program, loopback
        finally:
            if program.process.returncode is None:
                program.process.kill()
                await program.process.wait()


async def gift(loopback: Loopback, number: int) -> BotReply:
    """Somebody gives a PP to the character of their own name, so that each gift can be told apart."""
    return await loopback.person(f"P{number}").slash(f"/pp give who:P{number}")


async def gift_to_new(gm: Person, number: int) -> BotReply:
    """The GM gives a PP to somebody new, and agrees that they are new."""
    asked = await gm.slash(f"/pp give who:P{number}")
    return await gm.press(asked, f"Someone new: P{number}") if asked.buttons else asked


async def points(loopback: Loopback) -> dict[int, int]:
    """How many PP each character has."""
    looker = loopback.person("looker")
    shown = await looker.slash("/pp show")
    found = {int(who): int(pp) for who, pp in POINTS.findall(shown.text)}
    while more := [button for button in shown.buttons if button.label.startswith("Page")]:
        if more[0].label.startswith("Page 1 "):
            break
        shown = await looker.press(shown, more[0].label)
        found |= {int(who): int(pp) for who, pp in POINTS.findall(shown.text)}
    return found


def told_of(said: list[asyncio.Task[BotReply]]) -> set[int]:
    """Which of them were told to all so far."""
    replies = {number: one.result() for number, one in enumerate(said) if one.done()}
    return {number for number, reply in replies.items() if reply.failed is None and not reply.private}


async def test_told_to_stop_under_load_it_finishes_and_leaves_with_zero(tmp_path: Path) -> None:
    async with serving(tmp_path) as (program, loopback):
        await gift(loopback, 0)
        await loopback.person("gm").slash("/table pin")
        said = [asyncio.create_task(gift(loopback, number)) for number in range(50)]
        await asyncio.wait(said, return_when=asyncio.FIRST_COMPLETED)
        program.process.send_signal(signal.SIGTERM)
        code, printed = await program.ended()
        assert code == 0, printed
        assert "Traceback" not in printed
        loopback.give_up()
        await asyncio.wait(said)
        told = told_of(said)
        (pinned,) = loopback.pins()
        await program.again()
        kept = await points(loopback)
        assert {n for n in kept if n} == told - {0}
        assert set(kept.values()) <= {1, 2}
        assert all(f"P{number}: 1 PP" in pinned.text for number in told - {0})


async def test_killed_under_load_it_has_everything_that_was_told_exactly_once(tmp_path: Path) -> None:
    async with serving(tmp_path, USER_COMMANDS_PER_10S="0") as (program, loopback):
        await loopback.person("gm").slash("/campaign new name:Skyfall ruleset:adept")
        await loopback.person("gm").slash("/act start")
        rolled = await loopback.person("gm").slash("/doom roll")
        gm = loopback.person("gm")
        said = [asyncio.create_task(gift_to_new(gm, number)) for number in range(50)]
        while len(told_of(said)) < 10 and (waiting := [one for one in said if not one.done()]):
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        program.process.kill()
        await program.ended()
        loopback.give_up()
        await asyncio.wait(said)
        told = told_of(said)
        assert len(told) >= 10
        await program.again()
        kept = await points(loopback)
        assert told <= set(kept)
        assert set(kept.values()) == {1}
        opened = await gm.press(rolled, "Roll against")
        assert "Total" in (await gm.submit(opened.form, {"Dice": "2d6"})).text


async def test_killed_before_it_has_shown_a_change_it_shows_it_later(tmp_path: Path) -> None:
    async with serving(tmp_path) as (program, loopback):
        await gift(loopback, 0)
        await loopback.person("gm").slash("/table pin")
        await gift(loopback, 1)
        program.process.kill()
        await program.ended()
        (pinned,) = loopback.pins()
        assert "P1" not in pinned.text
        await program.again()
        await until(lambda: "P1: 1 PP" in pinned.text)


async def test_killed_after_a_roll_and_before_any_step_its_card_follows_it(tmp_path: Path) -> None:
    async with serving(tmp_path, write_once) as (program, loopback):
        gm = loopback.person("gm")
        await gm.slash("/campaign new name:Skyfall ruleset:adept")
        rolled = (await gm.slash("/roll dice:d10 d8 2d6")).message
        assert rolled is not None
        await until(lambda: messages_known(tmp_path) == 1)
        program.process.kill()
        await program.ended()
        await program.again()
        await gm.slash("/undo")
        await until(lambda: "This roll is closed" in rolled.text)


def write_once() -> None:
    """Let this process write down at once what a message shows, and nothing of the kind after that."""
    setattr(messages, "PAUSE", 3600.0)  # noqa: B010 - mypy knows it as a constant of another module


def messages_known(folder: Path) -> int:
    """How many messages the database knows to show a roll."""
    with contextlib.closing(sqlite3.connect(folder / "game.db", timeout=PATIENCE)) as database:
        return int(database.execute("SELECT count(*) FROM shown").fetchone()[0])


def roll_highest() -> None:
    """Let every die of this process come up with its highest face."""
    setattr(secrets, "randbelow", lambda size: size - 1)  # noqa: B010 - mypy knows it as a function


Deed = Callable[[Person, Message], Awaitable[Coroutine[None, None, BotReply]]]
"""What somebody does about a roll: as far as nothing changes, and then the rest."""


async def keep_choice(gm: Person, rolled: Message) -> Coroutine[None, None, BotReply]:
    return gm.press(rolled, "Total 14, effect d10")


async def apply_effect(gm: Person, rolled: Message) -> Coroutine[None, None, BotReply]:
    return gm.submit((await gm.press(rolled, "Apply d6")).form, {"Name": "Foothold"})


async def end_scene(gm: Person, rolled: Message) -> Coroutine[None, None, BotReply]:
    return gm.slash("/scene end")


async def undo(gm: Person, rolled: Message) -> Coroutine[None, None, BotReply]:
    return gm.slash("/undo")


@pytest.mark.parametrize(
    ("deed", "then"),
    [
        (keep_choice, "Total 14, effect d10"),
        (apply_effect, "Foothold **d6**"),
        (end_scene, "This roll is closed"),
        (undo, "This roll is closed"),
    ],
)
async def test_killed_between_a_step_and_its_card_it_shows_the_step_later(
    tmp_path: Path, deed: Deed, then: str
) -> None:
    async with serving(tmp_path, roll_highest) as (program, loopback):
        gm = loopback.person("gm")
        await gm.slash("/campaign new name:Skyfall ruleset:adept")
        await gm.slash("/scene start name:The docks")
        rolled = (await gm.slash("/roll dice:d10 d8 2d6")).message
        assert rolled is not None
        assert then not in rolled.text
        await gm.slash("/pp show")  # by then it knows which message shows the roll
        goes_on = await deed(gm, rolled)
        # Discord answers nothing more until the process is gone: neither the step nor its card's edit.
        steps = entries(tmp_path)
        held = [loopback.faults.hold(CALLBACK), loopback.faults.hold(EDIT, times=99)]
        doing = asyncio.create_task(goes_on)
        await until(lambda: entries(tmp_path) > steps)
        program.process.kill()
        await program.ended()
        loopback.faults.waiting.clear()
        loopback.give_up()
        await doing
        assert then not in rolled.text
        await program.again()
        await until(lambda: then in rolled.text)
        for fault in held:
            fault.set()


def entries(folder: Path) -> int:
    """How many steps of all campaigns are in the database."""
    with contextlib.closing(sqlite3.connect(folder / "game.db", timeout=PATIENCE)) as database:
        return int(database.execute("SELECT count(*) FROM entry").fetchone()[0])


async def test_killed_while_it_forgets_somebody_it_goes_on_and_says_when_it_is_done(tmp_path: Path) -> None:
    async with serving(tmp_path, USER_COMMANDS_PER_10S="0") as (program, loopback):
        zoe = loopback.person("zoe")
        for number in range(60):
            await zoe.slash("/pp give who:Zoe", channel=loopback.channel(f"place {number}"))
        told = await zoe.press(await zoe.slash("/privacy delete"), "Delete for ever")
        goes_on = loopback.faults.hold("PATCH /webhooks")  # however late the kill is, nothing is told before
        await until(lambda: is_forgetting(tmp_path))
        program.process.kill()
        await program.ended()
        goes_on.set()
        assert "is being deleted" in told.text
        await program.again()
        async with asyncio.timeout(PATIENCE):
            while "at 60 tables has been deleted" not in told.text:  # noqa: ASYNC110 - an edit tells nobody
                await asyncio.sleep(0.05)
        assert (await zoe.slash("/privacy show")).text == "The bot stores nothing about you."


def is_forgetting(folder: Path) -> bool:
    """Whether it is being done what somebody is promised: all that is kept about them goes."""
    with contextlib.closing(sqlite3.connect(folder / "game.db", timeout=PATIENCE)) as database:
        claimed = "SELECT count(*) FROM job WHERE kind LIKE 'forg%' AND claimed_until IS NOT NULL"
        return bool(database.execute(claimed).fetchone()[0])


def let_open_few_files() -> None:
    """Let this process open few files, and have fewer connections."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
    setattr(doomkeeper, "CONNECTIONS", 50)  # noqa: B010 - mypy knows it as a constant of another module


async def test_more_commands_at_once_than_files_may_be_open_wait_for_each_other(tmp_path: Path) -> None:
    async with serving(tmp_path, let_open_few_files, USER_COMMANDS_PER_10S="0") as (program, loopback):
        people = 200
        goes_on = loopback.faults.hold(CALLBACK, times=people)
        rollers = [loopback.person(f"person {number}") for number in range(people)]
        said = [asyncio.create_task(person.slash("/roll dice:d6")) for person in rollers]
        await until(lambda: loopback.server.held == 49)  # the gateway has the fiftieth
        goes_on.set()
        await asyncio.wait(said, return_when=asyncio.FIRST_COMPLETED)
        loopback.give_up()
        await asyncio.wait(said)
        assert "d6" in (await rollers[0].slash("/roll dice:d6")).text
        program.process.send_signal(signal.SIGTERM)
        code, printed = await program.ended()
        assert (code, "Too many open files" in printed) == (0, False)
        assert printed.count("wait for a free connection") == 1


async def test_interrupted_at_the_keyboard_it_leaves_with_zero(tmp_path: Path) -> None:
    async with serving(tmp_path) as (program, _):
        program.process.send_signal(signal.SIGINT)
        assert (await program.ended())[0] == 0


MOMENTS = [
    "GET /users/@me",
    "GET /oauth2/applications/@me",
    "PUT /applications/*/commands",
]


@pytest.mark.parametrize("moment", MOMENTS)
async def test_told_to_stop_before_it_is_connected_it_leaves(tmp_path: Path, moment: str) -> None:
    await lay_database(tmp_path)
    async with patient(TOKEN) as loopback:
        program = Program(tmp_path, loopback, LOG_LEVEL="WARNING")
        loopback.faults.delay(moment, 60)
        await program.start()
        await until(lambda: not loopback.faults.waiting)
        program.process.send_signal(signal.SIGTERM)
        assert await program.ended() == (0, "")


@pytest.mark.needs("/proc/self")
async def test_told_to_stop_while_it_is_still_loaded_it_leaves(tmp_path: Path) -> None:
    async with patient(TOKEN) as loopback:
        program = Program(tmp_path, loopback)
        program.loads = True
        await program.start()
        await until(lambda: hears(program.process.pid, signal.SIGTERM), pause=0)
        program.process.send_signal(signal.SIGTERM)
        assert await program.ended() == (0, "")


def hears(pid: int, sign: signal.Signals) -> bool:
    """Whether a process has said what it does when it gets that signal."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    caught = re.search(r"SigCgt:\s*([0-9a-f]+)", status)
    return caught is not None and bool(int(caught[1], 16) >> (sign - 1) & 1)


async def test_told_to_stop_while_it_waits_for_discord_it_leaves(tmp_path: Path) -> None:
    program = Program(tmp_path, None, DISCORD_API_URL="http://127.0.0.1:9/api/v10")
    await program.start()
    assert program.process.stdout is not None
    waiting = await program.process.stdout.readline()
    program.process.send_signal(signal.SIGTERM)
    assert await program.ended() == (0, "")
    assert b"Discord cannot be reached" in waiting


async def test_told_to_stop_in_overload_it_leaves_in_time(tmp_path: Path) -> None:
    async with serving(tmp_path) as (program, loopback):
        await gift(loopback, 0)
        with contextlib.closing(sqlite3.connect(tmp_path / "game.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            said = [asyncio.create_task(gift(loopback, number)) for number in range(200)]
            await until(lambda: [one for one in loopback.world.interactions.values() if one.answer][1:])
            program.process.send_signal(signal.SIGTERM)
            code, printed = await program.ended()
            loopback.give_up()
        assert code == 0
        assert "Traceback" not in printed
        await asyncio.gather(*said)


@pytest.mark.parametrize("asked", ["GET /users/@me", "GET /gateway/bot"])
async def test_what_is_away_at_the_start_is_waited_for_with_one_line(tmp_path: Path, asked: str) -> None:
    async with patient(TOKEN) as loopback:
        program = Program(tmp_path, loopback)
        loopback.faults.lose(asked, times=2)
        await program.start()
        await program.ready()
        assert "P1: 1 PP" in (await gift(loopback, 1)).text
        program.process.send_signal(signal.SIGTERM)
        code, printed = await program.ended()
    assert code == 0
    assert printed.count("Discord cannot be reached") == 1
    assert "Traceback" not in printed


async def test_a_second_bot_on_the_same_file_waits_and_then_says_who_has_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as (program, loopback):
        await gift(loopback, 1)
        second = Program(tmp_path, loopback, START_RETRY_SECONDS="0.5")
        await second.start()
        code, printed = await second.ended()
        assert code == 1
        assert printed.count(f"Process {program.process.pid} on ") == 2, "when it waits, and at its end"
        second.environment["START_RETRY_SECONDS"] = "60"
        await second.start()
        program.process.kill()
        await program.process.wait()
        loopback.gateway.ready.clear()
        await second.ready()
        assert "P1: 2 PP" in (await gift(loopback, 1)).text
        second.process.send_signal(signal.SIGTERM)
        assert (await second.ended())[0] == 0


async def test_refused_commands_are_told_with_the_reason_and_the_old_ones_work(tmp_path: Path) -> None:
    async with serving(tmp_path) as (program, loopback):
        program.process.send_signal(signal.SIGTERM)
        await program.ended()
        with contextlib.closing(sqlite3.connect(tmp_path / "game.db")) as other:
            other.execute("DELETE FROM note")
            other.commit()
        reason = "Max number of daily application command creates has been reached (200)"
        loopback.faults.fail("PUT /applications/*/commands", 400, code=30034, message=reason)
        await program.again()
        assert "P1: 1 PP" in (await gift(loopback, 1)).text
        program.process.send_signal(signal.SIGTERM)
        code, printed = await program.ended()
    assert code == 0
    assert reason in printed
    assert "Traceback" not in printed


@pytest.mark.parametrize(("code", "why"), [(4014, "intents"), (4013, "intents"), (4004, "token")])
async def test_what_the_gateway_will_never_take_is_a_matter_of_settings(
    tmp_path: Path, code: int, why: str
) -> None:
    await lay_database(tmp_path)
    async with patient(TOKEN) as loopback:
        loopback.gateway.refuses = code
        left, printed = await fails(tmp_path, loopback)
    assert left == os.EX_CONFIG
    assert why in printed.splitlines()[-1]


async def fails(folder: Path, loopback: Loopback | None = None, **settings: str) -> tuple[int | None, str]:
    """Start a program that cannot run: its exit code, and the one line it prints."""
    program = Program(folder, loopback, **settings)
    await program.start()
    code, printed = await program.ended()
    assert "Traceback" not in printed, printed
    return code, printed.strip()


async def test_without_a_token_it_says_how_to_get_one(tmp_path: Path) -> None:
    code, printed = await fails(tmp_path, DISCORD_TOKEN="")
    assert code == os.EX_CONFIG
    assert printed.startswith("DISCORD_TOKEN is not set")
    assert "python -m bot play" in printed


@pytest.mark.parametrize("shape", ["text", "json"])
async def test_with_a_wrong_token_it_says_so_in_one_line(tmp_path: Path, shape: str) -> None:
    await lay_database(tmp_path)
    async with Loopback("the right one") as loopback:
        code, printed = await fails(tmp_path, loopback, LOG_FORMAT=shape)
    assert code == os.EX_CONFIG
    assert [line for line in printed.splitlines() if "DISCORD_TOKEN" in line] == [
        "Discord rejected the token. Set DISCORD_TOKEN to the token on your application's Bot page."
    ]


async def test_with_discord_out_of_reach_it_says_so(tmp_path: Path) -> None:
    code, printed = await fails(
        tmp_path, DISCORD_API_URL="http://127.0.0.1:9/api/v10", START_RETRY_SECONDS="0"
    )
    assert code == 1
    assert "Discord cannot be reached" in printed


@pytest.mark.needs("/proc/self")
@pytest.mark.parametrize(
    ("url", "why", "left"),
    [
        ("postgresql://user:hidden@127.0.0.1:9/game", "cannot be used", 1),
        ("sqlite:////proc/nowhere/game.db", "cannot be opened", os.EX_CONFIG),
        ("mysql://user:hidden@localhost/game", "Use sqlite:// or postgresql://", os.EX_CONFIG),
        ("not a url", "does not exist", os.EX_CONFIG),
    ],
)
async def test_with_a_database_out_of_reach_it_says_so_in_one_line(
    tmp_path: Path, url: str, why: str, left: int
) -> None:
    code, printed = await fails(tmp_path, DATABASE_URL=url, START_RETRY_SECONDS="0")
    assert code == left
    assert len(printed.splitlines()) == 1
    assert why in printed
    assert "hidden" not in printed


async def test_with_a_database_that_is_none_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "game.db").write_bytes(b"this is no database, and long enough to be seen as none" * 50)
    code, printed = await fails(tmp_path)
    assert code == os.EX_CONFIG
    assert len(printed.splitlines()) == 1
    assert printed.endswith("file is not a database. Restore a backup: python -m bot restore PATH")


@pytest.mark.parametrize("room", [0, 9_000, 40_000, 100_000])
async def test_on_a_full_disk_a_new_database_is_refused_in_one_sentence(tmp_path: Path, room: int) -> None:
    program = Program(tmp_path, None)
    program.before = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (room, room))
    await program.start()
    code, printed = await program.ended()
    assert (code, len(printed.splitlines())) == (os.EX_CONFIG, 1), printed
    assert "disk I/O error" in printed


@pytest.mark.parametrize("table", ["note", "entry", "alembic_version"])
async def test_without_one_of_its_tables_it_says_so_in_one_sentence(tmp_path: Path, table: str) -> None:
    await migrate(f"sqlite:///{tmp_path}/game.db")
    with contextlib.closing(sqlite3.connect(tmp_path / "game.db")) as meddler:
        meddler.execute(f"DROP TABLE {table}")
    code, printed = await fails(tmp_path)
    assert (code, len(printed.splitlines())) == (os.EX_CONFIG, 1), printed
    assert f"table {table} is missing" in printed
    assert "doctor --repair" in printed


@pytest.mark.parametrize(
    "setting", [{"DISCORD_TOKEN": ""}, {"LOG_LEVEL": "loud"}, {"DATABASE_URL": "mysql://localhost/game"}]
)
async def test_what_only_a_person_can_mend_ends_as_it_is_set(tmp_path: Path, setting: dict[str, str]) -> None:
    code, printed = await fails(tmp_path, None, **setting, EXIT_WHEN_UNUSABLE="0")
    assert code == 0
    assert printed
    assert (await fails(tmp_path, None, **setting, EXIT_WHEN_UNUSABLE="300"))[0] == os.EX_CONFIG


def _let_others_read() -> None:
    os.umask(0o022)


@pytest.mark.parametrize("makes", [True, False])
async def test_only_its_owner_can_read_what_it_keeps(tmp_path: Path, makes: bool) -> None:
    names = {"game.db", "game.db-wal", "game.db-shm", "game.db.lock", "game.warnings"}
    if not makes:  # as an older version left them
        await lay_database(tmp_path)
        for name in ("game.db", "game.db.lock", "game.warnings"):
            (tmp_path / name).touch()
            (tmp_path / name).chmod(0o644)
    async with patient(TOKEN) as loopback:
        program = Program(tmp_path, loopback)
        program.before = _let_others_read
        await program.start()
        await program.ready()
        loopback.faults.fail("POST /interactions/*/callback", 400)
        await loopback.person("alice").slash("/roll dice:2d6")
        await until(lambda: (tmp_path / "game.warnings").exists())
        modes = {name: os.stat(tmp_path / name).st_mode & 0o777 for name in names}
        assert modes == dict.fromkeys(names, 0o600)
        program.process.send_signal(signal.SIGTERM)
        await program.ended()


async def test_where_it_is_set_to_wait_it_stays_until_it_is_stopped(tmp_path: Path) -> None:
    await lay_database(tmp_path)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    health = {"EXIT_WHEN_UNUSABLE": "wait", "HEALTH_PORT": str(port)}
    async with Loopback("the right one") as loopback:
        for program in (
            Program(tmp_path, None, **health, DISCORD_TOKEN=""),
            Program(tmp_path, None, **health, LOG_LEVEL="loud"),
            Program(tmp_path, loopback, **health),
        ):
            await program.start()
            printed = ""
            while "Waiting to be stopped. Fix this, then restart the bot." not in printed:
                assert program.process.stdout is not None
                async with asyncio.timeout(PATIENCE):
                    line = await program.process.stdout.readline()
                assert line, printed
                printed += line.decode()
            with pytest.raises(ConnectionRefusedError):
                await asyncio.open_connection("127.0.0.1", port)
            program.process.send_signal(signal.SIGTERM)
            assert await program.ended() == (0, "")


async def test_what_may_go_better_the_next_time_ends_with_one_however_that_is_set(tmp_path: Path) -> None:
    away = {"DISCORD_API_URL": "http://127.0.0.1:9/api/v10", "START_RETRY_SECONDS": "0"}
    assert (await fails(tmp_path, None, **away, EXIT_WHEN_UNUSABLE="0"))[0] == 1


async def test_with_a_newer_database_it_says_so_in_one_line(tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "game.db")) as newer:
        newer.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        newer.execute("INSERT INTO alembic_version VALUES ('9999')")
        newer.commit()
    code, printed = await fails(tmp_path)
    assert code == os.EX_CONFIG
    assert printed == "The database was made by a newer version of this program. Update the program."


async def test_a_bad_setting_is_named_in_one_line(tmp_path: Path) -> None:
    code, printed = await fails(tmp_path, LOG_LEVEL="loud")
    assert code == os.EX_CONFIG
    assert printed.startswith("LOG_LEVEL: ")
    assert len(printed.splitlines()) == 1


async def test_the_token_is_in_no_output_however_much_is_logged(tmp_path: Path) -> None:
    async with serving(tmp_path, LOG_LEVEL="DEBUG", LOG_FORMAT="json") as (program, loopback):
        await gift(loopback, 1)
        await loopback.faults.drop_gateway(resumable=True)
        await loopback.ready()
        await gift(loopback, 2)
        program.process.send_signal(signal.SIGTERM)
        code, printed = await program.ended()
    assert code == 0
    assert printed


@pytest.mark.parametrize("shape", ["text", "json"])
async def test_however_much_is_logged_no_secret_and_nothing_typed_is(tmp_path: Path, shape: str) -> None:
    async with serving(tmp_path, LOG_LEVEL="DEBUG", LOG_FORMAT=shape) as (program, loopback):
        gm = loopback.person("gm")
        opened = await gm.press(await gm.slash("/campaign new name:Murmured"), "Join")
        await gm.submit(opened.form, {"Name": "Murmurer"})
        await gm.slash("/campaign set setting:hidden GM rolls value:on")
        for more in ("", " hidden:true"):
            assert (await gm.slash(f"/roll dice:2d6 note:murmured words{more}")).failed is None
        await gm.slash("/note text:murmur hidden:true")
        loopback.person("alice")
        await gm.slash("/whisper to:@alice text:murmur")
        await loopback.person("alice").press(loopback.messages()[-1], "Open")
        await gm.complete("/pp give who:murmur")
        tokens = list(loopback.world.tokens)
        program.process.send_signal(signal.SIGTERM)
        code, printed = await program.ended()
    assert code == 0
    assert "asked" in printed
    assert "murmur" not in printed.lower()
    assert not [token for token in tokens if token in printed]


async def test_every_record_of_a_command_says_which_it_is(tmp_path: Path) -> None:
    async with serving(tmp_path, LOG_FORMAT="json") as (program, loopback):
        await gift(loopback, 0)
        with contextlib.closing(sqlite3.connect(tmp_path / "game.db")) as broken:
            broken.execute("DROP TABLE entry")
            broken.commit()
        reply = await loopback.person("gm").slash("/pp give who:Alice")
        program.process.send_signal(signal.SIGTERM)
        _, printed = await program.ended()
        (fault,) = [json.loads(line) for line in printed.splitlines() if "unforeseen fault" in line]
        found = {name: fault[name] for name in ("interaction", "command", "server", "shard")}
        server = loopback.world.home.id
        assert found == {
            "interaction": reply.interaction.id,
            "command": "pp give",
            "server": server,
            "shard": 0,
        }


async def test_a_late_a_doubled_and_a_repeated_answer_are_a_line_each(tmp_path: Path) -> None:
    async with serving(tmp_path, LOG_FORMAT="json") as (program, loopback):
        gm = loopback.person("alice")
        reply = await gm.slash("/pp give who:Alice")
        await gm.again(reply)
        loopback.server.answers.deadline = 0
        assert (await gm.slash("/pp give who:Alice")).failed
        await gm.complete("/pp give who:Al")
        program.process.send_signal(signal.SIGTERM)
        code, printed = await program.ended()
    assert code == 0
    told = [json.loads(line) for line in printed.splitlines()]
    assert "Traceback" not in printed
    warned = [line["event"] for line in told if line["level"] == "warning"]
    assert warned[:2] == ["answered already", "not answered"]
    assert not [line for line in told if "exception" in line]


@pytest.mark.parametrize("shape", ["text", "json"])
async def test_a_fault_is_logged_without_what_people_typed(tmp_path: Path, shape: str) -> None:
    async with serving(tmp_path, LOG_FORMAT=shape) as (program, loopback):
        await gift(loopback, 0)
        with contextlib.closing(sqlite3.connect(tmp_path / "game.db")) as broken:
            broken.execute("DROP TABLE entry")
            broken.commit()
        reply = await loopback.person("gm").slash("/pp give who:Somebody why:whispered words")
        assert "Something went wrong" in reply.text
        program.process.send_signal(signal.SIGTERM)
        _, printed = await program.ended()
    assert "unforeseen fault" in printed
    assert "whispered" not in printed


def test_a_start_imports_only_what_serving_needs(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'game.db'}"
    asyncio.run(migrate(url))
    migrates = f"asyncio.run(bot.store.migrate.migrate({url!r}))"
    starts = f"import asyncio, sys, bot.ops.serve\n{migrates}\nprint(*sys.modules)"
    loaded = set(subprocess.check_output([sys.executable, "-c", starts], cwd=ROOT, text=True).split())
    assert "bot.doomkeeper" in loaded
    assert (
        not {
            "alembic",
            "mako",
            "jinja2",
            "prompt_toolkit",
            "bot.loopback",
            "bot.loopback.terminal",
            "bot.loopback.demo",
        }
        & loaded
    )
    assert not {"PIL", "ttf_opensans", "sqlalchemy.orm"} & loaded


HEAVY = {"aiosqlite", "discord", "msgspec", "prompt_toolkit", "rich", "sqlalchemy", "structlog"}


def loaded_by(statement: str) -> set[str]:
    """The modules that a process has loaded after a statement; None in their table stands for none."""
    said = f"import sys\n{statement}\nprint(*(name for name, module in sys.modules.items() if module))"
    return set(subprocess.check_output([sys.executable, "-c", said], cwd=ROOT, text=True).split())


def test_the_command_line_loads_no_library_before_a_command_is_chosen() -> None:
    loaded = loaded_by("import bot.__main__")
    assert "bot.ops.commands" in loaded
    assert HEAVY & loaded == set()


def test_lines_of_a_file_are_played_without_a_terminal() -> None:
    assert {"prompt_toolkit", "rich"} & loaded_by("import bot.loopback.play") == set()


def test_a_migration_loads_no_rules() -> None:
    assert [name for name in loaded_by("import bot.store.migrate") if name.startswith("rules")] == []


def test_the_image_has_bytecode() -> None:
    made = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert "UV_COMPILE_BYTECODE=1" in made.split("uv sync")[0]
    assert "compileall -q bot rules migrations" in made.split("PYTHONDONTWRITEBYTECODE")[0]


def test_what_the_image_is_made_of_is_named_by_its_digest() -> None:
    made = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    compose = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    bases = re.findall(r"^FROM (\S+)|^    image: (\S+)", made + compose, re.MULTILINE)
    assert len(bases) == 3
    assert all(re.search(r":[0-9.]+[a-z-]*@sha256:[0-9a-f]{64}$", "".join(base)) for base in bases)
    assert "--require-hashes" in made
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", made)) == 2


# The local table


def table_on(folder: Path) -> "subprocess.Popen[str]":
    """A local table of its own, which reads lines until its input is closed."""
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "play"],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_a_second_local_table_on_the_same_file_says_so_and_stops(tmp_path: Path) -> None:
    first = table_on(tmp_path)
    assert first.stdin is not None
    assert first.stdout is not None
    first.stdin.write("/pp show\n")
    first.stdin.flush()
    assert first.stdout.readline() == "gm> /pp show\n"
    second, _ = table_on(tmp_path).communicate(timeout=PATIENCE)
    assert f"Process {first.pid} on {socket.gethostname()} is using the database file data/local.db" in second
    assert "Traceback" not in second
    first.communicate(timeout=PATIENCE)
    third = table_on(tmp_path)
    printed, _ = third.communicate("/pp show\n", timeout=PATIENCE)
    assert (third.returncode, "Another" in printed) == (0, False)


def test_log_lines_go_where_the_prompt_puts_the_error_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    before = logging.getLogger().handlers
    try:
        logs.set_up("WARNING", "text")
        above = io.StringIO()
        monkeypatch.setattr(sys, "stderr", above)
        logging.getLogger("bot").warning("the pin is gone")
        assert "the pin is gone" in above.getvalue()
    finally:
        logging.getLogger().handlers = before


async def test_what_comes_in_the_last_moment_of_a_stop_is_left_alone(
    game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is read from the gateway when nothing can be answered any more."""
    opened = (await game.says("alice: /roll dice:2d6")).interaction
    close = game.bot.http.close

    async def read_and_closed() -> None:
        coming: Any = {**opened.payload, "id": str(game.discord.world.snowflake())}
        game.bot._connection.parse_interaction_create(coming)
        working = [task for task in asyncio.all_tasks() if task.get_name().startswith(AT_WORK)]
        assert working
        await close()
        await asyncio.wait(working)
        wrong.extend(error for task in working if (error := task.exception()))

    wrong: list[BaseException] = []
    monkeypatch.setattr(game.bot.http, "close", read_and_closed)
    messages = len(game.discord.messages())
    with capture_logs() as logs:
        await game.stop()
    assert [line for line in logs if line["log_level"] in ("warning", "error")] == []
    assert wrong == []
    assert [record for record in caplog.records if record.exc_info] == []
    assert len(game.discord.messages()) == messages
    monkeypatch.undo()
    game.discord.gateway.ready.clear()
    await game.start()


@pytest.mark.parametrize("demo", [("--demo",), ()])
def test_a_table_whose_lines_nobody_reads_any_more_ends_quietly(
    tmp_path: Path, demo: tuple[str, ...]
) -> None:
    table = subprocess.Popen(
        [sys.executable, "-m", "bot", "play", *demo],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert table.stdout is not None
    assert table.stdin is not None
    if not demo:
        table.stdin.write("/roll dice:2d6\n" * 50)
        table.stdin.flush()
    assert table.stdout.readline()
    table.stdout.close()
    table.stdout = None
    _, told = table.communicate(timeout=PATIENCE)
    assert (table.returncode, told) == (0, "")
