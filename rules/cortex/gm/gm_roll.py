"""Rolls of the GM in the open: doom, crises, challenges, GMCs (M3, K3, L3, T6, B1, R9)."""

from rules.cortex.gm.gmc import named
from rules.cortex.notation.pool import read
from rules.cortex.rolling.gather import Gathered, gather, known_names, paid_for, require_alone, typed_roll
from rules.cortex.rolling.opposition import against as read_against
from rules.cortex.rolling.opposition import doom_pool, require_in_the_way, target_pool, thrown
from rules.cortex.rolling.roll import as_out, check_keep, placed
from rules.cortex.state.kinds import Foe, Target
from rules.cortex.state.part import CORTEX
from rules.cortex.state.pool import SOURCES, Die, Pool
from rules.cortex.state.table import Roll
from rules.cortex.traits import foe_kinds, gm_pools
from rules.cortex.traits.foe_kinds import DOOM
from rules.dice import Throw
from rules.result import Step
from rules.seats import Actor, require_gm, require_here, several
from rules.table import Table
from rules.words import Words


def roll_doom(
    table: Table,
    actor: Actor,
    throw: Throw,
    dice: str | None = None,
    with_: str | None = None,
    keep: int = 2,
    on: str | None = None,
) -> Step:
    """Roll all or some doom dice as the opposition, with what else stands in the way (M3, R9)."""
    require_gm(table, actor, Words("roll the {doom_pool.one}"))
    pool = doom_pool(table)
    if dice and dice.strip():
        wanted = gm_pools.those_of(table, DOOM, dice, actor.agreed)
        gm_pools.lost(table, DOOM, wanted)
        pool = tuple(Die(size, "", SOURCES[Foe.DOOM]) for size in wanted)
    return _rolled(table, actor, throw, DOOM, Gathered((*pool, *_besides(table, actor, with_))), keep, on)


def roll_pool(
    table: Table,
    actor: Actor,
    throw: Throw,
    foe: Foe,
    name: str | None = None,
    with_: str | None = None,
    keep: int = 2,
    on: str | None = None,
) -> Step:
    """Roll a crisis or a challenge as the opposition, with what else stands in the way (K3, L3, R9)."""
    require_gm(table, actor, Words("roll {foe}", foe=foe_kinds.FOES[foe].one))
    target = gm_pools.named(table, foe, name)
    pool = (*target_pool(table, target), *_besides(table, actor, with_))
    return _rolled(table, actor, throw, target, Gathered(pool), keep, on)


def roll_gmc(
    table: Table,
    actor: Actor,
    throw: Throw,
    name: str,
    dice: str | None = None,
    vs: str | None = None,
    keep: int = 2,
    on: str | None = None,
) -> Step:
    """A GMC rolls all its dice, or those that are named, in the open (T6, B1, R9)."""
    require_gm(table, actor, Words("roll for {gmc.a}"))
    target = named(table, name)
    require_here(table, target.key)
    if dice and dice.strip():
        gmc = table.characters[target.key].name
        typed = typed_roll(table, actor, dice, gmc)
        vs = typed.against(vs)
        pool = gather(table, actor, typed, None, gmc)
    else:
        pool = Gathered(target_pool(table, target))
    return _rolled(table, actor, throw, target, pool, keep, on, vs)


def _rolled(
    table: Table,
    actor: Actor,
    throw: Throw,
    target: Target,
    pool: Gathered,
    keep: int,
    on: str | None,
    vs: str | None = None,
) -> Step:
    """Dice of the GM, rolled for the table to see; `on` says whom they concern (M3, R9, X1)."""
    concerned: tuple[str, ...] = ()
    if on and on.strip():
        table, keys = several(table, actor, on)
        for one in keys:
            require_here(table, one)
        concerned = tuple(table.characters[one].name for one in keys)
    title = gm_pools.title(table, target)
    if not (vs and vs.strip()):
        require_alone(pool)
    paid = paid_for(table, actor, pool, title, gm=True)
    table = paid.table
    keep = pool.kept(keep)
    check_keep(table, keep)
    hand = thrown(pool.pool, keep, table, throw, pool.beside, pool.plus)
    theirs = pool.beside.theirs
    opposing = read_against(table, actor, vs, throw, theirs, title) if vs and vs.strip() else None
    source = None if target == DOOM else target
    number = table.number + 1
    made = Roll(number, actor.id, title, hand, True, opposing, on=concerned, target=source)
    return placed(table, as_out(table, actor, made), facts=paid.facts)


def _besides(table: Table, actor: Actor, typed: str | None) -> Pool:
    """What else stands in the way, as typed behind `with` (M3)."""
    if not typed or not typed.strip():
        return ()
    known = known_names(table, None)
    pool = read(typed, known, CORTEX.of(table).ruleset, decided=actor.agreed).pool
    for die in pool:
        require_in_the_way(table, die)
    return pool
