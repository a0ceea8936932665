"""Several processes on one database, and processes that die."""

import asyncio
import os
from functools import partial
from pathlib import Path

import pytest

from bot.store.engine import connect
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from tests.bot.store import gifts
from tests.bot.store.samples import ANNA, HERE, gift, pp
from tests.forked import Forked, forked_to

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


async def started(url: str, first: int, count: int) -> Forked:
    return await forked_to(partial(gifts.main, url, first, count), ROOT, os.environ)


async def test_two_processes_lose_nothing(url: str) -> None:
    processes = [await started(url, first, 150) for first in (1000, 2000)]
    printed = [(await process.communicate())[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    numbers = sorted(int(number) for lines in printed for number in lines[::2])
    assert numbers == list(range(1, 301))
    ledger = await Ledger.open(url)
    look = await ledger.look(HERE)
    await ledger.close()
    assert look is not None
    assert pp(look.table) == 300


@pytest.mark.parametrize("lines", [1, 25, 60])
async def test_what_a_killed_process_told_of_is_there_once(url: str, lines: int) -> None:
    process = await started(url, 1000, 0)
    assert process.stdout is not None
    told = [await process.stdout.readline() for _ in range(lines)]
    process.kill()
    told += (await process.communicate())[0].splitlines(keepends=True)
    told = [line for line in told if line.endswith(b"\n")]
    ledger = await Ledger.open(url)
    look = await ledger.look(HERE)
    assert look is not None
    log = await ledger.past.log(look.campaign, count=100_000)
    assert [step.number for step in reversed(log)] == list(range(1, look.number + 1))
    assert pp(look.table) == look.number >= len(told) >= lines
    for line in told[-3:]:
        number, interaction = map(int, line.split())
        again = await ledger.append(HERE, ANNA, interaction, gift())
        assert (again.repeated, again.number) == (True, number)
    await ledger.close()


async def test_processes_that_start_together_migrate_once(empty: str) -> None:
    processes = [await started(empty, first, 3) for first in (1000, 2000, 3000)]
    assert [await process.wait() for process in processes] == [0, 0, 0]
    await migrate(empty)
    ledger = await Ledger.open(empty)
    look = await ledger.look(HERE)
    await ledger.close()
    assert look is not None
    assert look.number == 9


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
async def test_a_lost_connection_is_made_again(url: str) -> None:
    ledger = await Ledger.open(url)
    first = await ledger.append(HERE, ANNA, 1, gift())
    for number in (2, 3):
        engine = connect(url)
        async with engine.connect() as connection:
            ours = "datname = current_database() AND pid <> pg_backend_pid()"
            await connection.exec_driver_sql(
                f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE {ours}"
            )
        await engine.dispose()
        entries = await asyncio.gather(
            *(ledger.append(HERE, ANNA, 10 * number + n, gift()) for n in range(2))
        )
        assert {entry.campaign for entry in entries} == {first.campaign}
    look = await ledger.look(HERE)
    await ledger.close()
    assert look is not None
    assert pp(look.table) == 5
