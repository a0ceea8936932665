"""How games show their rolls: the card of a step, and of a roll as it is, with what can be done with it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.render.card import Button, Card
from rules.campaign.rolls import rolls_on
from rules.facts import Fact, RollNoted
from rules.game import Step
from rules.table import Rolled, Table


@dataclass(frozen=True, slots=True)
class Shows:
    """What a game shows of its own."""

    kind: type
    """The class of its rolls."""
    card: Callable[[Table, Any], Card]
    """A roll as it is now."""
    told: Callable[[Table, Step, Fact], Card | None]
    """The card of a step, by the fact that one of its rolls was made or has changed; none for other facts."""
    rows: Callable[[Table, Step], tuple[tuple[Button, ...], ...]] = lambda table, step: ()
    """What is offered below a step that is told by lines."""


_known: list[Shows] = []


def learn(*games: Shows) -> None:
    """Let games show their rolls so."""
    _known[:] = games


def roll_card(table: Table, roll: Rolled) -> Card:
    """A roll as it is now. Raises LookupError for one that no game shows."""
    for each in _known:
        if isinstance(roll, each.kind):
            return each.card(table, roll)
    raise LookupError(f"nobody shows a {type(roll).__name__}")


def shown_step(table: Table, step: Step) -> Card | None:
    """The card of a step by the first of its facts that a game shows as a roll, or that says what one was."""
    for fact in step.facts:
        if isinstance(fact, RollNoted) and (roll := rolls_on(table).get(fact.roll)) is not None:
            return roll_card(table, roll)
    found = (each.told(table, step, fact) for fact in step.facts for each in _known)
    return next(filter(None, found), None)


def rows(table: Table, step: Step) -> tuple[tuple[Button, ...], ...]:
    """What games offer below a step that is told by lines."""
    return tuple(row for each in _known for row in each.rows(table, step))
