"""A loopback Discord, and a small bot connected to it."""

from collections.abc import AsyncIterator

import pytest

from bot.local.driver import Loopback

from .small_bot import Connected, SmallBot


@pytest.fixture
async def discord_(request: pytest.FixtureRequest) -> AsyncIterator[Loopback]:
    """As patient as Discord is, unless a test is `HASTY`."""
    async with Loopback(deadline=getattr(request, "param", 3.0), settle=0.2) as loopback:
        yield loopback
        assert loopback.violations == []


@pytest.fixture
async def bot(discord_: Loopback) -> AsyncIterator[SmallBot]:
    async with Connected(discord_) as small:
        yield small
