"""The GM's doom pool: growth, steps and changes by hand (M1, M2, M7, M8)."""

from collections import Counter
from dataclasses import replace

from rules.cortex.facts import PoolChanged, Step
from rules.cortex.seats import Actor, require_gm
from rules.cortex.table import Table
from rules.dice import SIZES, check_count, down, size_of, up, write
from rules.errors import NotAllowed
from rules.names import remark
from rules.notation import read_dice, step_up_pool

NAME = "Doom pool"


def dice(table: Table) -> tuple[int, ...]:
    """The sizes of the doom dice, rising."""
    return tuple(sorted(Counter(table.doom).elements()))


def require_on(table: Table) -> None:
    """Refuse where the campaign plays without a doom pool."""
    if not table.ruleset.doom:
        raise NotAllowed(
            "This campaign plays without a doom pool. The setting is doom pool. "
            "Example: /campaign set setting:doom pool value:on"
        )


def with_dice(table: Table, sizes: tuple[int, ...], how: str, why: str = "") -> Step:
    """The doom pool with other dice. Raises NotAllowed for a d4, which it never holds (M1)."""
    if SIZES[0] in sizes:
        raise NotAllowed("The doom pool holds no d4: its dice are d6 to d12. Example: d6")
    check_count(len(sizes))
    before = dice(table)
    after = replace(table, doom=dict(sorted(Counter(sizes).items())))
    return Step(after, (PoolChanged(NAME, before, tuple(sorted(sizes)), how, why),))


def grown(table: Table, sizes: tuple[int, ...], why: str = "") -> Step:
    """Dice join the doom pool (M7)."""
    return with_dice(table, (*dice(table), *sizes), f"{write(sizes)} added", why)


def lost(table: Table, sizes: tuple[int, ...], how: str = "removed", why: str = "") -> Step:
    """Dice leave the doom pool. Raises NotAllowed when it has no such dice."""
    left = Counter(dice(table))
    left.subtract(sizes)
    if min(left.values(), default=0) < 0:
        raise _has_no(table, write(sizes))
    return with_dice(table, tuple(left.elements()), f"{write(sizes)} {how}", why)


def stepped_up_once(table: Table, size: int) -> Step:
    """One doom die steps up; a d12 does what the setting says (D5, M1)."""
    after = step_up_pool(dice(table), size, table.ruleset.step_up_d12)
    return with_dice(table, after, f"d{size} stepped up")


def add(table: Table, actor: Actor, pool: str, why: str = "") -> Step:
    """The GM adds dice (M8)."""
    _may(table, actor, "add doom dice")
    return grown(table, read_dice(pool), remark(why))


def remove(table: Table, actor: Actor, pool: str) -> Step:
    """The GM removes dice (M8)."""
    _may(table, actor, "remove doom dice")
    return lost(table, read_dice(pool))


def step_up(table: Table, actor: Actor, die: str | None = None, steps: int = 1) -> Step:
    """The GM steps up a die, the smallest where none is named (M8)."""
    _may(table, actor, "step up doom dice")
    first = size = _named(table, die, smallest=True)
    _check_steps(steps)
    sizes = dice(table)
    for _ in range(steps):
        sizes = step_up_pool(sizes, size, table.ruleset.step_up_d12)
        size = up(size)
    return with_dice(table, sizes, f"d{first} stepped up{_times(steps)}")


def step_down(table: Table, actor: Actor, die: str | None = None, steps: int = 1) -> Step:
    """The GM steps down a die, the largest where none is named; at d4 it is gone (M1, M8)."""
    _may(table, actor, "step down doom dice")
    first = size = _named(table, die, smallest=False)
    _check_steps(steps)
    left = list(dice(table))
    left.remove(size)
    for _ in range(steps):
        size = down(size) if size > SIZES[0] else 0
    after = (*left, size) if size > SIZES[0] else tuple(left)
    return with_dice(table, after, f"d{first} stepped down{_times(steps)}")


def put(table: Table, actor: Actor, pool: str) -> Step:
    """The GM sets the whole pool (M8)."""
    _may(table, actor, "set the doom pool")
    return with_dice(table, read_dice(pool), "set")


def clear(table: Table, actor: Actor) -> Step:
    """The GM empties the pool (M8)."""
    _may(table, actor, "clear the doom pool")
    return with_dice(table, (), "cleared")


def _may(table: Table, actor: Actor, what: str) -> None:
    require_gm(table, actor, what)
    require_on(table)


def _named(table: Table, die: str | None, *, smallest: bool) -> int:
    sizes = dice(table)
    if not sizes:
        raise NotAllowed("The doom pool is empty. Example: /doom add dice:2d6")
    size = size_of(die) if die else (min if smallest else max)(sizes)
    if size not in sizes:
        raise _has_no(table, f"d{size}")
    return size


def _has_no(table: Table, wanted: str) -> NotAllowed:
    """The refusal of dice that the pool does not hold, with what it holds."""
    sizes = dice(table)
    example = f"d{sizes[0]}" if sizes else "/doom add dice:2d6"
    return NotAllowed(f"The doom pool has no {wanted}. Doom pool: {write(sizes)}. Example: {example}")


def _times(steps: int) -> str:
    return f" {steps} times" if steps > 1 else ""


def _check_steps(steps: int) -> None:
    if not 1 <= steps <= 5:
        raise NotAllowed(f"{steps} steps are not possible. Steps go from 1 to 5. Example: 1")
