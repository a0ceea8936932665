"""Where steps are told as well: by one process each, and as long as the campaign is there."""

import asyncio
from datetime import UTC, datetime

from bot.store.jobs import Job
from bot.store.ledger import Ledger
from bot.store.messages import StepLine, StepLog
from tests.bot.store.samples import ANNA, HERE, gift

PLACE = 70


async def begun(ledger: Ledger) -> StepLog:
    """A campaign whose steps are told somewhere."""
    entry = await ledger.append(HERE, ANNA, 1, gift())
    assert await ledger.step_logs.of(entry.campaign) is None
    log = StepLog(entry.campaign, PLACE, 0, entry.number)
    await ledger.step_logs.begin(log)
    return log


async def test_it_is_known_from_when_it_begins_until_it_ends(ledger: Ledger) -> None:
    log = await begun(ledger)
    assert await ledger.step_logs.of(log.campaign) == log
    await ledger.step_logs.end(log)
    assert await ledger.step_logs.of(log.campaign) is None
    await ledger.step_logs.begin(log)
    assert await ledger.step_logs.of(log.campaign) == log


async def test_one_process_alone_tells_a_step(ledger: Ledger, other: Ledger) -> None:
    log = await begun(ledger)
    assert await other.step_logs.of(log.campaign) == log
    both = await asyncio.gather(*(each.step_logs.claim(log, 2) for each in (ledger, other)))
    assert sorted(both) == [False, True]
    assert not await other.step_logs.claim(log, 2)
    again = await other.step_logs.of(log.campaign)
    assert again is not None
    assert again.told == 2
    assert await other.step_logs.claim(again, 3)


async def test_a_log_that_has_moved_is_not_claimed(ledger: Ledger) -> None:
    log = await begun(ledger)
    await ledger.step_logs.begin(StepLog(log.campaign, PLACE + 1, 0, log.told))
    assert not await ledger.step_logs.claim(log, 2)


async def test_it_ends_once_with_what_is_to_be_done_about_it(ledger: Ledger, other: Ledger) -> None:
    log = await begun(ledger)
    jobs = [
        Job("unlogged:1", "unlogged", datetime.now(UTC), log.campaign, {"place": place, "own": False})
        for place in (1, 2)
    ]
    await ledger.step_logs.end(log, jobs[0])
    await other.step_logs.end(log, jobs[1])
    kept = await other.jobs.get("unlogged:1")
    assert kept is not None
    assert kept.payload == jobs[0].payload


async def test_its_lines_go_with_it_and_with_the_campaign(ledger: Ledger) -> None:
    log = await begun(ledger)
    lines = [StepLine(number, 90, 1, 2, 3) for number in (1, 2)]
    await ledger.step_logs.learn(log.campaign, lines)
    await ledger.step_logs.learn(log.campaign, lines[:1])
    assert await ledger.step_logs.lines(log.campaign) == lines
    await ledger.step_logs.begin(log)
    assert await ledger.step_logs.lines(log.campaign) == []
    await ledger.step_logs.learn(log.campaign, lines)
    await ledger.step_logs.forget(log.campaign, 90)
    assert await ledger.step_logs.lines(log.campaign) == []
    await ledger.step_logs.learn(log.campaign, lines)
    await ledger.upkeep.erase(log.campaign)
    assert await ledger.step_logs.lines(log.campaign) == []
    assert await ledger.step_logs.of(log.campaign) is None


async def test_a_channel_that_is_gone_keeps_its_log_so_that_the_gm_is_told(ledger: Ledger) -> None:
    log = await begun(ledger)
    await ledger.upkeep.drop_channel(PLACE)
    assert await ledger.step_logs.of(log.campaign) == log


async def test_its_table_is_looked_after_by_whoever_takes_over(ledger: Ledger) -> None:
    log = await begun(ledger)
    assert [campaign for campaign, _ in await ledger.past.changed_last()] == [log.campaign]
