"""Characters as any game has them."""

from rules.game import played
from rules.kinds import key
from rules.table import Table
from rules.values import replace


def renamed(table: Table, who: str, name: str) -> Table:
    """The table with a character renamed, by their key, and wherever a game names them."""
    characters = {
        (key(name) if k == who else k): (replace(each, name=name) if k == who else each)
        for k, each in table.characters.items()
    }
    for game in played():
        table = game.renamed(table, who, name)
    return replace(table, characters=characters)
