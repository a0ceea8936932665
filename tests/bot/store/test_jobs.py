"""Jobs: done once when they are due, by one process; again where that one died or they failed."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from bot.services import jobs as timing
from bot.services.jobs import Jobs, Kind
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from rules.values import replace
from tests.bot.store import claims
from tests.bot.store.samples import ANNA, HERE, gift
from tests.forked import forked_to
from tests.patience import PATIENCE, until

HOUR = timedelta(hours=1)


def now() -> datetime:
    return datetime.now(UTC)


class Told:
    """Notes which jobs are done, and when each is due again."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.again: dict[str, datetime] = {}
        self.fails = 0
        self._heard = asyncio.Event()

    async def __call__(self, job: Job) -> datetime | None:
        """Note it."""
        await asyncio.sleep(0)
        self.keys.append(job.key)
        self._heard.set()
        if self.fails:
            self.fails -= 1
            raise OSError("Nobody is at home.")
        return self.again.get(job.key)

    async def until(self, count: int) -> list[str]:
        """What was done, as soon as it is so much."""
        async with asyncio.timeout(PATIENCE):
            while len(self.keys) < count:
                self._heard.clear()
                await self._heard.wait()
        return self.keys


@asynccontextmanager
async def working(ledger: Ledger, **kinds: Kind) -> AsyncIterator[Jobs]:
    """Somebody who does these kinds of jobs."""
    jobs = Jobs(ledger.jobs, kinds, ledger.clock, is_alone=ledger.is_alone)
    jobs.begin()
    try:
        yield jobs
    finally:
        await jobs.close()


async def settled(ledger: Ledger) -> Mapping[str, Job]:
    """The jobs that are left, once nobody is doing any."""

    async def are_let_go() -> bool:
        return not any(job.claimed for job in await ledger.jobs.of_kind("tell"))

    await until(are_let_go)
    return {job.key: job for job in await ledger.jobs.of_kind("tell")}


async def test_what_is_due_is_done_once_and_what_is_not_waits(ledger: Ledger) -> None:
    told = Told()
    async with working(ledger, tell=told):
        await ledger.jobs.put(Job("later", "tell", now() + HOUR))
        await ledger.jobs.put(Job("soon", "tell", now() + timedelta(seconds=0.3)))
        await ledger.jobs.put(Job("old", "tell", now() - HOUR, payload={"server": 2**62}))
        assert await told.until(2) == ["old", "soon"]
        assert set(await settled(ledger)) == {"later"}


async def test_it_is_given_what_was_put(ledger: Ledger) -> None:
    campaign = (await ledger.append(HERE, ANNA, 0, gift())).campaign
    given = Job("one", "tell", now() - HOUR, campaign, {"server": 2**62, "why": "Zoë"})
    await ledger.jobs.put(given)
    assert await ledger.jobs.get("one") == given


async def test_a_job_that_comes_again_waits_until_then(ledger: Ledger) -> None:
    told = Told()
    again = told.again["daily"] = now() + HOUR
    async with working(ledger, tell=told) as jobs:
        await jobs.keep(Job("daily", "tell", now()))
        await told.until(1)
        assert (await settled(ledger))["daily"].due == again
        await jobs.keep(Job("daily", "tell", now() + 2 * HOUR))
        assert (await settled(ledger))["daily"].due == again
        sooner = now() + HOUR / 2
        await jobs.keep(Job("daily", "tell", sooner))
        assert (await settled(ledger))["daily"].due == sooner


async def test_a_clock_that_was_ahead_keeps_nothing_that_comes_again_from_being_done(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timing, "MEND", 0.0)
    ahead = now() + timedelta(days=4000)

    async def is_due_soon() -> bool:
        job = await ledger.jobs.get("daily")
        return job is not None and job.claimed is None and job.due < now() + 2 * HOUR

    async with working(ledger, tell=Told()) as jobs:
        # Another process, whose clock was ahead, has claimed it and died.
        await ledger.jobs.put(Job("daily", "tell", ahead))
        assert await ledger.jobs.claim(["tell"], ahead, ahead + HOUR, 1)
        await jobs.keep(Job("daily", "tell", now() + HOUR))
        assert await is_due_soon()
        await ledger.jobs.put(Job("daily", "tell", ahead))
        await until(is_due_soon)


