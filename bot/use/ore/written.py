"""Dice of One-Roll in a message of anybody's."""

from functools import partial

from bot.use.written import Read, Reads
from rules.ore import roll, written
from rules.seats import Actor
from rules.table import Table


def _understood(table: Table, actor: Actor, text: str) -> Read | None:
    pool = written.understood(table, actor, text)
    return Read(pool.dice, pool.left, pool.is_sure, "ore") if pool else None


READS = Reads("ore", _understood, partial(roll.typed, how=roll.full))
"""How One-Roll reads and rolls them."""
