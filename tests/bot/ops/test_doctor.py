"""`doctor`: what it finds in a database, what it says, and what can be played after a repair."""

import asyncio
import io
import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.ops.database import ProgressLine
from bot.store.backups import COPIED, FAILED
from bot.store.ledger import Ledger
from tests.bot.ops.operator import Typing, aside, typed
from tests.bot.ops.test_columns import run
from tests.bot.store.samples import ANNA, HERE, THERE, anybody, gift, pp
from tests.bot.store.test_migrate import made_at
from tests.clock import HeldClock

HERE_ID = "(SELECT campaign_id FROM channel WHERE channel_id = 100)"


async def play(url: str, here: int = 40, there: int = 3) -> tuple[int, int]:
    """Two campaigns in which PP were given, so often; their ids."""
    ledger = await Ledger.open(url)
    campaigns = []
    for place, count in ((HERE, here), (THERE, there)):
        for _ in range(count):
            entry = await ledger.append(place, ANNA, 0, gift())
        campaigns.append(entry.campaign)
    await ledger.close()
    return campaigns[0], campaigns[1]


async def state(url: str) -> tuple[int, bool]:
    """The PP at the first campaign, which has to be there, and whether its newest table is lost."""
    ledger = await Ledger.open(url)
    entry = await ledger.look(HERE)
    assert entry is not None
    await ledger.close()
    return pp(entry.table) if entry.table.characters else 0, bool(entry.table.lost)


