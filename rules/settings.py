"""The settings of a table that bend no rule: how it is shown, and when people meet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.terms import Term, Wording

LONGEST_DEADLINE = 720
"""A deadline has at most this many hours."""


class Dice(StrEnum):
    """How rolled dice are shown where there are pictures of them."""

    PICTURES = "pictures"
    WORDS = "words"


class Pace(StrEnum):
    """How a group plays: all at once, or each when they find the time."""

    LIVE = "live"
    POST = "post"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a table has set beside its rules; no ruleset changes it."""

    dice: Dice = Dice.PICTURES
    zone: str = ""
    """The time zone that dates are typed in; none where it has not been named."""
    pace: Pace = Pace.LIVE
    deadline: int = 48
    """Hours after which what waits for somebody is late, where people play by post."""
    words: Mapping[Term, Wording] = field(default_factory=dict)
    """The table's own words for terms of the game."""
