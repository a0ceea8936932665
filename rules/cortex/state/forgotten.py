"""What of Cortex tells nothing of a person who is forgotten."""

from collections.abc import Iterable

from rules.cortex.state.origin import forgotten_origin
from rules.cortex.state.part import CORTEX
from rules.cortex.state.pool import NamedPool
from rules.cortex.state.table import Roll
from rules.forget import forgotten_facts, free_name
from rules.kinds import key
from rules.leaving import Leaving, forgotten_line
from rules.table import Character, Table
from rules.values import replace
from rules.walk import reworded


def forgotten(table: Table, who: Leaving) -> Table:
    """The table without them in rolls, contests and pools; what they rolled in secret goes."""
    here = CORTEX.of(table)
    left = {n: roll for n, roll in here.hidden.items() if roll.player != who.person}
    fresh = replace(
        here,
        rolls={n: forgotten_roll(roll, who) for n, roll in here.rolls.items()},
        hidden={n: forgotten_roll(roll, who) for n, roll in left.items()},
        contests={n: replace(each, sides=_sides(each.sides, who)) for n, each in here.contests.items()},
        last_pools={player: dice for player, dice in here.last_pools.items() if player != who.person},
        pools=dict(_pools(table, who)),
        first_sheet=who.note(here.first_sheet),
    )
    characters = {k: _without_origin(each, who) for k, each in table.characters.items()}
    return CORTEX.put(replace(table, characters=characters), fresh)


def _without_origin(character: Character, who: Leaving) -> Character:
    """A character, whose file of another program names nobody who is forgotten."""
    own = CORTEX.has(character)
    if own.origin is None and not own.asides:
        return character
    asides = tuple(reworded(each, who.reworded) for each in own.asides)
    origin = own.origin and forgotten_origin(own.origin, who)
    return CORTEX.give(character, replace(own, asides=asides, origin=origin))


def forgotten_roll(roll: Roll, who: Leaving) -> Roll:
    """A roll without the names, in the fields that name people, and in a note of theirs."""
    against, goal = roll.against, roll.recovery
    if against is not None and roll.contest:
        against = replace(against, label=who.name_in(against.label))
    if goal is not None:
        goal = replace(goal, said=forgotten_line(goal.said, who.left, who.shared))
    return replace(
        roll,
        player=0 if roll.player == who.person else roll.player,
        who=who.name_in(roll.who),
        turn=who.name_in(roll.turn),
        on=tuple(map(who.name_in, roll.on)),
        against=against,
        recovery=goal,
        note=who.own_note(roll.note, roll.player),
        after={n: forgotten_facts(events, who) for n, events in roll.after.items()},
        doers={deed: who.person_in(name) for deed, name in roll.doers.items()},
    )


def _sides(sides: tuple[str, str], who: Leaving) -> tuple[str, str]:
    return who.name_in(sides[0]), who.name_in(sides[1])


def _pools(table: Table, who: Leaving) -> Iterable[tuple[str, NamedPool]]:
    """The named pools; one that is called as somebody who is forgotten has another name."""
    here = CORTEX.of(table)
    for one, pool in here.pools.items():
        vs = "" if who.is_left(pool.vs) else pool.vs
        if not who.is_left(one):
            yield one, replace(pool, vs=vs)
            continue
        owner = table.characters.get(pool.who)
        name = owner.name if owner and key(owner.name) not in here.pools else free_name(table)
        yield key(name), replace(pool, name=name, vs=vs)
