"""How Cortex shows its rolls."""

from bot.asks.cortex import hidden, statement, stay_in
from bot.asks.cortex.foe_buttons import fact_rows
from bot.asks.cortex.roll_buttons import roll_rows
from bot.asks.shows import Shows
from bot.language import say
from bot.language.line import small
from bot.render import facts
from bot.render.card import Button, Card
from bot.render.cortex import roll as cards
from rules.cortex.actions import read_roll
from rules.cortex.facts import HiddenRolled, RollChanged, RollMade, StatementSettled, TakenOut
from rules.cortex.model import CORTEX, Roll
from rules.facts import Began, Ended, Fact, RollNoted, Stretch
from rules.game import Step
from rules.table import Table
from rules.values import replace


def roll_card(table: Table, roll: Roll) -> Card:
    """A roll as it is now, with what can be done with it."""
    reading = read_roll(table, roll)
    return cards.roll_card(table, reading, roll_rows(table, reading))


def hidden_card(table: Table, roll: Roll) -> Card:
    """A roll made in secret, for who made it: its dice, and what can become of it."""
    card = cards.roll_card(table, read_roll(table, roll))
    lines = (*card.lines, small(say("Only you can see this roll until you reveal it.")))
    return replace(card, lines=lines, rows=hidden.rows(roll), private=True, roll=None, portrait=None)


def cortex_step(table: Table, step: Step, fact: Fact) -> Card | None:
    """The roll that a step made or changed, with what else it did."""
    if isinstance(fact, HiddenRolled):
        return hidden_card(table, fact.roll)
    if isinstance(fact, RollNoted) and (made := CORTEX.of(table).hidden.get(fact.roll)) is not None:
        return hidden_card(table, made)
    if not isinstance(fact, RollMade | RollChanged):
        return None
    card, more = roll_card(table, CORTEX.of(table).rolls[fact.roll.number]), _stay_in(table, step)
    if isinstance(fact, RollChanged):
        said, calls = facts.news(table, step.facts)
        return replace(card, news=Card(said, more, calls=calls) if said else None)
    calls = facts.concerned(table, step.facts)
    return replace(card, rows=(*card.rows, *more), calls=calls) if more or calls else card


def rows(table: Table, step: Step) -> tuple[tuple[Button, ...], ...]:
    """To stay in, to roll against what came, to hand on the turn."""
    offered = (*_stay_in(table, step), *fact_rows(table, step.facts))
    for fact in step.facts:
        if fact.__class__ in _ASKING:
            return (*offered, *_statements(table, step))
    return offered


_ASKING = frozenset({Began, Ended, StatementSettled})
"""The facts after which there may be statements to settle."""


def _statements(table: Table, step: Step) -> tuple[tuple[Button, ...], ...]:
    """What becomes of statements, where a session ends or begins, and once one is settled (N7)."""
    asks = any(
        isinstance(fact, StatementSettled)
        or (isinstance(fact, Began | Ended) and fact.what is Stretch.SESSION)
        for fact in step.facts
    )
    return statement.rows(table) if asks else ()


def _stay_in(table: Table, step: Step) -> tuple[tuple[Button, ...], ...]:
    """A button for everybody who was taken out, to stay in (C4)."""
    out = dict.fromkeys(fact.who for fact in step.facts if isinstance(fact, TakenOut))
    if not out:
        return ()
    for_good = {fact.who for fact in step.facts if isinstance(fact, TakenOut) and fact.for_good}
    left = [who for who in out if who not in for_good]
    return (stay_in.buttons(table, left),) if left else ()


SHOWS = Shows(Roll, roll_card, cortex_step, rows)
"""What it shows of its own."""
