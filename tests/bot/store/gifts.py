"""What a process of its own does that gives PP.

It prints the number of every entry as soon as it is written; a COUNT of 0 goes on until it is killed.
"""

import asyncio
import itertools
import sys

from bot.store import codec
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from rules.games import GAMES
from tests.bot.store.samples import ANNA, HERE, gift


async def give(url: str, first: int, count: int) -> None:
    """Give PP one by one in three places of the program at once, and tell of each."""
    await migrate(url)
    ledger = await Ledger.open(url, shared=True)
    interactions = itertools.count(first) if not count else iter(range(first, first + count))

    async def work() -> None:
        for interaction in interactions:
            entry = await ledger.append(HERE, ANNA, interaction, gift())
            sys.stdout.write(f"{entry.number} {interaction}\n")
            sys.stdout.flush()

    await asyncio.gather(work(), work(), work())
    await ledger.close()


def main(url: str, first: int, count: int) -> None:
    """Do that, as all that the process does."""
    codec.play_games(GAMES)
    asyncio.run(give(url, first, count))
