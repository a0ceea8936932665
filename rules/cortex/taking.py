"""A step as a table takes it: asked as who acts sees the table, and with all that belongs to it besides."""

from collections.abc import Callable
from dataclasses import dataclass

from rules.causes import Seat
from rules.cortex.rolling.roll import keeps_only_rolls, with_roll
from rules.cortex.state.facts import Contested, ContestWon, OppositionChanged, RollStood
from rules.cortex.state.in_force import with_effects
from rules.cortex.state.part import CORTEX
from rules.cortex.state.rolled import RollChanged, RollMade
from rules.cortex.state.unseen import seen_by, told, with_unseen
from rules.fact import Event, Fact
from rules.facts import Imported, Seated, StepsLost
from rules.result import Step
from rules.seats import Actor
from rules.table import Table
from rules.values import replace

_NOT_NOTED = (Contested, ContestWon, RollStood, OppositionChanged)
"""Facts that the roll says itself, for as long as they stand."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A step as it is told, and the table and the facts that are kept of it.

    One that is `secret` is told to who did it alone; one that is `rolls_only` leaves nothing but rolls.
    """

    step: Step
    table: Table
    facts: tuple[Fact, ...]
    secret: bool
    rolls_only: bool


def take(
    table: Table,
    actor: Actor,
    rule: Callable[[Table, Actor], Step],
    within: Callable[[Table, Step], Step] | None = None,
) -> Taken:
    """What a rule makes of a table for somebody, who is asked as they see it (B2, R9).

    `within` may refuse or narrow the step before it is taken. Raises what both raise.
    """
    seen = seen_by(table, actor)
    step = with_newcomers(seen, rule(seen, actor))
    step, secret = told(table, step if seen is table else with_unseen(table, seen, step))
    step = with_effects(_with_lost(table, step))
    if within is not None:
        step = within(table, step)
    facts = tuple(map(_bare, step.facts))
    return Taken(step, noted(step), facts, secret, keeps_only_rolls(table, step))


def with_newcomers(before: Table, step: Step) -> Step:
    """The step, telling of everybody who is new at the table and has not been told of."""
    names = [c.name for k, c in step.table.characters.items() if k not in before.characters]
    if not names:
        return step
    known = {fact.who for fact in step.facts if isinstance(fact, Seated)}
    known |= {name for fact in step.facts if isinstance(fact, Imported) for name in fact.names}
    new = [Seated(name, Seat.NEW) for name in names if name not in known]
    return Step(step.table, (*step.facts, *new))


def noted(step: Step) -> Table:
    """The table of a step, on whose rolls it is noted what followed from them.

    Who is to answer in a contest, and who has won it, is not noted: the roll says so itself, for as long as
    that stands.
    """
    table = step.table
    after = tuple(fact for fact in step.facts if isinstance(fact, Event) and not isinstance(fact, _NOT_NOTED))
    for fact in step.facts:
        if isinstance(fact, RollMade | RollChanged) and after and fact.roll.number in CORTEX.of(table).rolls:
            roll = CORTEX.of(table).rolls[fact.roll.number]
            # The number that this step is going to have.
            table = with_roll(table, replace(roll, after={**roll.after, table.number + 1: after}))
    return table


def _with_lost(before: Table, step: Step) -> Step:
    """The step, telling of the steps before it that cannot be read any more."""
    if not before.lost:
        return step
    return Step(step.table, (StepsLost(before.number, before.lost), *step.facts))


def _bare(fact: Fact) -> Fact:
    """A fact as it is kept: what followed from a roll is told by the steps that did it."""
    if isinstance(fact, RollMade | RollChanged) and fact.roll.after:
        return replace(fact, roll=replace(fact.roll, after={}))
    return fact