@pytest.fixture(scope="module")
def played_file(file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file in which two campaigns were played."""
    path = tmp_path_factory.mktemp("played") / "played.db"
    shutil.copy(file, path)
    asyncio.run(play(f"sqlite:///{path}"))
    return path


@pytest.fixture
def played(url: str, request: pytest.FixtureRequest) -> str:
    """The URL of a database in which two campaigns were played."""
    if url.startswith("sqlite"):
        shutil.copy(request.getfixturevalue("played_file"), url.removeprefix("sqlite:///"))
    else:
        asyncio.run(play(url))
    return url


def damage_rows(url: str, *statements: str) -> None:
    """Damage rows of what was played."""
    asyncio.run(run(url, [statement.format(here=HERE_ID, bytes=_bytes(url)) for statement in statements]))


def _bytes(url: str) -> str:
    return "x'00ff'" if url.startswith("sqlite") else r"'\x00ff'"


async def test_where_all_is_well_one_line_says_so(url: str, types: Typing) -> None:
    await play(url)
    if url.startswith("sqlite"):
        code, said = await typed("doctor", DATABASE_URL=url)
    else:
        code, said = await aside(types, "doctor", DATABASE_URL=url)
    assert code == 0
    assert said.startswith("All OK: 2 campaigns, 43 entries, ")
    assert len(said.splitlines()) == 1
    assert (await aside(types, "doctor", "--repair", DATABASE_URL=url))[0] == 0


async def test_an_automatic_backup_that_fails_is_found(url: str, types: Typing) -> None:
    await play(url)
    ledger = await Ledger.open(url)
    made = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    await ledger.notes.keep(COPIED, str(int(made.timestamp())))
    await ledger.close()
    hourly = {"BACKUP_EVERY": "1", "BACKUP_DIR": "copies"}
    code, said = await aside(types, "doctor", DATABASE_URL=url, **hourly)
    assert code == 1
    assert "backup is failing; the bot's log says why. The last backup is from 2026-03-01 12:30 UTC." in said
    ledger = await Ledger.open(url)
    await ledger.notes.drop(COPIED)
    await ledger.notes.keep(FAILED, "1")
    await ledger.close()
    assert "says why. There are none yet." in (await aside(types, "doctor", DATABASE_URL=url, **hourly))[1]
    assert (await aside(types, "doctor", DATABASE_URL=url, BACKUP_EVERY="0"))[0] == 0


DAMAGES: dict[str, tuple[Sequence[str], Sequence[str], int]] = {
    "the newest states": (
        ["UPDATE entry SET state = {bytes} WHERE campaign_id = {here} AND number > 37"],
        [
            "the states of steps 38, 39, 40 cannot be read",
            "newest table, from step 40, cannot be read; the last readable one is from step 37",
        ],
        37,
    ),
    "the newest state, which is gone": (
        ["UPDATE entry SET state = NULL WHERE campaign_id = {here} AND number = 40"],
        ["newest table, from step 40, cannot be read"],
        39,
    ),
    "an old state": (
        ["UPDATE entry SET state = {bytes} WHERE campaign_id = {here} AND number = 5"],
        ["the state of step 5 cannot be read"],
        40,
    ),
    "a keyframe": (
        ["UPDATE entry SET state = {bytes} WHERE campaign_id = {here} AND number = 1"],
        ["the states of steps 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 6 more cannot be read"],
        40,
    ),
    "all states": (
        ["UPDATE entry SET state = {bytes} WHERE campaign_id = {here}"],
        ["no other is readable"],
        0,
    ),
    "all else": (
        [
            "UPDATE entry SET facts = 'no' WHERE campaign_id = {here} AND number IN (3, 40)",
            "INSERT INTO build VALUES ({here}, 11, 'no')",
            "INSERT INTO pin VALUES (999, 1, 0, 'pinned')",
        ],
        [
            "the events of steps 3, 40 cannot be read",
            "1 unfinished pool cannot be read",
            "Pinned tables without a campaign, in channels: 999.",
        ],
        40,
    ),
}
ON_BOTH = ("the newest states", "all states", "all else")


@pytest.mark.parametrize(
    ("url", "damage"),
    [*(("sqlite", damage) for damage in DAMAGES), *(("postgresql", damage) for damage in ON_BOTH)],
    indirect=["url"],
)
def test_what_is_not_well_is_named_and_repaired(played: str, types: Typing, damage: str) -> None:
    statements, says, left = DAMAGES[damage]
    damage_rows(played, *statements)
    code, said = types("doctor", DATABASE_URL=played)
    assert code == 1
    assert all(one in said for one in says), said
    assert said.splitlines()[-1].startswith("Problems found: 2 campaigns, 43 entries, ")
    code, said = types("doctor", "--repair", DATABASE_URL=played)
    assert (code, "repaired: " in said or " Deleted." in said) == (0, True), said
    code, said = types("doctor", DATABASE_URL=played)
    assert (code, len(said.splitlines())) == (0, 1), said
    assert asyncio.run(state(played)) == (left, False)
    asyncio.run(play(played, 1, 1))
    assert asyncio.run(state(played)) == (left + 1, False)


def test_after_a_repair_the_history_goes_on_where_the_last_table_was(played: str, types: Typing) -> None:
    damage_rows(played, "UPDATE entry SET state = {bytes} WHERE campaign_id = {here} AND number > 37")
    types("doctor", "--repair", DATABASE_URL=played)

    async def go() -> None:
        ledger = await Ledger.open(played)
        campaign = (await ledger.look(HERE)).campaign  # type: ignore[union-attr]
        assert "the table is as it was after step 37" in str(await ledger.past.log(campaign, count=1))
        assert pp((await ledger.undo(campaign, ANNA, 0, anybody)).table) == 36
        assert pp((await ledger.redo(campaign, ANNA, 0, anybody)).table) == 37
        await ledger.close()

    asyncio.run(go())


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_rows_of_campaigns_that_are_gone_are_found(played: str, types: Typing) -> None:
    damage_rows(played, "PRAGMA foreign_keys = OFF")
    with closing(sqlite3.connect(played.removeprefix("sqlite:///"))) as meddler:
        meddler.execute(f"DELETE FROM campaign WHERE id <> {HERE_ID}")
        meddler.execute(
            "INSERT INTO campaign (id, guild_id, name, created_at) VALUES (5, 6, '', '2026-01-01')"
        )
        meddler.commit()
    code, said = types("doctor", DATABASE_URL=played)
    assert code == 1
    assert "Campaign 5 of server 6 has no entry." in said
    for table in ("channel", "entry", "person"):
        assert f"Rows of the table {table} that refer to missing campaigns: " in said
    assert types("doctor", "--repair", DATABASE_URL=played)[0] == 0
    assert types("doctor", DATABASE_URL=played)[0] == 0
    asyncio.run(play(played, 1, 1))


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_file_whose_pages_are_damaged_needs_a_copy(played: str, types: Typing) -> None:
    damage_rows(played, "PRAGMA wal_checkpoint(TRUNCATE)")
    file = played.removeprefix("sqlite:///")
    with Path(file).open("r+b") as pages:
        pages.seek(-2 * 4096, os.SEEK_END)
        pages.write(b"\xff" * 4096)
    code, said = types("doctor", DATABASE_URL=played)
    assert code == 1
    assert "damaged" in said or "malformed" in said, said


def test_while_somebody_has_the_file_it_looks_but_does_not_repair(played: str, types: Typing) -> None:
    damage_rows(played, "UPDATE entry SET state = {bytes} WHERE campaign_id = {here} AND number = 40")

    async def go() -> tuple[tuple[int, str], tuple[int, str]]:
        ledger = await Ledger.open(played)
        looked = await aside(types, "doctor", DATABASE_URL=played)
        mended = await aside(types, "doctor", "--repair", DATABASE_URL=played)
        await ledger.append(HERE, ANNA, 0, gift())
        await ledger.close()
        return looked, mended

    (code, said), (second, refused) = asyncio.run(go())
    assert (code, "newest table, from step 40" in said) == (1, True)
    why = (
        "is using the database file" if played.startswith("sqlite") else "A bot is running on this database."
    )
    assert (second, why in refused) == (os.EX_CONFIG, True)
    assert asyncio.run(state(played)) == (40, False)


def test_an_older_database_and_none_are_not_touched(empty: str, types: Typing) -> None:
    code, said = types("doctor", DATABASE_URL=empty)
    is_file = empty.startswith("sqlite")
    says = "The database file" if is_file else "The database has no tables yet. The bot's first start creates"
    assert (code, said.startswith(says)) == (os.EX_CONFIG, True), said
    asyncio.run(made_at(empty, "0006"))
    code, said = types("doctor", "--repair", DATABASE_URL=empty)
    assert (code, "Start the bot once" in said) == (os.EX_CONFIG, True)


class Terminal(io.StringIO):
    """A terminal that keeps what is printed."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("out", [Terminal(), io.StringIO()], ids=["terminal", "pipe"])
async def test_a_terminal_shows_once_a_second_how_far_it_is(out: io.StringIO) -> None:
    clock = HeldClock()
    line = ProgressLine(out, clock)
    for checked in (5_000, 12_000, 12_500, 86_000):
        line.show(checked, 86_000)
        await clock.advance(0.6)
    line.clear()
    shown = "\rChecked 12,500 of 86,000 steps\r\033[K"
    assert out.getvalue() == (shown if out.isatty() else "")
