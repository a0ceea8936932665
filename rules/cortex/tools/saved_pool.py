"""Saving a pool under a name, and letting it go (D2)."""

from collections.abc import Mapping

from rules.cortex.rolling import own_trouble
from rules.cortex.rolling.gather import LAST, kept_as, known_names, recent_pool, with_sfx
from rules.cortex.state.facts import PoolKept
from rules.cortex.state.kinds import KeptPool
from rules.cortex.state.notation import read as read_pool
from rules.cortex.state.part import CORTEX
from rules.cortex.state.typed_pool import MOST, label_of, parted, texts
from rules.cortex.state.typed_pool import read as read_line
from rules.cortex.state.typed_pool import write as write_line
from rules.dice import Die, quoted, shorten, write_pool
from rules.errors import NotAllowed, RuleError, Unreadable
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
    known = with_sfx(known_names(table, character), character)
    typed, against = parted(dice if dice and dice.strip() else "last", vs)
    if last := LAST.fullmatch(" ".join(typed.split())):
        typed = _by_names(recent_pool(table, actor.id, int(last[1] or 1)), known)
    label = label_of(name)
    _require_free(label, known)
    held = kept_as(character, known, typed)
    fresh = KeptPool(label, *texts(held.dice if held else typed, against))
    read_line(write_line(fresh))  # a sheet has it as a line, and is read again
    _require_readable(table, actor, character, fresh.dice, known)
    kept = {**own.kept, key(label): fresh}
    if len(kept) > MOST:
        raise NotAllowed(
            "{who} has {most} saved pools, which is the most. Remove one: /pool save name:{name} remove:True",
            who=character.name,
            most=MOST,
            name=next(iter(own.kept.values())).name,
        )
    after = table.with_owner(owner, CORTEX.give(character, replace(own, kept=kept)))
    return Step(after, (PoolKept(character.name, fresh, was=own.kept.get(key(label))),))


def _require_readable(
    table: Table, actor: Actor, character: Character, typed: str, known: Mapping[str, Die]
) -> None:
    """Refuse a pool that could not be rolled now, also by what is pushed and challenged (N3, N7)."""
    text, verbs = own_trouble.worded(table, character, typed, known)
    try:
        read_pool(text, {**known, **verbs}, CORTEX.of(table).ruleset, may_lend=True, decided=actor.agreed)
    except Unreadable:
        own_trouble.require_read(table, character, typed, known)
        raise


def _by_names(typed: str, known: Mapping[str, Die]) -> str:
    """A pool as it was rolled, with names alone for dice that have the sizes of now: they may grow."""
    now = {write_pool([Die(die.size, name)]): quoted(Die(die.size, name)) for name, die in known.items()}
    return ", ".join(now.get(part, part) for part in typed.split(", "))


def _require_free(label: str, known: Mapping[str, Die]) -> None:
    """Refuse a name that means something else already where dice are typed."""
    try:
        # These two are no dice that could be read, and stand for something all the same.
        if label.casefold() != "build" and not LAST.fullmatch(label):
            read_pool(label, known)
    except RuleError:
        return
    raise NotAllowed(
        "{name} stands for something else where dice are typed. Example: name:My {label}",
        name=shorten(label),
        label=label,
    )


def _names(character: Character) -> list[str]:
    return [kept.name for kept in CORTEX.has(character).kept.values()]


def _let_go(table: Table, owner: str, kept: KeptPool) -> Step:
    character = table.characters[owner]
    own = CORTEX.has(character)
    left = {k: each for k, each in own.kept.items() if k != key(kept.name)}
    after = table.with_owner(owner, CORTEX.give(character, replace(own, kept=left)))
    return Step(after, (PoolKept(character.name, kept, is_gone=True),))
