"""What waits for a press, and which messages show rolls: for how long, for whom, how many."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Table, update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store import messages, pending, schema
from bot.store.engine import connect
from bot.store.ledger import Ledger
from bot.store.messages import ShownRoll
from bot.store.pending import WaitingKind
from tests.bot.store.samples import ANNA, BEN, HERE, gift

FORM = WaitingKind.FORM


@pytest.fixture
async def engine(url: str) -> AsyncIterator[AsyncEngine]:
    engine = connect(url)
    yield engine
    await engine.dispose()


async def aged(engine: AsyncEngine, table: Table, by: timedelta) -> None:
    async with engine.connect() as connection:
        await connection.execute(update(table).values(at=datetime.now(UTC) - by))


async def test_what_waits_is_found_by_whom_it_waits_for_in_any_process(ledger: Ledger, other: Ledger) -> None:
    await ledger.waiting.keep(FORM, 1, ANNA.id, "typed")
    assert await other.waiting.find(FORM, 1, ANNA.id) == "typed"
    assert await other.waiting.find(FORM, 1, BEN.id) is None
    assert await other.waiting.find(WaitingKind.QUESTION, 1, ANNA.id) is None


async def test_of_several_who_take_it_one_does(ledger: Ledger, other: Ledger) -> None:
    await ledger.waiting.keep(FORM, 1, ANNA.id, "typed")
    taken = await asyncio.gather(*(each.waiting.take(FORM, 1, ANNA.id) for each in (ledger, other) * 3))
    assert sorted(taken) == [False] * 5 + [True]


async def test_it_waits_for_a_day(ledger: Ledger, engine: AsyncEngine) -> None:
    await ledger.waiting.keep(FORM, 1, ANNA.id, "typed")
    await aged(engine, schema.waiting, pending.WAITING_KEPT - timedelta(minutes=1))
    await ledger.upkeep.prune()
    assert await ledger.waiting.find(FORM, 1, ANNA.id) == "typed"
    await aged(engine, schema.waiting, pending.WAITING_KEPT + timedelta(minutes=1))
    assert await ledger.waiting.find(FORM, 1, ANNA.id) is None
    await ledger.upkeep.prune()
    assert await ledger.waiting.take(FORM, 1, ANNA.id) is False


async def test_the_latest_of_each_kind_wait_for_a_person(ledger: Ledger) -> None:
    for number in range(1, pending.MOST + 3):
        await ledger.waiting.keep(FORM, number, ANNA.id, "typed")
    await ledger.waiting.keep(WaitingKind.QUESTION, 1, ANNA.id, "asked")
    await ledger.waiting.keep(FORM, 100, BEN.id, "typed")
    found = [await ledger.waiting.find(FORM, number, ANNA.id) for number in range(1, pending.MOST + 3)]
    assert found == [None, None, *["typed"] * pending.MOST]
    assert await ledger.waiting.find(WaitingKind.QUESTION, 1, ANNA.id) == "asked"


async def test_whoever_is_forgotten_leaves_nothing_that_waits_and_no_file(ledger: Ledger) -> None:
    for number, (kind, person) in enumerate([(FORM, ANNA), (FORM, BEN), (WaitingKind.IMPORT, BEN)]):
        await ledger.waiting.keep(kind, number, person.id, "typed")
    await ledger.waiting.forget(ANNA.id)
    assert await ledger.waiting.find(FORM, 0, ANNA.id) is None
    assert await ledger.waiting.find(FORM, 1, BEN.id) == "typed"
    assert await ledger.waiting.find(WaitingKind.IMPORT, 2, BEN.id) is None


async def test_the_latest_messages_of_the_latest_rolls_are_known_for_a_while(
    ledger: Ledger, other: Ledger, engine: AsyncEngine
) -> None:
    campaign = (await ledger.append(HERE, ANNA, 0, gift())).campaign
    for message in range(1, 6):
        await ledger.shown.learn(campaign, ShownRoll(message, 1, 0, 100, 7))
    assert [one.message for one in await other.shown.of(campaign)] == [3, 4, 5]
    for roll in range(2, messages.MOST + 2):
        await ledger.shown.learn(campaign, ShownRoll(10 + roll, roll, 0, 100, 7))
    await ledger.shown.of(campaign)
    rolls = [one.roll for one in await other.shown.of(campaign)]
    assert rolls[-1] == messages.MOST + 1
    assert len(rolls) < messages.MOST
    await aged(engine, schema.shown, messages.SHOWN_KEPT + timedelta(days=1))
    await ledger.upkeep.prune()
    assert await other.shown.of(campaign) == []


async def test_a_message_is_followed_unless_it_was_shown_otherwise_meanwhile(
    ledger: Ledger, other: Ledger
) -> None:
    campaign = (await ledger.append(HERE, ANNA, 0, gift())).campaign
    await ledger.shown.learn(campaign, ShownRoll(1, 1, 0, 100, 7))
    (seen,) = await ledger.shown.of(campaign)
    await other.shown.learn(campaign, ShownRoll(1, 1, 0, 100, 8))
    assert not await ledger.shown.is_still(campaign, seen)
    await ledger.shown.change(campaign, seen, 0)
    assert [one.sign for one in await other.shown.of(campaign)] == [8]
    await other.shown.forget(campaign, seen)
    assert await ledger.shown.of(campaign) == []
