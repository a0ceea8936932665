"""Another choice of the dice of a roll, or of those against it (R4)."""

from rules.cortex.rolling.roll import changed, check_open, check_other, find, opposing_hand, with_opposing
from rules.cortex.state import keeping, outcome
from rules.cortex.state.in_force import rules_of
from rules.cortex.state.table import Roll
from rules.cortex.traits import hero
from rules.errors import NotAllowed
from rules.result import Step
from rules.roller import require_roller
from rules.seats import (
    Actor,
    require_gm,
)
from rules.table import Table
from rules.values import replace
from rules.words import Words


def choose(table: Table, actor: Actor, number: int, total: int, effects: tuple[int, ...]) -> Step:
    """Keep another choice of the roll (R4)."""
    roll = find(table, number)
    require_roller(table, actor, roll)
    check_open(roll)
    offered = outcome.options(roll, rules_of(table, roll))
    choice = next((c for c in offered if (c.total, c.effects) == (total, effects)), None)
    if choice is None:
        raise NotAllowed("That choice is gone: the dice of this roll have changed.")
    return _with_kept(table, roll, choice)


def keep_dice(
    table: Table, actor: Actor, number: int, totals: tuple[int, ...], effects: tuple[int, ...]
) -> Step:
    """Keep any usable dice of the roll, by their places, also such as no choice lists (R1)."""
    roll = find(table, number)
    require_roller(table, actor, roll)
    check_open(roll)
    own = sum(roll.hand.dice[place].face for place in set(totals) & set(keeping.usable(roll.hand)))
    more = outcome.most_traded(roll, rules_of(table, roll), own + keeping.added(roll.hand))
    return _with_kept(table, roll, keeping.picked(roll.hand, totals, effects, more))


def _with_kept(table: Table, roll: Roll, choice: keeping.Choice) -> Step:
    """The roll with another choice kept; a hero die that it has banked stays earned (Z1)."""
    check_other(choice, roll.hand)
    fresh = outcome.chosen(roll, choice, rules_of(table, roll))
    hero.require_earned(table, fresh)
    return changed(table, fresh)


def choose_opposition(table: Table, actor: Actor, number: int, total: int, effects: tuple[int, ...]) -> Step:
    """The GM keeps another choice of the opposition's dice (T2)."""
    require_gm(table, actor, Words("choose for the opposition"))
    roll = find(table, number)
    opposing = opposing_hand(roll)
    check_open(roll)
    options = keeping.choices(opposing)
    choice = next((c for c in options if (c.total, c.effects) == (total, effects)), None)
    if choice is None:
        raise NotAllowed("That choice is gone: the dice of this roll have changed.")
    return _with_opposing_kept(table, roll, choice)


def keep_opposing_dice(
    table: Table, actor: Actor, number: int, totals: tuple[int, ...], effects: tuple[int, ...]
) -> Step:
    """The GM keeps any usable dice of the opposition, by their places, so as to moderate it (R1)."""
    require_gm(table, actor, Words("choose for the opposition"))
    roll = find(table, number)
    opposing = opposing_hand(roll)
    check_open(roll)
    return _with_opposing_kept(table, roll, keeping.picked(opposing, totals, effects))


def _with_opposing_kept(table: Table, roll: Roll, choice: keeping.Choice) -> Step:
    opposing = opposing_hand(roll)
    check_other(choice, opposing)
    hand = replace(keeping.keep(opposing, choice), chosen=True)
    return changed(table, outcome.settle(with_opposing(roll, hand), rules_of(table, roll)))
