"""Experience points, which never fall below zero."""

from rules.campaign.seats import Actor, owner_of, require_character, require_gm, several
from rules.errors import NotAllowed
from rules.facts import XpChanged
from rules.game import Step
from rules.names import remark
from rules.table import MOST_XP, Table
from rules.text import Words
from rules.values import replace

MOST_AT_ONCE = 999
"""One command gives or spends at most this many XP."""


def give_xp(table: Table, actor: Actor, who: str, number: int = 1, why: str = "") -> Step:
    """Give XP to one character, several or all, as the GM.

    Raises NotAllowed for a number out of range, or if somebody would have too many.
    """
    require_gm(table, actor, Words("give XP"))
    _check_number(number)
    table, keys = several(table, actor, who)
    step = Step(table, ())
    for one in keys:
        step = step.then(_with_xp(step.table, one, number, remark(why)))
    return step


def spend_xp(table: Table, actor: Actor, number: int = 1, why: str = "", who: str | None = None) -> Step:
    """Spend XP of the caller's character. Raises NotAllowed if there are too few."""
    _check_number(number)
    table, spender = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[spender]
    require_character(table, actor, character, Words("spend XP"))
    if character.xp < number:
        raise NotAllowed(
            "That costs {number} XP; {character} has {xp}.",
            character=character.name,
            xp=character.xp,
            number=number,
        )
    return _with_xp(table, spender, -number, remark(why))


def _check_number(number: int) -> None:
    if not 1 <= number <= MOST_AT_ONCE:
        raise NotAllowed(
            "You can't choose {number} XP. Choose 1 to {most}.", number=number, most=MOST_AT_ONCE
        )


def _with_xp(table: Table, who: str, by: int, why: str) -> Step:
    character = table.characters[who]
    after = character.xp + by
    if after > MOST_XP:
        raise NotAllowed(
            "{character} has {xp} XP; the limit is {most}.",
            character=character.name,
            xp=character.xp,
            most=MOST_XP,
        )
    fact = XpChanged(character.name, character.xp, after, why)
    return Step(table.with_owner(who, replace(character, xp=after)), (fact,))
