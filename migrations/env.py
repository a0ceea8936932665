"""What the `alembic` command works on: the database of `-x url=…`, or else a passing one, made anew.

The program itself migrates without this file (`bot.store.migrate`).
"""

import asyncio
import tempfile
from pathlib import Path

from alembic import context
from sqlalchemy import Connection

from bot.store.engine import connect
from bot.store.migrate import migrate
from bot.store.schema import METADATA


def run(connection: Connection) -> None:
    """Run the command that was given."""
    context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


async def main(url: str) -> None:
    """Reach the database and run the command on it."""
    engine = connect(url)
    async with engine.connect() as connection:
        await connection.run_sync(run)
    await engine.dispose()


given = context.get_x_argument(as_dictionary=True).get("url")
if isinstance(given, str):
    asyncio.run(main(given))
else:
    with tempfile.TemporaryDirectory() as folder:
        passing = f"sqlite:///{Path(folder) / 'passing.db'}"
        asyncio.run(migrate(passing))
        asyncio.run(main(passing))
