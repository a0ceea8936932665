"""Dice of One-Roll in a message of anybody's."""

from functools import partial

from bot.use.written import Read, Reads
from rules.campaign.seats import Actor
from rules.ore import game, roll
from rules.table import Table


def _understood(table: Table, actor: Actor, text: str) -> Read | None:
    pool = game.understood(table, actor, text)
    return Read(pool.dice, pool.left, pool.is_sure, "ore") if pool else None


READS = Reads("ore", _understood, partial(roll.typed, how=roll.full))
"""How One-Roll reads and rolls them."""
