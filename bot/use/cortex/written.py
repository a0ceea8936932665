"""Dice of Cortex in a message of anybody's."""

from bot.use.written import Read, Reads
from rules.campaign.seats import Actor
from rules.cortex import dice_in_text, roll
from rules.table import Table


def _understood(table: Table, actor: Actor, text: str) -> Read:
    found = dice_in_text.understood(table, actor, text)
    return Read(found.dice, found.left)


READS = Reads("", _understood, roll.make)
"""How Cortex reads and rolls them."""
