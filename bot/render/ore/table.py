"""What of a sheet is One-Roll's, in words."""

from bot.language import say
from bot.language.line import Text, strong
from bot.render.at_table import AtTable
from rules.ore.model import ORE
from rules.ore.notation import write_ratings
from rules.table import Character


def _sheet(character: Character) -> list[Text]:
    """Ratings on a line (O1)."""
    ratings = write_ratings(ORE.has(character).ratings.values())
    return [say("{head} {what}", head=strong(say("Ratings")), what=ratings)] if ratings else []


AT_TABLE = AtTable(sheet=_sheet)
"""What One-Roll shows."""
