"""Whispers: kept once and for a month, for the two people that they are between."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store import personal, schema
from bot.store.engine import connect
from bot.store.history import Whisper
from bot.store.ledger import Ledger
from rules.values import replace
from tests.bot.store.samples import ANNA, BEN

CLEO = 3


@pytest.fixture
async def engine(url: str) -> AsyncIterator[AsyncEngine]:
    engine = connect(url)
    yield engine
    await engine.dispose()


async def count(engine: AsyncEngine) -> int:
    async with engine.connect() as connection:
        return int((await connection.execute(select(func.count()).select_from(schema.whisper))).scalar_one())


def said(number: int, sender: int = ANNA.id, reader: int = BEN.id, days: float = 0.0) -> Whisper:
    at = datetime.now(UTC) - timedelta(days=days)
    return Whisper(number, sender, "Anna", reader, "Ben", "The door\nis a trap", at)


async def test_it_is_kept_once_and_found_in_any_process(ledger: Ledger, other: Ledger) -> None:
    one = said(1)
    await ledger.whispers.keep(one)
    await other.whispers.keep(replace(one, body="otherwise"))
    assert await other.whispers.find(1) == one
    assert await other.whispers.find(2) is None


async def test_it_goes_after_a_month(ledger: Ledger, engine: AsyncEngine) -> None:
    await ledger.whispers.keep(said(1, days=29.9))
    await ledger.whispers.keep(said(2, days=30.1))
    assert await ledger.whispers.find(1)
    assert await ledger.whispers.find(2) is None
    await ledger.upkeep.prune()
    assert await count(engine) == 1


async def test_forgetting_somebody_takes_what_they_said_and_heard(
    ledger: Ledger, engine: AsyncEngine
) -> None:
    for number, (sender, reader) in enumerate([(ANNA.id, BEN.id), (BEN.id, ANNA.id), (BEN.id, CLEO)], 1):
        await ledger.whispers.keep(said(number, sender, reader))
    assert [one.id for one in await ledger.whispers.of(ANNA.id)] == [1, 2]
    await ledger.whispers.forget(ANNA.id)
    assert await ledger.whispers.of(ANNA.id) == []
    assert await count(engine) == 1
    assert await ledger.whispers.drop(3)
    assert not await ledger.whispers.drop(3)


async def test_of_one_person_the_latest_are_kept(
    ledger: Ledger, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal, "MOST_WHISPERS", 3)
    for number in range(1, 6):
        await ledger.whispers.keep(said(number))
    await ledger.whispers.keep(said(6, sender=CLEO))
    assert [one.id for one in await ledger.whispers.of(BEN.id)] == [3, 4, 5, 6]
