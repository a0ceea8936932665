"""The GM's doom pool: growth, steps and changes by hand (M1, M2, M7, M8)."""

from rules.cortex.state.causes import Change, Why
from rules.cortex.state.kinds import Foe
from rules.cortex.state.notation import read_dice
from rules.cortex.traits import gm_pools
from rules.cortex.traits.gm_pools import DOOM
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


def with_dice(table: Table, sizes: tuple[int, ...], change: Change) -> Step:
    """The doom pool with other dice. Raises NotAllowed for a d4, which it never holds (M1)."""
    return gm_pools.with_dice(table, DOOM, sizes, change)


def grown(table: Table, sizes: tuple[int, ...], why: Why | None = None) -> Step:
    """Dice join the doom pool (M7)."""
    return gm_pools.grown(table, DOOM, sizes, why)


def stepped_up_once(table: Table, size: int) -> Step:
    """One doom die steps up; a d12 does what the setting says (D5, M1)."""
    return gm_pools.stepped_up_once(table, DOOM, size)


def add(table: Table, actor: Actor, pool: str, why: str = "") -> Step:
    """The GM adds dice (M8)."""
    return gm_pools.add(table, actor, DOOM, pool, why)


def remove(table: Table, actor: Actor, pool: str) -> Step:
    """The GM removes dice (M8)."""
    return gm_pools.remove(table, actor, DOOM, pool)


def step_up(table: Table, actor: Actor, die: str | None = None, steps: int = 1) -> Step:
    """The GM steps up a die, the smallest where none is named (M8)."""
    return gm_pools.step_up(table, actor, DOOM, die, steps)


def step_down(table: Table, actor: Actor, die: str | None = None, steps: int = 1) -> Step:
    """The GM steps down a die, the largest where none is named; at d4 it is gone (M1, M8)."""
    return gm_pools.step_down(table, actor, DOOM, die, steps)


def put(table: Table, actor: Actor, pool: str) -> Step:
    """The GM sets the whole pool (M8)."""
    _may(table, actor, Words("set the doom pool"))
    return with_dice(table, read_dice(pool), Change.SET)


def clear(table: Table, actor: Actor) -> Step:
    """The GM empties the pool (M8)."""
    _may(table, actor, Words("clear the doom pool"))
    return with_dice(table, (), Change.CLEARED)


def _may(table: Table, actor: Actor, what: Phrase) -> None:
    require_gm(table, actor, what)
    require_on(table)
