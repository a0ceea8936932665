"""What waits in One-Roll: dice to place."""

from collections.abc import Iterator

from bot.language import later
from bot.render.ore.roll import headline
from bot.render.waiting import Waiting, What, newest
from rules.ore.model import ORE
from rules.table import Table


class OreWhat(What):
    """The kinds of what waits, each by one and by several."""

    DICE = later("{count} die still to place"), later("{count} dice still to place")


def found(table: Table) -> Iterator[Waiting]:
    """Wiggle dice that whoever rolled last has not placed."""
    for number, roll in ORE.of(table).rolls.items():
        count = sum(hand.waiting for hand in roll.hands)
        if count and newest(table, roll.who) == number:
            yield Waiting(roll.who, OreWhat.DICE, count, headline(roll), number)
