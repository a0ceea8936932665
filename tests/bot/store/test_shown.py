"""Which messages show rolls, in a process that has its SQLite file for itself: in memory, written seldom."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store import messages
from bot.store.engine import connect
from bot.store.ledger import Ledger
from bot.store.messages import LEFT, MESSAGES, MOST, PAUSE, RememberedMessages, ShownRoll
from bot.store.writer import Writer
from rules.values import replace
from tests.bot.store.samples import ANNA, HERE, gift
from tests.clock import HeldClock


@pytest.fixture
def path(file: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(file, tmp_path / "shown.db"))


@pytest.fixture
def clock() -> HeldClock:
    return HeldClock()


@pytest.fixture
async def alone(path: Path, clock: HeldClock) -> AsyncIterator[Ledger]:
    ledger = await Ledger.open(f"sqlite:///{path}", clock=clock)
    yield ledger
    await ledger.close()


async def begun(ledger: Ledger) -> int:
    return (await ledger.append(HERE, ANNA, 0, gift())).campaign


async def written(path: Path) -> list[tuple[int, int]]:
    engine = connect(f"sqlite:///{path}")
    async with engine.connect() as connection:
        found = await connection.exec_driver_sql("SELECT message_id, sign FROM shown ORDER BY message_id")
        rows = [(row.message_id, row.sign) for row in found]
    await engine.dispose()
    return rows


async def test_what_was_learned_is_there_after_a_clean_stop(path: Path) -> None:
    ledger = await Ledger.open(f"sqlite:///{path}")
    campaign = await begun(ledger)
    first, second, third = (ShownRoll(message, message, 0, 100, 7) for message in (1, 2, 3))
    for one in (first, second, third):
        await ledger.shown.learn(campaign, one)
    await ledger.shown.change(campaign, first, 0)
    await ledger.shown.forget(campaign, second)
    assert await written(path) == [(1, 7)]
    await ledger.close()
    assert await written(path) == [(1, 0), (3, 7)]
    again = await Ledger.open(f"sqlite:///{path}")
    assert await again.shown.of(campaign) == [ShownRoll(1, 1, 0, 100, 0), third]
    await again.shown.change(campaign, third, 8)
    await again.shown.forget(campaign, ShownRoll(1, 1, 0, 100, 0))
    await again.close()
    assert await written(path) == [(3, 8)]


async def test_the_first_is_written_at_once_and_those_of_the_next_second_in_one_transaction(
    alone: Ledger, path: Path, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = await begun(alone)
    commits = list[int]()
    commit = Writer._commit

    async def counted(self: Writer, changes: list[object]) -> None:
        commits.append(len(changes))
        await commit(self, changes)  # type: ignore[arg-type]

    monkeypatch.setattr(Writer, "_commit", counted)
    for count in (1, 20):
        await alone.shown.learn(campaign, ShownRoll(count, count, 0, 100, 7))
        await clock.rest()
        assert commits == [1], "whoever kills the process now finds the first one followed"
        assert await written(path) == [(1, 7)]
    for message in range(2, 20):
        await alone.shown.learn(campaign, ShownRoll(message, message, 0, 100, 7))
    await clock.advance(PAUSE)
    assert commits == [1, 1]
    assert len(await written(path)) == 20
    await clock.advance(PAUSE)
    await alone.shown.learn(campaign, ShownRoll(21, 21, 0, 100, 7))
    await clock.rest()
    assert (commits, len(await written(path))) == ([1, 1, 1], 21)


async def test_a_new_message_is_written_with_the_next_step_of_its_campaign(alone: Ledger, path: Path) -> None:
    campaign = await begun(alone)
    for message in (1, 2, 3):
        await alone.shown.learn(campaign, ShownRoll(message, message, 0, 100, 7))
    await alone.append(replace(HERE, channel=HERE.channel + 1), ANNA, 0, gift())
    assert await written(path) == [(1, 7)], "a step of another campaign"
    await alone.append(HERE, ANNA, 0, gift())
    assert await written(path) == [(1, 7), (2, 7), (3, 7)]
    await alone.shown.learn(campaign, ShownRoll(1, 1, 0, 100, 8))
    await alone.append(HERE, ANNA, 0, gift())
    assert await written(path) == [(1, 7), (2, 7), (3, 7)], "it is known already, which is enough"
    await alone.shown.write()
    assert await written(path) == [(1, 8), (2, 7), (3, 7)]


async def test_what_is_shown_again_while_it_is_written_is_written_again(alone: Ledger, path: Path) -> None:
    campaign = await begun(alone)
    await alone.shown.learn(campaign, ShownRoll(1, 1, 0, 100, 7))
    writing = asyncio.create_task(alone.shown.write())
    await asyncio.sleep(0)
    await alone.shown.learn(campaign, ShownRoll(1, 1, 0, 100, 8))
    await writing
    assert await written(path) == [(1, 7)]
    await alone.shown.write()
    assert await written(path) == [(1, 8)]


async def test_the_messages_of_a_campaign_that_is_erased_are_nobodys(alone: Ledger, path: Path) -> None:
    gone = await begun(alone)
    await alone.shown.learn(gone, ShownRoll(1, 1, 0, 100, 7))
    await alone.upkeep.erase(gone)
    kept = await begun(alone)
    await alone.shown.learn(kept, ShownRoll(2, 1, 0, 100, 7))
    await alone.shown.learn(gone, ShownRoll(3, 1, 0, 100, 7))
    await alone.shown.write()
    assert await written(path) == [(2, 7)]


async def test_a_channel_that_is_gone_has_no_messages(alone: Ledger, path: Path) -> None:
    campaign = await begun(alone)
    await alone.shown.learn(campaign, ShownRoll(1, 1, 0, 100, 7))
    await alone.shown.learn(campaign, ShownRoll(2, 2, 0, 200, 7))
    await alone.upkeep.drop_channel(200)
    assert [one.message for one in await alone.shown.of(campaign)] == [1]
    assert await written(path) == [(1, 7)]


async def test_of_many_the_latest_are_left_and_the_oldest_come_first(alone: Ledger) -> None:
    campaign = await begun(alone)
    for message in range(MOST, 0, -1):
        await alone.shown.learn(campaign, ShownRoll(message, message, 0, 100, 7))
    assert [one.message for one in await alone.shown.of(campaign)] == list(range(1, MOST + 1))
    await alone.shown.learn(campaign, ShownRoll(MOST + 1, 1, 0, 100, 7))
    last = [one.message for one in await alone.shown.of(campaign)]
    assert last == list(range(MOST + 2 - LEFT, MOST + 2))


async def test_campaigns_that_were_not_looked_at_lately_are_let_go_of_once_written(
    alone: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "KNOWN", 1)
    first = await begun(alone)
    for message in range(1, MESSAGES + 2):
        await alone.shown.learn(first, ShownRoll(message, 1, 0, 100, 7))
    assert await alone.shown.of(first + 1) == []  # what is not written yet is not let go of
    assert len(await alone.shown.of(first)) == MESSAGES
    await alone.shown.write()
    await alone.shown.of(first + 2)
    assert isinstance(alone.shown, RememberedMessages)
    assert first not in alone.shown._known
    assert len(await alone.shown.of(first)) == MESSAGES
