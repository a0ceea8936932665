"""One-Roll's part of a table, and of each character there."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.ore.sets import OreRoll
from rules.part import Part
from rules.texts import Label


@dataclass(frozen=True, slots=True)
class Rating:
    """What somebody has in a One-Roll game, as dice of a pool: `3d`, `2d 1w` (O1)."""

    label: Label
    dice: str


@dataclass(frozen=True, slots=True)
class OreCharacter:
    """What a character has of a One-Roll game."""

    ratings: Mapping[str, Rating] = field(default_factory=dict)
    """By key."""


@dataclass(frozen=True, slots=True)
class OreTable:
    """What a table has of a One-Roll game."""

    rolls: Mapping[int, OreRoll] = field(default_factory=dict)
    """By number."""


ORE = Part("ore", OreTable, OreCharacter, OreRoll)
"""Where it is found."""
