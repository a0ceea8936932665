"""Dice in a message of anybody's, of either game: understood, and rolled as they would be typed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from rules.cortex.rolling import roll
from rules.cortex.tools import written
from rules.errors import NotAllowed, Unknown
from rules.ore import roll as one_roll
from rules.ore import written as one_roll_written
from rules.result import Step
from rules.seats import Actor
from rules.table import Table

ROLLS: Mapping[str, Callable[..., Step]] = {
    "": roll.make,
    "ore": partial(one_roll.typed, how=one_roll.full),
}
"""How the dice of each game are rolled."""


@dataclass(frozen=True, slots=True)
class Read:
    """Dice that were read in a message, their game, and what of it could not be read."""

    dice: str
    game: str = ""
    left: tuple[str, ...] = ()


def understood(table: Table, actor: Actor, text: str) -> Read:
    """The dice in a text: Cortex's, or One-Roll's where it has none or special dice.

    Raises Unknown where there are none, NotAllowed for too many.
    """
    pool = one_roll_written.understood(table, actor, text)
    try:
        found = written.understood(table, actor, text)
    except (Unknown, NotAllowed):
        if pool is None:
            raise
        return Read(pool.dice, "ore", pool.left)
    if pool is not None and pool.is_sure:
        return Read(pool.dice, "ore", (*pool.left, found.dice))
    return Read(found.dice, left=(*found.left, *((pool.dice, *pool.left) if pool else ())))
