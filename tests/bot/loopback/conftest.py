"""A loopback Discord, and a small bot connected to it."""

from collections.abc import AsyncIterator

import pytest

from bot.loopback.driver import Loopback
from tests.bot.loopback.small_bot import Connected, SmallBot
from tests.patience import PATIENCE, patient


@pytest.fixture
async def discord_(request: pytest.FixtureRequest) -> AsyncIterator[Loopback]:
    """As patient as tests are, unless one is `HASTY`."""
    async with patient(deadline=getattr(request, "param", PATIENCE)) as loopback:
        yield loopback
        assert loopback.violations == []


@pytest.fixture
async def bot(discord_: Loopback) -> AsyncIterator[SmallBot]:
    async with Connected(discord_) as small:
        yield small
