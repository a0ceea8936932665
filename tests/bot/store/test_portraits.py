"""Portraits: kept with their campaign, the latest of each person."""

import pytest

from bot.store import personal
from bot.store.ledger import Ledger
from tests.bot.store.samples import ANNA, BEN, HERE, gift


async def test_whoever_brings_many_pushes_out_only_their_own(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal, "MOST_PORTRAITS", 2)
    campaign = (await ledger.append(HERE, ANNA, 1, gift())).campaign
    hers = await ledger.portraits.keep(campaign, ANNA.id, b"a face")
    his = [await ledger.portraits.keep(campaign, BEN.id, bytes([number])) for number in range(4)]
    assert set(await ledger.portraits.of(campaign, [hers, *his])) == {hers, *his[2:]}
