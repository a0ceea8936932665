"""Ratings of a sheet as dice of a One-Roll pool: `Body + Fight` is what both have together (O1)."""

import re
from collections.abc import Mapping

from rules.errors import RuleError
from rules.kinds import Rating, key
from rules.names import find
from rules.ore.pool import read
from rules.table import Character

_PARTS = re.compile(r"\s*[+,;&]\s*")


def spelt(character: Character | None, typed: str) -> str:
    """A pool as typed, with dice in the place of the names on that sheet, parted by plus or commas.

    Raises Ambiguous, or Unknown with the nearest names, for a name that is none.
    """
    ratings = {} if character is None else character.ratings
    if not ratings:
        return typed
    return " ".join(_dice(ratings, part) for part in _PARTS.split(typed.strip()) if part)


def _dice(ratings: Mapping[str, Rating], part: str) -> str:
    """A part of a pool in dice: a name of the sheet as it is, else dice, else the name that begins so."""
    if key(part) in ratings:
        return ratings[key(part)].dice
    if _is_dice(part):
        return part
    labels = [each.label for each in ratings.values()]
    return ratings[key(find(part, labels, "rating"))].dice


def _is_dice(part: str) -> bool:
    """Whether it can be read beside other dice, however few it is."""
    try:
        read(f"2d {part}")
    except RuleError:
        return part[:1].isdigit()  # dice that cannot be, `15d`, are refused as dice
    return True
