"""`check`, `sync` and `maintain`: what they say, what they change, and what they leave as it is."""

import asyncio
import hashlib
import os
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.loopback.driver import Loopback
from bot.loopback.model import Json
from bot.store.engine import known
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from tests.bot.ops.operator import Typing, aside, cramped, typed
from tests.bot.store.samples import ANNA, HERE, archived, gift
from tests.bot.store.test_migrate import made_at, rows
from tests.bot.test_process import TOKEN
from tests.patience import patient

REVISION = known()[-1]


@pytest.fixture
async def discord_() -> AsyncIterator[Loopback]:
    """A loopback Discord."""
    async with patient(TOKEN) as loopback:
        yield loopback
        assert loopback.violations == []


def settings(discord_: Loopback, url: str, **more: str) -> dict[str, str]:
    urls = {"DISCORD_API_URL": discord_.api_url, "DISCORD_GATEWAY_URL": discord_.gateway_url}
    return {**urls, "DISCORD_TOKEN": TOKEN, "DATABASE_URL": url, **more}


def digest(url: str) -> dict[str, str]:
    """Every file beside a SQLite file, by what it holds."""
    folder = Path(url.removeprefix("sqlite:///")).parent
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_check_says_that_all_is_well_and_changes_nothing(
    url: str, discord_: Loopback, types: Typing
) -> None:
    assert (await aside(types, "sync", **settings(discord_, url)))[0] == 0
    before, puts = digest(url), discord_.command_puts
    code, said = await typed("check", **settings(discord_, url))
    count = len(discord_.commands)
    assert (code, said.splitlines()[-1]) == (
        0,
        f"All OK: database at revision {REVISION}; logged in to Discord as bot#0000, {count} commands.",
    )
    assert (digest(url), discord_.command_puts) == (before, puts)
    assert discord_.gateway.identified == 0


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_check_names_what_people_are_not_told_and_what_discord_asks_for(
    url: str, discord_: Loopback, types: Typing
) -> None:
    assert (await aside(types, "sync", **settings(discord_, url)))[0] == 0
    _, said = await aside(
        types, "check", **settings(discord_, url, OPERATOR="Greta", CONTACT="greta@example.org")
    )
    unnamed, there, missing, *_ = said.splitlines()
    assert unnamed.endswith(": SUPPORT_URL, SOURCE_URL, TERMS_URL, PRIVACY_URL.")
    assert "which you have: no unneeded privileged intents, a public bot" in there
    assert "is missing: a terms of service link, a privacy policy link, verification by Discord" in missing
    links = dict.fromkeys(("SUPPORT_URL", "SOURCE_URL", "TERMS_URL", "PRIVACY_URL"), "https://example.org")
    _, said = await aside(
        types, "check", **settings(discord_, url, OPERATOR="Greta", CONTACT="Post", **links)
    )
    assert "Set these" not in said


@pytest.mark.parametrize("empty", ["sqlite"], indirect=True)
async def test_check_says_what_the_first_start_would_do_and_which_intents_are_not_needed(
    empty: str, discord_: Loopback, types: Typing
) -> None:
    discord_.world.application_flags = 1 << 18 | 1 << 15
    code, said = await aside(types, "check", **settings(discord_, empty))
    first, intents, commands, *_, whole = said.splitlines()
    assert (code, first) == (0, "The first start creates the database tables.")
    assert intents == "Turn off the privileged intents that the bot does not need: members, message content."
    assert commands.startswith("The next start updates the commands: ")
    assert "added (" in commands
    assert "/doom" in commands
    assert whole.startswith("All OK: database without tables; ")
    assert digest(empty) == {}
    assert discord_.commands == []


