"""What a process does that claims what is due, says so, and then hangs over it."""

import asyncio
from datetime import UTC, datetime, timedelta

from bot.store.ledger import Ledger

LEASE = 1.0
"""Seconds that it has what it claims."""


async def claim(url: str) -> None:
    """Claim once, and never finish."""
    ledger = await Ledger.open(url)
    now = datetime.now(UTC)
    claimed = await ledger.jobs.claim(["tell"], now, now + timedelta(seconds=LEASE), 10)
    print(*(job.key for job in claimed), flush=True)  # noqa: T201
    await asyncio.Event().wait()


def main(url: str) -> None:
    """Do that, as all that the process does."""
    asyncio.run(claim(url))
