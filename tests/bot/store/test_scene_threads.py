"""Scene threads: the bot also knows the threads that open while it looks up the noted ones."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import Row

from bot.store.ledger import Ledger
from bot.store.messages import SceneThread


async def test_a_thread_that_opens_during_the_look_up_is_known(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = ledger.scene_threads._recorder.reader
    has_read, may_go_on = asyncio.Event(), asyncio.Event()
    rows = reader.rows

    async def slow(*wanted: Any) -> Sequence[Row[Any]]:
        found = await rows(*wanted)
        has_read.set()
        await may_go_on.wait()
        return found

    monkeypatch.setattr(reader, "rows", slow)
    first = asyncio.create_task(ledger.scene_threads.look())
    reading = asyncio.create_task(has_read.wait())
    await asyncio.wait({first, reading}, return_when=asyncio.FIRST_COMPLETED)
    reading.cancel()
    await ledger.scene_threads.begin(SceneThread(7, 70, 71, 1))
    second = asyncio.create_task(ledger.scene_threads.look())
    may_go_on.set()
    known = await first
    assert known == await second
    if known is not None:  # on PostgreSQL another process may open threads, so nothing is remembered
        assert known == {7}
        await ledger.scene_threads.begin(SceneThread(8, 80, 81, 1))
        assert known == {7, 8}
