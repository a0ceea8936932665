"""`usage`: counts of what is kept, of nobody by name."""

from datetime import UTC, datetime, timedelta

from bot.store.history import Author, Draft, Place
from bot.store.ledger import Ledger
from rules.table import Table
from tests.bot.ops.operator import Typing, aside
from tests.bot.store.test_migrate import rows

ANNA, BEN = Author(1, "Anna"), Author(2, "Ben")


async def test_usage_counts_and_names_nobody(url: str, types: Typing) -> None:
    ledger = await Ledger.open(url)
    made = []
    for number, (place, author) in enumerate(
        [(Place(1, 7), ANNA), (Place(1, 7), BEN), (Place(2, 7), ANNA), (Place(3, 8), ANNA), (Place(4), BEN)],
        1,
    ):
        entry = await ledger.append(
            place, author, number, lambda table: Draft(Table(name="Secret", gms={1: "Anna"}), ())
        )
        made.append(entry.campaign)
    await ledger.close()
    last_week = datetime.now(UTC) - timedelta(weeks=1)
    await rows(url, f"UPDATE entry SET at = '{last_week:%Y-%m-%d %H:%M:%S}' WHERE campaign_id = {made[0]}")
    await rows(url, f"UPDATE campaign SET archived = true WHERE id = {made[2]}")
    code, said = await aside(types, "usage", DATABASE_URL=url)
    monday = datetime.now(UTC).date() - timedelta(days=datetime.now(UTC).weekday())
    assert (code, said.splitlines()) == (
        0,
        [
            "2 servers, 3 active tables; 1 archived, 0 with rolls only, 0 deleted but still restorable.",
            "2 people, including 1 GM.",
            f"Week of {monday - timedelta(weeks=1)}: 2 steps",
            f"Week of {monday}: 3 steps",
            "Counted from the current data, so deleted data is not included. Nothing is sent anywhere.",
        ],
    )


async def test_usage_of_nothing(url: str, types: Typing) -> None:
    code, said = await aside(types, "usage", DATABASE_URL=url)
    assert (code, said.splitlines()[0]) == (
        0,
        "0 servers, 0 active tables; 0 archived, 0 with rolls only, 0 deleted but still restorable.",
    )
