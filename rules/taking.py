"""A step as a table takes it: asked as who acts sees the table, and with all that belongs to it besides."""

from collections.abc import Callable
from dataclasses import dataclass

from rules.causes import Seat
from rules.fact import Fact
from rules.facts import Imported, Seated, StepsLost
from rules.game import Game, saying
from rules.own import keeps_only_rolls
from rules.result import Step
from rules.seats import Actor
from rules.table import Table
from rules.unseen import for_players, seen_by, with_unseen


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
    step, secret = for_players(table, step if seen is table else with_unseen(table, seen, step))
    step = _with_lost(table, step)
    for game in saying(Game.worked_out):
        step = game.worked_out(step)
    if within is not None:
        step = within(table, step)
    facts = tuple(map(_kept, step.facts))
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
    """The table of a step, on whose rolls it is noted what followed from them."""
    for game in saying(Game.noted):
        step = Step(game.noted(step), step.facts)
    return step.table


def _with_lost(before: Table, step: Step) -> Step:
    """The step, telling of the steps before it that cannot be read any more."""
    if not before.lost:
        return step
    return Step(step.table, (StepsLost(before.number, before.lost), *step.facts))


def _kept(fact: Fact) -> Fact:
    """A fact as it is kept."""
    for game in saying(Game.as_kept):
        fact = game.as_kept(fact)
    return fact