async def test_a_job_is_moved_unless_it_was_moved_or_claimed_meanwhile(ledger: Ledger) -> None:
    known = Job("one", "tell", now() - HOUR)
    await ledger.jobs.put(known)
    moved = replace(known, due=known.due - HOUR)
    await ledger.jobs.move(known, moved.due)
    assert await ledger.jobs.get("one") == moved
    await ledger.jobs.move(known, now())
    assert await ledger.jobs.get("one") == moved
    (held,) = await ledger.jobs.claim(["tell"], now(), now() + HOUR, 1)
    await ledger.jobs.move(moved, now())
    assert await ledger.jobs.get("one") == replace(held, tries=1)


async def test_a_job_that_fails_is_tried_again(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "PAUSE", 0.01)
    told = Told()
    told.fails = 3
    async with working(ledger, tell=told):
        await ledger.jobs.put(Job("one", "tell", now()))
        assert await told.until(4) == ["one"] * 4
        assert await settled(ledger) == {}


async def test_a_job_knows_whether_it_was_begun_before(ledger: Ledger) -> None:
    begun: list[bool] = []

    async def noting(job: Job) -> datetime:
        begun.append(job.is_begun_before)
        if len(begun) == 2:
            await asyncio.Event().wait()
        return now() if len(begun) == 1 else now() + HOUR

    async with working(ledger, tell=noting):
        await ledger.jobs.put(Job("one", "tell", now()))
        await until(lambda: len(begun) == 2)
    async with working(ledger, tell=noting):
        await until(lambda: len(begun) == 3)
        assert not (await settled(ledger))["one"].is_begun_before
    assert begun == [False, False, True]


async def test_one_put_anew_while_it_is_done_is_done_again(ledger: Ledger) -> None:
    told = Told()

    async def putting(job: Job) -> datetime | None:
        if not told.keys:
            await ledger.jobs.put(Job("one", "tell", now()))
        return await told(job)

    async with working(ledger, tell=putting):
        await ledger.jobs.put(Job("one", "tell", now()))
        assert await told.until(2) == ["one", "one"]
        assert await settled(ledger) == {}


async def test_what_nobody_here_knows_is_left_for_others(ledger: Ledger) -> None:
    told = Told()
    async with working(ledger, tell=told):
        await ledger.jobs.put(Job("a", "unheard of", now()))
        await ledger.jobs.put(Job("b", "tell", now()))
        assert await told.until(1) == ["b"]
    assert [job.key for job in await ledger.jobs.of_kind("unheard of")] == ["a"]


async def test_a_dropped_job_and_one_of_a_campaign_that_is_gone_are_not_done(ledger: Ledger) -> None:
    told = Told()
    gone = (await ledger.append(HERE, ANNA, 0, gift())).campaign
    await ledger.jobs.put(Job("dropped", "tell", now()))
    await ledger.jobs.put(Job("gone", "tell", now(), gone))
    await ledger.upkeep.erase(gone)
    await ledger.jobs.drop("dropped")
    async with working(ledger, tell=told):
        await ledger.jobs.put(Job("last", "tell", now()))
        assert await told.until(1) == ["last"]


async def test_several_processes_do_each_job_once(ledger: Ledger, other: Ledger) -> None:
    told = Told()
    for number in range(30):
        await ledger.jobs.put(Job(f"{number:02}", "tell", now() - HOUR))
    async with working(ledger, tell=told), working(other, tell=told):
        assert sorted(await told.until(30)) == [f"{number:02}" for number in range(30)]
        assert await settled(ledger) == {}
    assert len(told.keys) == 30


async def test_told_to_stop_it_lets_go_of_what_it_has_not_done(ledger: Ledger) -> None:
    begun = asyncio.Event()

    async def hang(job: Job) -> None:
        begun.set()
        await asyncio.Event().wait()

    async with working(ledger, tell=hang):
        await ledger.jobs.put(Job("one", "tell", now()))
        await begun.wait()
    assert (await ledger.jobs.get("one")).claimed is None  # type: ignore[union-attr]
    told = Told()
    async with working(ledger, tell=told):
        assert await told.until(1) == ["one"]


@pytest.mark.slow
async def test_what_a_killed_process_had_claimed_is_done_by_the_next(url: str) -> None:
    ledger = await Ledger.open(url)
    for key in ("a", "b"):
        await ledger.jobs.put(Job(key, "tell", now()))
    await ledger.close()
    process = await forked_to(partial(claims.main, url), Path.cwd(), os.environ)
    assert sorted((await process.stdout.readline()).split()) == [b"a", b"b"]
    process.kill()
    await process.wait()
    ledger = await Ledger.open(url)
    told = Told()
    async with working(ledger, tell=told):
        assert sorted(await told.until(2)) == ["a", "b"]
        assert await settled(ledger) == {}
    await ledger.close()
