"""Ratings of a sheet as dice of a One-Roll pool: `Body + Fight` is what both have together (O1)."""

import re
from collections.abc import Mapping

from rules.dice import shorten
from rules.errors import NotAllowed, RuleError, Unreadable
from rules.kinds import key
from rules.names import LABEL, clean, find, parted
from rules.ore.part import ORE, Rating
from rules.ore.pool import read
from rules.table import Character
from rules.words import Words

_PARTS = re.compile(r"\s*[+,;&]\s*")

MOST_RATINGS = 40
"""A sheet has at most this many ratings."""
_RATING = re.compile(
    r"(?P<label>[^,\"()]*?[^,\"()\s])\s+(?P<dice>[0-9]{1,2}d(?:\s+(?:[0-9]{1,2}[hw]|e[0-9]{1,2}))*)",
    re.IGNORECASE,
)


def spelt(character: Character | None, typed: str) -> str:
    """A pool as typed, with dice in the place of the names on that sheet, parted by plus or commas.

    Raises Ambiguous, or Unknown with the nearest names, for a name that is none.
    """
    ratings = {} if character is None else ORE.has(character).ratings
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
    return ratings[key(find(part, labels, Words("rating")))].dice


def _is_dice(part: str) -> bool:
    """Whether it can be read beside other dice, however few it is."""
    try:
        read(f"2d {part}")
    except RuleError:
        return part[:1].isdigit()  # dice that cannot be, `15d`, are refused as dice
    return True


def more(held: Mapping[str, Rating], typed: str) -> dict[str, Rating]:
    """Ratings by key, and more of them as typed: `Body 3d, Fight 2d 1w`, each with a label of its own (O1).

    Raises Unreadable or NotAllowed.
    """
    found = dict(held)
    for part in parted(typed):
        match = _RATING.fullmatch(part.strip())
        if match is None:
            raise Unreadable("{text} has no dice. Example: Ratings: Body 3d, Fight 2d 1w", text=shorten(part))
        each = Rating(clean(match["label"], LABEL), " ".join(match["dice"].lower().split()))
        if key(each.label) in found:
            raise NotAllowed("{each} is there already. Give one of them another name.", each=each.label)
        found[key(each.label)] = each
    if len(found) > MOST_RATINGS:
        raise NotAllowed("A sheet has {most_traits} ratings at most.", most_traits=MOST_RATINGS)
    return found
