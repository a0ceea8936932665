"""The GM's doom pool: what is so of it alone among the pools of the GM (M1, M2, M7, M8)."""

from rules.cortex.notation.pool import read_dice
from rules.cortex.state.causes import Change, Why
from rules.cortex.state.kinds import Foe
from rules.cortex.state.part import CORTEX
from rules.cortex.traits import gm_pools
from rules.cortex.traits.foe_kinds import DOOM
from rules.result import Step
from rules.seats import Actor, require_gm
from rules.table import Table
from rules.words import Phrase, Words

NAME = "Doom pool"


def dice(table: Table) -> tuple[int, ...]:
    """The sizes of the doom dice, rising."""
    return gm_pools.dice(table, DOOM)


def require_on(table: Table) -> None:
    """Refuse where the campaign plays without a doom pool."""
    gm_pools.require_on(table, Foe.DOOM)


def with_dice(
    table: Table,
    sizes: tuple[int, ...],
    change: Change,
    why: Why | None = None,
    changed: tuple[int, ...] = (),
) -> Step:
    """The doom pool with other dice. Raises NotAllowed for a d4, which it never holds (M1)."""
    return gm_pools.with_dice(table, DOOM, sizes, change, changed, why)


def grown(table: Table, sizes: tuple[int, ...], why: Why | None = None) -> Step:
    """Dice join the doom pool (M7)."""
    return gm_pools.grown(table, DOOM, sizes, why)


def stepped_up_once(table: Table, size: int) -> Step:
    """One doom die steps up; a d12 does what the setting says (D5, M1)."""
    return gm_pools.stepped_up_once(table, DOOM, size)


def put(table: Table, actor: Actor, pool: str) -> Step:
    """The GM sets the whole pool (M8)."""
    _may(table, actor, Words("set the {doom_pool.one}"))
    return with_dice(table, read_dice(pool, CORTEX.of(table).ruleset, actor.agreed), Change.SET)


def clear(table: Table, actor: Actor) -> Step:
    """The GM empties the pool (M8)."""
    _may(table, actor, Words("clear the {doom_pool.one}"))
    return with_dice(table, (), Change.CLEARED)


def _may(table: Table, actor: Actor, what: Phrase) -> None:
    require_gm(table, actor, what)
    require_on(table)
