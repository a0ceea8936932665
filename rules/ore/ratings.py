"""Ratings of a sheet: dice of a One-Roll pool by a name (O1)."""

from collections.abc import Mapping

from rules.errors import NotAllowed
from rules.kinds import key
from rules.ore.notation import read_ratings
from rules.ore.part import Rating
from rules.ore.pool import write

MOST_RATINGS = 40
"""A sheet has at most this many ratings."""


def more(held: Mapping[str, Rating], typed: str) -> dict[str, Rating]:
    """Ratings by key, and more of them as typed: `Body 3d, Magic MD`, each with a label of its own (O1).

    Raises Unreadable or NotAllowed.
    """
    found = dict(held)
    for label, dice in read_ratings(typed):
        if key(label) in found:
            raise NotAllowed("The sheet has {each} twice. Give one of the two another name.", each=label)
        found[key(label)] = Rating(label, write(dice))
    if len(found) > MOST_RATINGS:
        raise NotAllowed("A sheet can have at most {most_traits} ratings.", most_traits=MOST_RATINGS)
    return found
