"""A database with many campaigns."""

import asyncio
from collections.abc import Sequence

from bot.store.history import Author, Draft, Place
from bot.store.ledger import Ledger
from rules.campaign.lifecycle import found
from rules.campaign.seats import Actor
from rules.table import Table
from tests.bot.store.samples import told


async def begun(ledger: Ledger, places: Sequence[Place], gm: int) -> None:
    """Begin a campaign at each place, all of one name and with one GM."""
    actor, author = Actor(gm, "gm"), Author(gm, "gm")

    def begin(table: Table) -> Draft:
        return Draft(found(table, actor, "Skyfall", "adept").table, told("campaign: Skyfall"))

    for start in range(0, len(places), 500):
        await asyncio.gather(*(ledger.places.found(p, author, 0, begin) for p in places[start : start + 500]))
