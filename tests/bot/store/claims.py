"""A process that claims what is due, says so, and then hangs over it.

`python -m tests.bot.store.claims URL`
"""

import asyncio
import sys
from datetime import UTC, datetime, timedelta

from bot.store.ledger import Ledger

LEASE = 1.0
"""Seconds that it has what it claims."""


async def main(url: str) -> None:
    """Claim once, and never finish."""
    ledger = await Ledger.open(url)
    now = datetime.now(UTC)
    claimed = await ledger.jobs.claim(["tell"], now, now + timedelta(seconds=LEASE), 10)
    print(*(job.key for job in claimed), flush=True)  # noqa: T201
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