async def test_check_names_everything_that_is_wrong(empty: str, discord_: Loopback, types: Typing) -> None:
    await made_at(empty, "0006")
    no_copy = "No backup is made first: set BACKUP_DIR, or make one yourself."
    copied = "A backup is made first." if empty.startswith("sqlite") else no_copy
    code, said = await aside(types, "check", **settings(discord_, empty, DISCORD_TOKEN="another"))
    assert (code, said.splitlines()) == (
        os.EX_CONFIG,
        [
            f"The next start migrates the database from revision 0006 to {REVISION}. {copied}",
            "Discord rejected the token. Set DISCORD_TOKEN to the token on your application's Bot page.",
            "Problems found.",
        ],
    )
    assert await rows(empty, "SELECT version_num FROM alembic_version") == [("0006",)]
    await rows(empty, "UPDATE alembic_version SET version_num = '9999'")
    code, said = await aside(types, "check", **settings(discord_, empty, DISCORD_TOKEN=""))
    assert code == os.EX_CONFIG
    assert said.splitlines()[0].startswith("The database was made by a newer version")
    assert said.splitlines()[1].startswith("DISCORD_TOKEN is not set")


@pytest.mark.parametrize("there", [True, False], ids=["a database", "a new one"])
async def test_check_tries_to_write_where_a_start_would(
    there: bool, tmp_path: Path, discord_: Loopback, file: Path
) -> None:
    folder = tmp_path / "data"
    url = f"sqlite:///{folder}/game.db"
    if there:
        folder.mkdir()
        shutil.copy(file, folder / "game.db")
    code, said = await cramped("check", **settings(discord_, url))
    why = f"The folder of the database file {folder}/game.db cannot be written: no space left."
    assert (code, said.splitlines()[-2]) == (os.EX_CONFIG, why)
    assert (await typed("check", **settings(discord_, url)))[0] == 0
    assert [path.name for path in folder.glob("*")] == (["game.db"] if there else [])
    (folder if there else tmp_path).joinpath("copies").write_text("a file, where a folder should be")
    copies = f"{folder if there else tmp_path}/copies"
    code, said = await typed("check", **settings(discord_, url, BACKUP_DIR=copies))
    why = f"BACKUP_DIR: {copies} cannot be written: Not a directory."
    assert (code, said.splitlines()[-2]) == (os.EX_CONFIG, why)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.slow
