"""Making a database small and quick again, by hand."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.clock import SYSTEM
from bot.store.engine import TOOL, clear_traces, connect, is_sqlite
from bot.store.expired import DAYS_ROLLED
from bot.store.ledger import Ledger
from bot.store.revision import unreachable
from bot.store.schema import METADATA


@dataclass(frozen=True, slots=True)
class Pruned:
    """How many rows went, and the bytes of the whole database before and after."""

    expired: int
    before: int
    after: int


async def maintain(url: str) -> Pruned:
    """Let go of what has had its time, pack the rest, and count what is where.

    Raises engine.Unreachable, and owner.Occupied where a bot has the SQLite file.
    """
    engine = connect(url, TOOL)
    ledger = await Ledger.open(url, prunes=False)
    try:
        async with engine.connect() as connection:
            before = await _size(engine, connection)
            expired = await ledger.upkeep.prune() + await _rolled_out(ledger)
            for statement in _statements(engine):
                await connection.exec_driver_sql(statement)
            await clear_traces(engine)
            return Pruned(expired, before, await _size(engine, connection))
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        await ledger.close()
        await engine.dispose()


async def _rolled_out(ledger: Ledger) -> int:
    """Let go of places where people have only rolled dice, and not for long; of how many."""
    until = SYSTEM.now() - timedelta(days=DAYS_ROLLED)
    gone = await ledger.upkeep.rolled_out(until)
    for campaign in gone:
        await ledger.upkeep.erase(campaign, rolled=until)
    return len(gone)


async def size(url: str) -> int:
    """The bytes of a database that is there. Raises engine.Unreachable."""
    engine = connect(url, TOOL)
    try:
        async with engine.connect() as connection:
            return await _size(engine, connection)
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        await engine.dispose()


def _statements(engine: AsyncEngine) -> list[str]:
    if is_sqlite(engine):
        return ["VACUUM", "ANALYZE"]
    # A server may end what takes longer than it likes.
    return ["SET statement_timeout = 0", *(f"VACUUM (ANALYZE) {table}" for table in sorted(METADATA.tables))]


async def _size(engine: AsyncEngine, connection: AsyncConnection) -> int:
    """The bytes of a database."""
    if not is_sqlite(engine):
        wanted = "SELECT pg_database_size(current_database())"
        return int((await connection.exec_driver_sql(wanted)).scalar_one())
    pages = (await connection.exec_driver_sql("PRAGMA page_count")).scalar_one()
    return int(pages) * int((await connection.exec_driver_sql("PRAGMA page_size")).scalar_one())
