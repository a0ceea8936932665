"""How long `doctor` takes for a database in use, and how much memory: the command in a process of its own.

Half of the steps are those of long campaigns, the others of short ones, as where many people try the bot.
"""

import asyncio
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psutil

from bot.store import codec
from tests.bench.bots import ROOT
from tests.bench.story import SESSIONS, STEPS, Script
from tests.game import playing

STEPS_IN_USE = 86_000
"""So many steps are checked, unless another number is given."""
SHORT = 9
"""Steps of a short campaign."""

Row = dict[str, Any]


async def doctor(steps: int) -> None:
    """Fill a database with so many steps, and print what `doctor` takes for it."""
    with tempfile.TemporaryDirectory() as folder:
        path = await _played(Path(folder))
        with closing(sqlite3.connect(path)) as database:
            campaigns = _multiply(database, steps)
        began = time.perf_counter()
        command = [sys.executable, "-m", "bot", "doctor", "--database", str(path)]
        running = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=subprocess.PIPE)
        done, process, most = asyncio.create_task(running.communicate()), psutil.Process(running.pid), 0
        while not done.done():
            await asyncio.wait([done], timeout=0.05)
            with suppress(psutil.Error):  # it has ended
                most = max(most, process.memory_info().rss)
        took = time.perf_counter() - began
        assert running.returncode == 0, done.result()
    print(f"doctor, {steps} steps of {campaigns} campaigns: {took:.1f} s, {most / 1024 / 1024:.0f} MiB")


async def _played(folder: Path) -> Path:
    """A database in which one long campaign was played, by a script."""
    script = Script()
    async with playing(folder) as game:
        await game.table()
        for number in range(1, SESSIONS + 1):
            for line in script.session(number, STEPS // SESSIONS):
                reply = await game.says(line)
                assert reply.failed is None, (line, reply.failed)
            await game.says("gm: /session end")
    return folder / "game.db"


def _multiply(database: sqlite3.Connection, steps: int) -> int:
    """Copy the campaign in a database until it has so many steps; how many campaigns it has then."""
    database.row_factory = sqlite3.Row
    campaigns, people, entries = (
        [dict(row) for row in database.execute(f"SELECT * FROM {table}")]
        for table in ("campaign", "person", "entry")
    )
    made, number = len(entries), 1
    while made < steps:
        some = entries[: SHORT if made > steps / 2 else None][: steps - made]
        made, number = made + len(some), number + 1
        own = {"campaign_id": number}
        _insert(database, "campaign", [row | {"id": number} for row in campaigns])
        _insert(database, "entry", [row | own for row in _renamed(some, f"Alice {number}")])
        _insert(database, "person", [row | own for row in people])
    database.commit()
    return number


def _renamed(entries: Sequence[Row], name: str) -> Iterator[Row]:
    """The steps of a campaign in which Alice is called something else: no two campaigns are the same."""
    old = new = b""
    for row in entries:
        is_key = row["base"] == row["number"]
        text = codec.unpack(row["state"], None if is_key else old)
        named = text.replace(b"Alice", name.encode()).replace(b"alice", name.casefold().encode())
        if is_key:
            old, new = text, named
        state = codec.pack(named, None if is_key else new)
        facts = row["facts"].replace("Alice", name).replace("alice", name.casefold())
        yield row | {"state": state, "facts": facts, "interaction_id": None}


def _insert(database: sqlite3.Connection, table: str, rows: Sequence[Row]) -> None:
    names = ", ".join(rows[0])
    places = ", ".join(f":{name}" for name in rows[0])
    database.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", rows)
