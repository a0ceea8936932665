"""The rolls that lie on a table, of whatever game."""

from rules.game import played
from rules.roll import Rolled
from rules.table import Table


def without_rolls(table: Table) -> Table:
    """The table, on which no roll of any game lies."""
    for game in played():
        table = game.part.with_rolls(table, {})
    return table


def without_roll(table: Table, roll: Rolled) -> Table:
    """The table, on which that roll does not lie."""
    for game in played():
        rolls = game.part.rolls_of(table)
        if rolls.get(roll.number) == roll:
            table = game.part.with_rolls(table, {n: each for n, each in rolls.items() if n != roll.number})
    return table


def rolls_on(table: Table) -> dict[int, Rolled]:
    """The rolls that lie on the table, by number, whatever game they are of."""
    found: dict[int, Rolled] = {}
    for game in played():
        found |= game.part.rolls_of(table)
    return found
