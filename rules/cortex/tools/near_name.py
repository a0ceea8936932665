"""New labels that are nearly the name of a trait, or its beginning: `Mnd` or `mi` for Mind (L5)."""

from difflib import get_close_matches

from rules.cortex.rolling.gather import known_names
from rules.cortex.rolling.roll import changed, check_open, find
from rules.cortex.state.pool import Die
from rules.cortex.state.several import is_resource
from rules.cortex.state.table import Roll
from rules.errors import TooLate
from rules.kinds import key
from rules.result import Step
from rules.roller import require_roller
from rules.seats import Actor
from rules.table import Table
from rules.values import replace

_ALIKE = 0.75
"""So much of two words has to be the same."""


def near_name(table: Table, roll: Roll) -> tuple[str, str] | None:
    """The first new label of a roll that is nearly a known name, and that name; None where none is."""
    character = table.characters.get(key(roll.who))
    labels = {die.label for die in roll.hand.dice if die.label and die.source.is_new}
    if character is None or not labels:
        return None
    known = _known(table, roll)
    there = {key(die.label) for die in roll.hand.dice}
    free = {key(name): name for name in known if key(name) not in there}
    for die in roll.hand.dice:
        if die.label not in labels:
            continue
        begun = [name for name in free if name.startswith(key(die.label))]
        near = begun if len(begun) == 1 else get_close_matches(key(die.label), free, 1, _ALIKE)
        if near:
            return die.label, free[near[0]]
    return None


def rename(table: Table, actor: Actor, number: int) -> Step:
    """The dice of a roll under a new label are those of the trait that was meant. Raises TooLate for none."""
    roll = find(table, number)
    require_roller(table, actor, roll)
    check_open(roll)
    near = near_name(table, roll)
    if near is None:
        raise TooLate("That roll has no names left to correct.")
    meant = _known(table, roll)[near[1]]
    dice = (
        replace(die, label=meant.label, source=meant.source)
        if die.label == near[0] and die.source.is_new
        else die
        for die in roll.hand.dice
    )
    return changed(table, replace(roll, hand=replace(roll.hand, dice=tuple(dice))))


def _known(table: Table, roll: Roll) -> dict[str, Die]:
    """The names that the roller could have meant, but for resources, which are paid for beforehand (C2)."""
    known = known_names(table, table.characters.get(key(roll.who)))
    return {name: die for name, die in known.items() if not is_resource(die)}
