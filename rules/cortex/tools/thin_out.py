"""Traits of several dice that lose one for good, as the GM uses its hitch (N21)."""

from rules.cortex.state import rating
from rules.cortex.state.facts import TraitChanged
from rules.cortex.state.kinds import LENDING, Kind, Trait
from rules.cortex.state.part import CORTEX, with_traits
from rules.cortex.state.table import Roll
from rules.cortex.tools.apply import hitches
from rules.dice import shorten
from rules.errors import NotAllowed
from rules.fact import Fact
from rules.kinds import key
from rules.result import Step
from rules.table import Table


def thinning(table: Table, roll: Roll) -> list[tuple[Kind, Trait]]:
    """The traits of the roller that can lose a die by a hitch of the roll, where the setting is on (N21)."""
    character = table.characters.get(key(roll.who))
    if character is None or not CORTEX.of(table).ruleset.gangs_thin_out:
        return []
    dice = (roll.hand.dice[place] for place in hitches(roll))
    named = {key(die.label) for die in dice if not die.source.is_new}
    held = [(kind, CORTEX.has(character).traits(kind)) for kind in LENDING]
    return [
        (kind, one)
        for kind, traits in held
        for k, one in traits.items()
        if one.more and key(one.label) in named
    ]


def places_of(roll: Roll, label: str, most: int) -> tuple[int, ...]:
    """The hitches of a trait's dice, as many as are taken, the smallest dice first (N21)."""
    ones = [place for place in hitches(roll) if key(roll.hand.dice[place].label) == key(label)]
    return tuple(sorted(ones, key=lambda place: roll.hand.dice[place].size)[:most])


def thinned(table: Table, who: str, roll: Roll, ones: tuple[int, ...], label: str) -> Step:
    """A trait loses a die for good for each of these hitches, and keeps one at least (N21)."""
    kind, old = _found(table, roll, label)
    left = old
    for place in ones:
        left = rating.without(left, roll.hand.dice[place].size)
    owner = table.owner(who)
    held = {**CORTEX.has(owner).traits(kind), key(old.label): left}
    facts: tuple[Fact, ...] = (TraitChanged(owner.name, kind, old, left),)
    return Step(table.with_owner(who, with_traits(owner, kind, held)), facts)


def taken(table: Table, roll: Roll, label: str, count: int) -> tuple[int, ...]:
    """The hitches that are used so: of that trait alone, and one die stays (N21)."""
    if not CORTEX.of(table).ruleset.gangs_thin_out:
        return ()
    _, trait = _found(table, roll, label)
    return places_of(roll, trait.label, min(count, len(trait.more)))


def _found(table: Table, roll: Roll, label: str) -> tuple[Kind, Trait]:
    found = [(kind, one) for kind, one in thinning(table, roll) if key(one.label) == key(label)]
    if not found:
        raise NotAllowed(
            "That roll has no group {label} with {hitch.a} left. Press Hitches again.",
            label=shorten(label),
        )
    return found[0]
