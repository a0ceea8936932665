"""Doom dice that were taken into a pool, and go back after its roll, stepped up (D4)."""

from rules.cortex.notation.verbs import step_up_pool
from rules.cortex.rolling.roll import find, with_roll
from rules.cortex.state.causes import Cause, Why
from rules.cortex.state.part import CORTEX
from rules.cortex.state.pool import Special
from rules.cortex.state.rolled import RollChanged
from rules.cortex.state.table import Roll
from rules.cortex.traits import doom
from rules.errors import TooLate
from rules.result import Step
from rules.seats import Actor, require_gm
from rules.table import Table
from rules.values import replace
from rules.words import Words


def lent(table: Table, roll: Roll) -> list[tuple[int, int]]:
    """The doom dice of a roll that have not gone back: the place of each, and its size."""
    if not CORTEX.of(table).ruleset.doom:
        return []
    dice = enumerate(roll.hand.dice)
    return [
        (n, die.size) for n, die in dice if die.source.kind is Special.FROM_DOOM and n not in roll.returned
    ]


def gone_back(table: Table, size: int) -> tuple[int, ...]:
    """What a doom die is once it has gone back, stepped up (D4, D5)."""
    return step_up_pool((size,), size, CORTEX.of(table).ruleset)


def give_back(table: Table, actor: Actor, number: int, place: int) -> Step:
    """A doom die of a roll goes back to doom, stepped up; it counts in the roll all the same (D4)."""
    require_gm(table, actor, Words("put dice back into {doom_pool.short}"))
    doom.require_on(table)
    roll = find(table, number)
    size = dict(lent(table, roll)).get(place)
    if size is None:
        raise TooLate("That die is already back in the {doom_pool.one}, or it never came from there.")
    step = doom.grown(table, gone_back(table, size), Why(Cause.LENT))
    fresh = replace(roll, returned=(*roll.returned, place))
    return Step(with_roll(step.table, fresh), (*step.facts, RollChanged(fresh)))
