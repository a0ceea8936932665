"""`report`: what it tells of a bot on which people play, and that it tells nothing of anybody."""

import ast
import asyncio
import logging
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from bot import EX_CONFIG, VERSION, paths
from bot.ops import logs
from bot.settings import DEFAULTS
from bot.store.engine import known
from bot.store.ledger import Ledger
from tests.bot.ops.operator import ROOT, Typing, aside, typed
from tests.bot.store.samples import ANNA, HERE, gift
from tests.bot.store.test_migrate import made_at, rows
from tests.bot.test_process import TOKEN, serving
from tests.patience import PATIENCE, until

REVISION = known()[-1]
SETTINGS = {
    "OPERATOR": "Wendeline",
    "CONTACT": "wendeline@example.org",
    "SUPPORT_URL": "https://wendeline:pass@example.org/help",
    "DEV_GUILD_ID": "918273645546372819",
    "BACKUP_DIR": "/home/wendeline/copies",
    "SENTRY_DSN": "",
    "CACHE_MB": "77",
}
"""Settings of somebody who hosts the bot."""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the data of each test apart: with PostgreSQL all tests wrote their warnings into one file."""
    monkeypatch.setattr(paths, "folder", lambda: tmp_path / "data")


@pytest.fixture
def handler(tmp_path: Path) -> Iterator[logs.WarningLog]:
    """What keeps warnings, in a folder that is not there yet."""
    kept = logs.WarningLog(tmp_path / "new" / "game.warnings")
    yield kept
    kept.close()


def record(
    name: str, message: object, *values: object, error: BaseException | None = None
) -> logging.LogRecord:
    info = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord(name, logging.WARNING, "/home/quillon/bot.py", 7, message, values, info, "act")


@pytest.mark.slow
async def test_a_report_of_a_game_has_nothing_of_anybody(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'game.db'}"
    async with serving(tmp_path) as (program, loopback):
        gm, player = loopback.person("Zebulon"), loopback.person("Quillon")
        for line in (
            "/campaign new name:Vorpalia ruleset:adept",
            "/session start",
            "/scene start name:Murkwater",
            "/doom add dice:d6 why:Thunderous",
        ):
            assert (await gm.slash(line)).failed is None
        await player.slash("/pp give who:Ysolde why:Gratefully")
        await player.slash("/whisper to:Zebulon text:Clandestine")
        await gm.slash("/table pin")
        await until(lambda: loopback.pins())
        loopback.faults.fail("PATCH /channels/*/messages/*", 403, code=50013, message="Ysolde is not yours")
        await gm.slash("/doom add dice:d8")
        kept = logs.path(url)
        await until(lambda: _has(kept, "pinned table not updated"))
        with closing(sqlite3.connect(tmp_path / "game.db", timeout=PATIENCE)) as database:
            database.execute("ALTER TABLE build RENAME TO elsewhere")
        reference = (await gm.slash("/pool build")).text
        assert "reference" in reference
        await until(lambda: _has(kept, "unforeseen fault"))
        ids = [str(each.user.id) for each in (gm, player)] + [
            str(loopback.world.home.id),
            str(loopback.table.id),
        ]
        program.process.terminate()
        assert (await program.ended())[0] == 0
    await rows(url, "ALTER TABLE elsewhere RENAME TO build")
    await rows(url, "UPDATE entry SET facts = 'no', state = x'00ff' WHERE number = 3")
    await rows(url, "INSERT INTO note VALUES ('Ysolde 918273645546372820', CAST(x'ff' AS TEXT))")
    code, said = await typed("report", DISCORD_TOKEN=TOKEN, DATABASE_URL=url, **SETTINGS)
    assert code == 0
    for told in (
        f"Doomkeeper {VERSION}",
        "DISCORD_TOKEN: set",
        "SENTRY_DSN: not set",
        "OPERATOR: set",
        "DEV_GUILD_ID: set",
        "CACHE_MB: 77",
        "LOG_LEVEL: INFO",
        f"revision {REVISION}; this version needs {REVISION}",
        "1 server, 1 active table;",
        "Doctor: Problems found: 1 campaign, ",
        "[campaign]: the events of [steps] cannot be read.",
        "note.value cannot be read in 1 row: [rows].",
        "warning bot.client.pinned pinned table not updated: Forbidden at bot.client.",
        "error bot.client.refusals unforeseen fault: OperationalError at bot.",
    ):
        assert told in said, (told, said)
    people = [
        "Zebulon",
        "Quillon",
        "Vorpalia",
        "Murkwater",
        "Thunderous",
        "Ysolde",
        "Gratefully",
        "Clandestine",
    ]
    secrets = [TOKEN, str(tmp_path), str(Path.home()), reference.split("(reference ")[1].split(")")[0]]
    hosts = ["wendeline", "example.org", "918273645546372819", "918273645546372820"]
    for hidden in (*people, *secrets, *hosts, *ids):
        assert hidden.lower() not in said.lower(), (hidden, said)
    assert not re.search(r"\d{15}", said), said


def _has(path: Path, what: str) -> bool:
    return path.exists() and what in path.read_text(encoding="utf-8")


def test_a_warning_is_kept_with_the_kind_and_place_of_its_error_and_no_value(
    handler: logs.WarningLog,
) -> None:
    async def fails() -> None:
        try:
            raise KeyError("Quillon")
        except KeyError as error:
            raise ValueError("Quillon has no die") from error

    try:
        asyncio.run(fails())
    except ValueError as error:
        raised = error
        handler.handle(record("bot.services.play", {"event": "seen in passing", "who": "Quillon"}))
    handler.handle(record("bot.services.play", {"event": "not done", "who": "Quillon", "exc_info": raised}))
    handler.handle(record("discord.client", "Ignoring %s of Quillon", "Quillon", error=raised))
    handler.handle(record("asyncio", "Task exception of Quillon was never retrieved", error=raised))
    handler.handle(record("other", {"event": "Quillon"}))
    *errors, last = Path(handler.baseFilename).read_text(encoding="utf-8").splitlines()
    starts = [
        "bot.services.play seen in passing",
        "bot.services.play not done",
        "discord.client at bot:7 act",
        "asyncio at bot:7 act",
    ]
    here = "tests.bot.ops.test_report"
    for line, start in zip(errors, starts, strict=True):
        assert re.match(rf"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ warning {re.escape(start)}: ValueError at ", line)
        assert re.search(rf"> {here}:\d+ fails, which came of KeyError at {here}:\d+ fails$", line), line
    assert last.endswith(" warning other at bot:7 act")
    assert "quillon" not in "\n".join([*errors, last]).lower()


def test_warnings_are_bounded_and_the_last_ones_are_told_once_each(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, types: Typing
) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(logs.WarningLog(logs.path(url))) as handler:
        for number in range(3000):
            handler.handle(record("bot.services.play", {"event": f"it rains on day {number % 1500}"}))
        for _ in range(2000):
            handler.handle(record("bot.services.play", {"event": "it snows"}))
    folder = logs.path(url).parent
    assert sum(path.stat().st_size for path in folder.glob("*.warnings*")) <= 2 * logs.MOST
    code, said = types("report", DATABASE_URL=url)
    told = said.partition("Last warnings:\n")[2].splitlines()[:-1]
    assert (code, len(told)) == (0, 20)
    assert re.search(r"Z \(\d{4} times\) warning bot.services.play it snows$", said, re.MULTILINE)


@pytest.mark.parametrize("where", ["letter/game.warnings", "/dev/full"])
def test_a_warning_that_cannot_be_kept_breaks_nothing_and_prints_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str
) -> None:
    (tmp_path / "letter").write_text("a file, where a folder should be")
    handler = logs.WarningLog(tmp_path / where)
    with suppress(OSError), closing(handler):
        handler.handle(record("bot.services.play", {"event": "it rains", "who": "Quillon"}))
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "")


async def test_a_report_is_made_where_the_database_cannot_be_read(
    empty: str, tmp_path: Path, types: Typing
) -> None:
    code, said = await aside(types, "report", DATABASE_URL=empty)
    assert (code, f"revision none; this version needs {REVISION}" in said, "none" in said) == (0, True, True)
    await made_at(empty, "0006")
    code, said = await aside(types, "report", DATABASE_URL=empty)
    assert (code, f"revision 0006; this version needs {REVISION}" in said) == (0, True)
    await rows(empty, "UPDATE alembic_version SET version_num = '9999'")
    code, said = await aside(types, "report", DATABASE_URL=empty)
    assert (code, "Cannot be read: NewerDatabase at bot.ops." in said) == (0, True), said
    away = "postgresql://anna:s3cret@127.0.0.1:1/quillon"
    code, said = await aside(types, "report", DATABASE_URL=away)
    assert (code, "Cannot be read: ConnectionRefusedError at " in said) == (0, True), said
    (tmp_path / "letter.db").write_text("Dear Quillon, this is no database. " * 50)
    code, said = await aside(types, "report", DATABASE_URL=f"sqlite:///{tmp_path}/letter.db")
    assert (code, "Cannot be read: DatabaseError" in said) == (0, True), said
    for hidden in ("anna", "s3cret", "quillon", "127.0.0.1", str(tmp_path)):
        assert hidden not in said.lower()


async def test_a_report_is_made_where_a_setting_cannot_be_read(types: Typing) -> None:
    code, said = await aside(types, "report", LOG_LEVEL="LOUD")
    assert code == EX_CONFIG
    assert f"Doomkeeper {VERSION}" in said
    assert "LOG_LEVEL is not valid. Run `check` to see why." in said
    assert "LOUD" not in said
    code, said = await aside(types, "report", LOG_LEVEL="INFO", DISCORD_TOKEN_FILE="/home/quillon/token")
    assert (code, "DISCORD_TOKEN_FILE is not valid." in said, "quillon" in said) == (EX_CONFIG, True, False)


async def test_warnings_that_are_damaged_are_left_out(url: str, tmp_path: Path, types: Typing) -> None:
    url = f"sqlite:///{tmp_path / 'game.db'}" if url.startswith("sqlite") else url
    kept = logs.path(url)
    kept.parent.mkdir(parents=True, exist_ok=True)
    good, bad = (
        b"2026-11-24T01:02:03Z warning bot.services.play it rains",
        b"2026-11-24T01:02:04Z warning \xff",
    )
    kept.write_bytes(b"\n".join((good, b"\xff\xfe Quillon", bad, b"")))
    code, said = await aside(types, "report", DATABASE_URL=url)
    kept.unlink()
    assert (code, "warning bot.services.play it rains" in said, "Quillon" in said, "01:02:04" in said) == (
        0,
        True,
        False,
        False,
    )


async def test_a_report_counts_what_is_well(url: str, types: Typing) -> None:
    ledger = await Ledger.open(url)
    await ledger.append(HERE, ANNA, 1, gift())
    await ledger.close()
    code, said = await aside(types, "report", DATABASE_URL=url)
    assert (code, "Doctor: All OK: 1 campaign, 1 entry, " in said) == (0, True), said
    assert re.search(r"total size \S+ [Mk]B", said)
    assert [line.split(":")[0].strip() for line in said.splitlines() if line[2:].split(":")[0].isupper()] == [
        name.upper() for name in DEFAULTS
    ]


def test_what_is_logged_is_named_in_the_code_and_made_of_no_value() -> None:
    said = 0
    for path in (ROOT / "bot").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            if node.func.attr in ("warning", "error", "exception", "critical") and _is_log(node.func.value):
                assert isinstance(node.args[0], ast.Constant), f"{path}:{node.lineno}"
                said += 1
    assert said > 30


def _is_log(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "log"
