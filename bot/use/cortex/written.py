"""Dice of Cortex in a message of anybody's."""

from bot.use.written import Read, Reads
from rules.cortex.rolling import roll
from rules.cortex.tools import written
from rules.seats import Actor
from rules.table import Table


def _understood(table: Table, actor: Actor, text: str) -> Read:
    found = written.understood(table, actor, text)
    return Read(found.dice, found.left)


READS = Reads("", _understood, roll.make)
"""How Cortex reads and rolls them."""
