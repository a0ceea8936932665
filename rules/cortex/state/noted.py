"""What followed from a roll, noted on it by the step that did it."""

from rules.cortex.state.facts import Contested, ContestWon
from rules.cortex.state.part import CORTEX
from rules.cortex.state.roll_facts import OppositionChanged, RollStood
from rules.cortex.state.rolled import RollChanged, RollMade
from rules.fact import Event, Fact
from rules.result import Step
from rules.table import Table
from rules.values import replace

_NOT_NOTED = (Contested, ContestWon, RollStood, OppositionChanged)
"""Facts that the roll says itself, for as long as they stand."""


def noted(step: Step) -> Table:
    """The table of a step, on whose rolls it is noted what followed from them.

    Who is to answer in a contest, and who has won it, is not noted: the roll says so itself, for as long as
    that stands.
    """
    table = step.table
    after = tuple(fact for fact in step.facts if isinstance(fact, Event) and not isinstance(fact, _NOT_NOTED))
    for fact in step.facts:
        here = CORTEX.of(table)
        if isinstance(fact, RollMade | RollChanged) and after and fact.roll.number in here.rolls:
            roll = here.rolls[fact.roll.number]
            # The number that this step is going to have.
            fresh = replace(roll, after={**roll.after, table.number + 1: after})
            table = CORTEX.put(table, replace(here, rolls={**here.rolls, roll.number: fresh}))
    return table


def bare(fact: Fact) -> Fact:
    """A fact as it is kept: what followed from a roll is told by the steps that did it."""
    if isinstance(fact, RollMade | RollChanged) and fact.roll.after:
        return replace(fact, roll=replace(fact.roll, after={}))
    return fact