async def test_check_says_that_somebody_else_writes_to_the_file(
    url: str, discord_: Loopback, types: Typing
) -> None:
    await rows(url, "PRAGMA journal_mode = DELETE")
    path = Path(url.removeprefix("sqlite:///"))
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        code, said = await aside(types, "check", **settings(discord_, url))
    assert (code, "cannot be written: database is locked" in said) == (1, True), said


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_check_tries_to_write_on_a_server(url: str, discord_: Loopback, types: Typing) -> None:
    name = url.split("?")[0].rpartition("/")[2]
    before = await rows(url, "SELECT count(*) FROM note")
    assert (await aside(types, "check", **settings(discord_, url)))[0] == 0
    assert await rows(url, "SELECT count(*) FROM note") == before
    await rows(url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    code, said = await aside(types, "check", **settings(discord_, url))
    assert (code, "read-only transaction" in said) == (os.EX_CONFIG, True), said


async def test_check_tells_what_may_be_there_later(discord_: Loopback, types: Typing) -> None:
    away = "postgresql://anna:s3cret@127.0.0.1:1/doomkeeper"
    discord_.faults.lose("GET /users/@me", times=9)
    code, said = await aside(types, "check", **settings(discord_, away))
    assert code == 1
    assert "cannot be used" in said.splitlines()[0]
    assert said.splitlines()[1].startswith("Discord cannot be reached")
    assert "s3cret" not in said


@pytest.mark.parametrize("order", ["check", "sync", "doctor", "maintain", "usage", "backup x", "restore x"])
def test_a_bad_setting_is_named(order: str, types: Typing) -> None:
    code, said = types(*order.split(), LOG_LEVEL="loud")
    assert (code, said.startswith("LOG_LEVEL: "), len(said.splitlines())) == (os.EX_CONFIG, True, 1)


@pytest.mark.parametrize(
    "order", ["check", "sync", "doctor", "maintain", "usage", "report", "backup", "restore"]
)
def test_help_says_what_it_does_and_how_it_ends(
    order: str, types: Typing, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        types(order, "--help")
    assert left.value.code == 0
    told = " ".join(capsys.readouterr().out.split())
    assert all(ending in told for ending in (" 0 on success", " 78 if ", " 1 if "))


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_sync_says_what_it_changes_and_a_dry_run_changes_nothing(
    url: str, discord_: Loopback, types: Typing
) -> None:
    given = settings(discord_, url)
    code, said = await aside(types, "sync", "--dry-run", **given)
    assert (code, said.startswith("Registering would change: ")) == (0, True)
    assert discord_.commands == []
    code, said = await aside(types, "sync", **given)
    assert code == 0
    count = len(discord_.commands)
    assert said.startswith(f"Commands registered: {count} added (")
    changed = discord_.world.commands[None]
    named(changed, "doom")["description"] = "Another description"
    named(changed, "roll")["options"][0]["required"] = False
    del changed[1, "about"]
    changed[1, "old"] = {**named(changed, "doom"), "name": "old", "id": "77"}
    code, said = await aside(types, "sync", "--dry-run", **given)
    assert (code, said) == (
        0,
        "Registering would change: 1 added (/about), 2 changed (/doom, /roll), 1 removed (/old), "
        f"{count - 3} unchanged.",
    )
    code, said = await aside(types, "sync", **given)
    assert (code, said.startswith("Commands registered: 1 added (/about)")) == (0, True)
    assert await aside(types, "sync", **given) == (0, "Commands registered: nothing.")


def named(commands: dict[tuple[int, str], Json], name: str) -> Json:
    return commands[1, name]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_sync_registers_on_one_server_and_says_what_discord_refuses(
    url: str, discord_: Loopback, types: Typing
) -> None:
    given, home = settings(discord_, url), discord_.world.home.id
    code, said = await aside(types, "sync", "--guild", "5", **given)
    assert (code, said) == (
        os.EX_CONFIG,
        "The bot is not on the server with id 5. Check the id, or invite the bot first.",
    )
    assert (await aside(types, "sync", "--guild", str(home), **given))[0] == 0
    assert list(discord_.world.commands[home])
    assert await aside(types, "sync", "--guild", str(home), "--dry-run", **given) == (
        0,
        "Registering would change: nothing.",
    )
    reason = "Max number of daily application command creates has been reached (200)"
    discord_.faults.fail("PUT /applications/*/commands", 400, code=30034, message=reason)
    code, said = await aside(types, "sync", **given)
    assert (code, reason in said) == (1, True), said
    discord_.faults.fail("PUT /applications/*/commands", 400, code=50035, message="Invalid Form Body")
    code, said = await aside(types, "sync", **given)
    assert (code, said.startswith("Discord rejected"), len(said.splitlines())) == (os.EX_CONFIG, True, 1)


@pytest.mark.parametrize("order", ["sync", "maintain"])
def test_a_database_without_tables_is_not_touched(order: str, tmp_path: Path, types: Typing) -> None:
    url = f"sqlite:///{tmp_path}/game.db"
    code, said = types(order, DATABASE_URL=url, DISCORD_TOKEN=TOKEN)
    missing = f"The database file {tmp_path}/game.db does not exist. The bot's first start creates it."
    assert (code, said) == (os.EX_CONFIG, missing)
    assert not (tmp_path / "game.db").exists()


async def test_maintain_lets_go_of_what_has_had_its_time(url: str, types: Typing) -> None:
    ledger = await Ledger.open(url)
    entry = await ledger.append(HERE, ANNA, 0, gift())
    for _ in range(20):
        await ledger.append(HERE, ANNA, 0, gift())
    await ledger.places.delete(entry.campaign, ANNA, 0, archived)
    await ledger.close()
    await rows(url, "UPDATE campaign SET deleted_at = '2020-01-01 00:00:00.000000'")
    real = url.startswith("sqlite")
    code, said = await (
        typed("maintain", DATABASE_URL=url) if real else aside(types, "maintain", DATABASE_URL=url)
    )
    assert (code, said.startswith("Maintenance done: 1 expired row deleted; size before ")) == (
        0,
        True,
    )
    assert await rows(url, "SELECT count(*) FROM entry") == [(0,)]


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_maintain_leaves_a_file_alone_that_a_bot_has(url: str, types: Typing) -> None:
    asyncio.run(migrate(url))

    async def go() -> tuple[int, str]:
        ledger = await Ledger.open(url)
        said = await aside(types, "maintain", DATABASE_URL=url)
        await ledger.close()
        return said

    code, said = asyncio.run(go())
    assert (code, "Stop it first" in said) == (os.EX_CONFIG, True)
