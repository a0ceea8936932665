"""Experience points: earned with a reason, spent with a reason."""

from rules.cortex.state.facts import XpChanged
from rules.cortex.state.part import CORTEX, MOST_XP
from rules.cortex.traits.plot import check_number
from rules.errors import NotAllowed
from rules.names import remark
from rules.result import Step
from rules.seats import Actor, owner_of, require_character, require_gm, several
from rules.table import Table
from rules.values import replace
from rules.words import Words


def give(table: Table, actor: Actor, who: str, number: int = 1, why: str = "") -> Step:
    """The GM gives XP to one character, several or all."""
    require_gm(table, actor, Words("give XP"))
    check_number(number)
    table, keys = several(table, actor, who)
    step = Step(table, ())
    for one in keys:
        step = step.then(_changed(step.table, one, number, remark(why)))
    return step


def spend(table: Table, actor: Actor, number: int = 1, why: str = "", who: str | None = None) -> Step:
    """Spend XP of one's own character. Raises NotAllowed where there are too few."""
    check_number(number)
    table, spender = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[spender]
    own = CORTEX.has(character)
    require_character(table, actor, character, Words("spend XP"))
    if own.xp < number:
        raise NotAllowed(
            "That costs {number} XP; {character} has {xp}.",
            character=character.name,
            xp=own.xp,
            number=number,
        )
    return _changed(table, spender, -number, remark(why))


def _changed(table: Table, who: str, by: int, why: str) -> Step:
    character = table.characters[who]
    own = CORTEX.has(character)
    after = own.xp + by
    if after > MOST_XP:
        raise NotAllowed(
            "{character} has {xp} XP; the limit is {most}.",
            character=character.name,
            xp=own.xp,
            most=MOST_XP,
        )
    fact = XpChanged(character.name, own.xp, after, why)
    return Step(table.with_owner(who, CORTEX.give(character, replace(own, xp=after))), (fact,))
