"""Saving a pool under a name, and letting it go (D2)."""

from collections.abc import Mapping

from rules.cortex.notation.grammar import parted
from rules.cortex.notation.names import WRITTEN, Known
from rules.cortex.notation.pool import read as read_pool
from rules.cortex.notation.saved import MOST, label_of, texts
from rules.cortex.notation.saved import read as read_line
from rules.cortex.notation.saved import write as write_line
from rules.cortex.rolling.gather import LAST, known_names, recent_pool, typed_roll, vocabulary_of, with_sfx
from rules.cortex.state.facts import PoolKept
from rules.cortex.state.kinds import KeptPool
from rules.cortex.state.part import CORTEX
from rules.cortex.state.pool import Die, quoted, write_pool
from rules.dice import shorten
from rules.errors import NotAllowed, RuleError, Undecided
from rules.kinds import key
from rules.names import find
from rules.result import Step
from rules.seats import Actor, owner_of, require_character
from rules.table import Character, Table
from rules.values import replace
from rules.words import Words


def save(
    table: Table,
    actor: Actor,
    name: str,
    dice: str | None = None,
    vs: str | None = None,
    who: str | None = None,
    remove: bool = False,
) -> Step:
    """Keep a pool by a name, the last one rolled where no dice are typed, or let it go (D2).

    A pool of that name is replaced. Raises what reading the dice raises.
    """
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    own = CORTEX.has(character)
    require_character(table, actor, character, Words("save a pool"))
    if remove:
        return _let_go(table, owner, own.kept[key(find(name, _names(character), Words("saved pool")))])
    typed = dice if dice and dice.strip() else "last"
    if last := LAST.fullmatch(" ".join(typed.split())):
        known = with_sfx(known_names(table, character), character)
        typed = _by_names(recent_pool(table, actor.id, int(last[1] or 1)), known)
        actor = replace(actor, agreed=(*actor.agreed, WRITTEN))
    label = label_of(name)
    require_free(label, vocabulary_of(table, actor, character))
    read = typed_roll(table, actor, typed, character.name)
    fresh = KeptPool(label, *texts(read.tree.dice, read.against(vs)))
    if read_line(write_line(fresh)) != fresh:  # a sheet has it as a line, and is read again
        raise NotAllowed('If a name contains vs, put it in quotation marks. Example: "Man vs Wild" + d8')
    kept = {**own.kept, key(label): fresh}
    if len(kept) > MOST:
        raise NotAllowed(
            "{who} already has {most} saved pools, which is the limit. Remove one: /pool save name:{name} "
            "remove:True",
            who=character.name,
            most=MOST,
            name=next(iter(own.kept.values())).name,
        )
    after = table.with_owner(owner, CORTEX.give(character, replace(own, kept=kept)))
    return Step(after, (PoolKept(character.name, fresh, was=own.kept.get(key(label))),))


def _by_names(typed: str, known: Mapping[str, Die]) -> str:
    """A pool as it was rolled, with names alone for dice that have the sizes of now: they may grow."""
    now = {write_pool([Die(die.size, name)]): quoted(name) for name, die in known.items()}
    return ", ".join(now.get(part, part) for part in typed.split(", "))


def require_free(label: str, known: Known) -> None:
    """Refuse a name that means something else where dice are typed, or that would be cut off there."""
    if not (label.casefold() == "build" or LAST.fullmatch(label) or _is_cut(label, known)):
        try:
            read_pool(label, known, is_roll=True)
        except Undecided:
            pass
        except RuleError:
            return
    raise NotAllowed(
        "{name} already means something in a dice pool. Choose another name.", name=shorten(label)
    )


def _is_cut(label: str, known: Known) -> bool:
    """Whether a part of a name is read as what a roll is against or keeps, or cannot be read: `Fly k3`."""
    try:
        _, versus, keep = parted(label, known)
    except RuleError:
        return True
    return bool(versus or keep)


def _names(character: Character) -> list[str]:
    return [kept.name for kept in CORTEX.has(character).kept.values()]


def _let_go(table: Table, owner: str, kept: KeptPool) -> Step:
    character = table.characters[owner]
    own = CORTEX.has(character)
    left = {k: each for k, each in own.kept.items() if k != key(kept.name)}
    after = table.with_owner(owner, CORTEX.give(character, replace(own, kept=left)))
    return Step(after, (PoolKept(character.name, kept, is_gone=True),))
