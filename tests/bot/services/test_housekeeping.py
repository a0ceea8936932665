"""What comes again and again: copies of the database, each whole, the newest of them kept."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.services.jobs import COPY, DAILY, Keeper, Keeping
from bot.services.play import Play
from bot.store.backups import restore
from bot.store.ledger import Ledger
from rules.values import replace
from tests.bot.store.samples import ANNA, HERE, gift, pp
from tests.patience import until

pytestmark = pytest.mark.usefixtures("programs")
OFTEN = 0.3 / 3600
"""Hours between two copies."""


async def nowhere(server: int) -> bool:
    """Whether the bot is on a server: it never is."""
    return False


@asynccontextmanager
async def kept(url: str, keeping: Keeping) -> AsyncIterator[Ledger]:
    """A ledger that is looked after."""
    ledger = await Ledger.open(url)
    keeper = Keeper(Play(ledger), ledger, keeping, nowhere)
    await keeper.begin()
    try:
        yield ledger
    finally:
        await keeper.close()
        await ledger.close()


async def test_copies_are_made_by_themselves_the_newest_stay_and_each_can_be_put_back(
    url: str, tmp_path: Path
) -> None:
    folder = tmp_path / "copies"
    seen: set[str] = set()

    def made() -> set[str]:
        found = os.listdir(folder) if folder.exists() else []
        seen.update(name for name in found if name.endswith((".db", ".dump")))
        return seen

    async with kept(url, Keeping(folder=folder, every=OFTEN, keep=2)) as ledger:
        await ledger.append(HERE, ANNA, 1, gift())
        await until(lambda: len(made()) >= 4)
    left = sorted(os.listdir(folder))
    assert len(left) == 2
    assert set(left) < seen | made()
    ledger = await Ledger.open(url)
    await ledger.append(HERE, ANNA, 2, gift())
    await ledger.close()
    await restore(url, folder / left[0])
    ledger = await Ledger.open(url)
    assert pp((await ledger.append(HERE, ANNA, 3, gift())).table) == 2
    await ledger.close()


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_a_copy_that_cannot_be_made_is_told_of_and_tried_again(url: str, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.write_text("A file where a folder should be.")
    with capture_logs() as logs:
        async with kept(url, Keeping(folder=folder, every=OFTEN)) as ledger:
            await until(lambda: [line for line in logs if line["event"] == "job failed"])
            job = await ledger.jobs.get(COPY)
    assert "The automatic backup failed: " in next(line for line in logs if "reason" in line)["reason"]
    assert job is not None
    assert job.tries <= 1


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_when_copies_are_due_outlasts_a_restart_and_follows_the_setting(
    url: str, tmp_path: Path
) -> None:
    async def due(every: float) -> datetime | None:
        async with kept(url, Keeping(folder=tmp_path, every=every)) as ledger:
            job = await ledger.jobs.get(COPY)
            return None if job is None else job.due

    first = await due(24)
    assert first is not None
    assert await due(24) == await due(48) == first
    sooner = await due(1)
    assert sooner is not None
    assert sooner < first
    assert await due(0) is None


async def test_what_has_had_its_time_is_cleared_up_once_a_day(url: str) -> None:
    async with kept(url, Keeping()) as ledger:
        daily = await ledger.jobs.get(DAILY)
        assert daily is not None
        await ledger.jobs.put(replace(daily, due=datetime.now(UTC)))
    async with kept(url, Keeping()) as ledger:

        async def is_done() -> bool:
            nonlocal daily
            daily = await ledger.jobs.get(DAILY)
            return daily is not None and daily.due > datetime.now(UTC)

        await until(is_done)
        assert daily.due - datetime.now(UTC) > timedelta(hours=23)
