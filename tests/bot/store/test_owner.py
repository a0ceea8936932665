"""One process owns a SQLite file: a second one hears who has it, and a killed one has it no longer."""

import asyncio
import os
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.engine import Occupied, Owner, Unreachable
from bot.store.history import Pin
from bot.store.ledger import Ledger
from tests.bot.store.samples import ANNA, HERE, THERE, gift, kept, pp

ROOT = Path(__file__).parents[3]
HOLD = "import sys; from bot.store.engine import Owner; o = Owner(sys.argv[1]); print(1, flush=True); input()"


async def holding(path: Path) -> asyncio.subprocess.Process:
    """A process that has the file."""
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-c", HOLD, str(path))
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdin=pipe, stdout=pipe)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"1\n"
    return process


async def test_a_second_process_hears_who_has_the_file(tmp_path: Path) -> None:
    process = await holding(tmp_path / "one.db")
    with pytest.raises(
        Occupied, match=f"Process {process.pid} on {socket.gethostname()} is using the database"
    ):
        Owner(tmp_path / "one.db")
    Owner(tmp_path / "two.db").release()
    process.kill()
    await process.wait()


async def test_a_killed_process_has_the_file_no_longer(tmp_path: Path) -> None:
    process = await holding(tmp_path / "one.db")
    process.kill()
    await process.wait()
    Owner(tmp_path / "one.db").release()


def test_the_same_process_has_it_once(tmp_path: Path) -> None:
    owner = Owner(tmp_path / "one.db")
    with pytest.raises(Occupied, match=f"Process {os.getpid()} on"):
        Owner(tmp_path / "one.db")
    owner.release()
    Owner(tmp_path / "one.db").release()


def test_a_folder_that_cannot_hold_a_lock_says_so(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="cannot be locked"):
        Owner(tmp_path / "nowhere" / "one.db")
    (tmp_path / "one.db.lock").write_text("This is no lock of a database file at all." * 100)
    with pytest.raises(Unreachable, match="cannot be locked"):
        Owner(tmp_path / "one.db")


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_others_read_what_an_owner_writes(url: str) -> None:
    ledger = await Ledger.open(url)
    await ledger.append(HERE, ANNA, 1, gift())
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as reader:
        assert reader.execute("SELECT count(*) FROM entry").fetchone() == (1,)
    await ledger.close()


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_a_look_at_what_is_remembered_asks_the_database_nothing(url: str) -> None:
    ledger = await Ledger.open(url)
    entry = await ledger.append(HERE, ANNA, 1, gift())
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as meddler:  # as nobody may
        meddler.execute("DELETE FROM entry")
        meddler.commit()
    assert await ledger.look(HERE) == await ledger.newest(entry.campaign) == entry
    await ledger.close()


async def test_a_database_that_may_be_shared_is_asked(url: str, ledger: Ledger, other: Ledger) -> None:
    await ledger.append(HERE, ANNA, 1, gift())
    for number in range(2, 5):
        await other.append(HERE, ANNA, number, gift())
        seen = await ledger.look(HERE)
        assert seen is not None
        assert pp(seen.table) == number


async def test_a_failed_start_lets_the_file_go(tmp_path: Path) -> None:
    path = tmp_path / "one.db"
    path.write_text("This is no database file at all." * 100)
    with pytest.raises(Exception, match="not a database"):
        await Ledger.open(f"sqlite:///{path}", migrates=True)
    Owner(path).release()


async def test_a_pin_is_found_also_where_there_was_none_before(url: str) -> None:
    ledger = await Ledger.open(url)
    here = (await ledger.append(HERE, ANNA, 1, gift())).campaign
    there = (await ledger.append(THERE, ANNA, 2, gift())).campaign
    assert await ledger.pins.of(here) == await ledger.pins.of(here) == []
    await ledger.pins.keep(HERE.channel, 5)
    assert await ledger.pins.of(here) == [Pin(HERE.channel, 5)]
    assert await ledger.pins.of(there) == await ledger.pins.of(there) == []
    await ledger.places.bind(HERE, there, ANNA, 3, kept)
    assert await ledger.pins.of(there) == [Pin(HERE.channel, 5)]
    assert await ledger.pins.of(here) == []
    await ledger.close()
