"""Crisis pools: create them from doom dice or from nothing, and add dice to them (K1 to K4)."""

import re
from collections import Counter
from functools import lru_cache

from rules.campaign.characters import new_name
from rules.campaign.seats import RESERVED, Actor, require_gm
from rules.cortex import gm_pools
from rules.cortex.facts import Called, Change, PoolChanged
from rules.cortex.gm_pools import DOOM, MOST_POOLS, find_pool
from rules.cortex.kinds import Foe
from rules.cortex.model import CORTEX, Crisis, ladder
from rules.cortex.pool_text import read_dice
from rules.cortex.pool_words import DIFFICULTIES
from rules.dice import SIZES, Ladder, check_count, write_dice
from rules.errors import NotAllowed
from rules.game import Step
from rules.names import fold, key
from rules.table import Table
from rules.text import Words
from rules.values import replace

_NO_NAMES = (*RESERVED, *DIFFICULTIES)


_TITLES = ("crisis ", "challenge ")


_DICE = re.compile("[-0-9d ,;]*[0-9]")


def new(
    table: Table,
    actor: Actor,
    name: str,
    dice: str | None = None,
    from_doom: str | None = None,
    into: str | None = None,
) -> Step:
    """Create a crisis from nothing, or from doom dice that leave the doom pool in the same step (K1, K2).

    Raises NotAllowed for anybody but the GM, for too many crises or dice, for doom dice that are not
    there or cannot become these, and without dice; SettingOff if crises, or doom, are off.
    """
    require_gm(table, actor, Words("make {crisis.a}"))
    gm_pools.require_on(table, Foe.CRISIS)
    label = new_name(table, name)
    if len(CORTEX.of(table).crises) >= MOST_POOLS:
        raise NotAllowed(
            "A table can have at most {most_pools} {crisis.many}. End one first.", most_pools=MOST_POOLS
        )
    step, sizes = _made_of(table, actor, dice, from_doom, into)
    check_count(len(sizes))
    crisis = Crisis(label, gm_pools.count_sizes(sizes))
    crises = {**CORTEX.of(step.table).crises, key(label): crisis}
    made = PoolChanged(Called(Foe.CRISIS, label), (), tuple(sorted(sizes)), Change.NEW)
    return step.then(Step(CORTEX.put(step.table, replace(CORTEX.of(step.table), crises=crises)), (made,)))


def add(
    table: Table,
    actor: Actor,
    dice: str | None = None,
    name: str | None = None,
    from_doom: str | None = None,
    into: str | None = None,
) -> Step:
    """Add dice to a crisis, from nothing or from the doom pool (K1, K2).

    Raises NotAllowed for anybody but the GM, without dice, and for doom dice that are not there or
    cannot become these; Unknown if there is no such crisis.
    """
    require_gm(table, actor, Words("add {crisis.one} dice"))
    pool = find_pool(table, Foe.CRISIS, name)
    step, sizes = _made_of(table, actor, dice, from_doom, into)
    return step.then(gm_pools.add_dice(step.table, pool, sizes))


def has_meaning(label: str) -> bool:
    """Return whether a name already means something as an opposition, so that no pool can have it.

    >>> has_meaning("hard"), has_meaning("Doom"), has_meaning("2d8"), has_meaning("crisis Fire")
    (True, True, True, True)
    >>> has_meaning("Fire + Flood")
    True
    >>> has_meaning("Fire")
    False
    """
    word = fold(label)
    is_other = word in _NO_NAMES or word.startswith(_TITLES)
    return is_other or "+" in label or _DICE.fullmatch(word) is not None


def _made_of(
    table: Table, actor: Actor, dice: str | None, from_doom: str | None, into: str | None
) -> tuple[Step, tuple[int, ...]]:
    """Dice for a crisis, and what their making does to doom (K1, K2)."""
    if from_doom and from_doom.strip():
        if dice and dice.strip():
            raise NotAllowed("Use either dice or from_doom, not both.")
        gm_pools.require_on(table, Foe.DOOM)
        taken = gm_pools.those_of(table, DOOM, from_doom, actor.agreed)
        sizes = gm_pools.those_of(table, DOOM, into, actor.agreed) if into and into.strip() else taken
        if not can_become(taken, sizes, ladder(table)):
            raise NotAllowed(
                "{taken} can't become {sizes}. Keep a die, split it into two a step smaller, or combine "
                "two into one a step larger. Example: from_doom:2d6 into:d8",
                taken=write_dice(taken),
                sizes=write_dice(sizes),
            )
        return gm_pools.remove_dice(table, DOOM, taken, Change.TO_CRISIS), sizes
    if into and into.strip():
        raise NotAllowed(
            "The option into says what {doom_pool.short} dice become, so it needs from_doom. Example: "
            "from_doom:2d6 into:d8"
        )
    if not dice or not dice.strip():
        raise NotAllowed("Choose dice. Example: dice:2d8, or from_doom:2d6 into:d8")
    return Step(table, ()), read_dice(dice, CORTEX.of(table).ruleset, actor.agreed)


def can_become(before: tuple[int, ...], after: tuple[int, ...], sizes: Ladder = SIZES) -> bool:
    """Return whether doom dice can become these: each stays, is split, or is combined, at most once (K2).

    Two dice of a size combine into one a step larger; one die splits into two a step smaller.

    >>> can_become((6, 6), (8,))
    True
    >>> can_become((8,), (6, 6))
    True
    >>> can_become((6, 8), (6, 8))
    True
    >>> can_become((6, 6), (10,))
    False
    >>> can_become((6, 6, 8), (10,))
    False
    """
    there = tuple(sorted({*sizes, *before, *after}, reverse=True))
    return _can_become(_falling(before, there), _falling(after, there))


@lru_cache(maxsize=4096)
def _can_become(
    before: tuple[int, ...], after: tuple[int, ...], joined: int = 0, split: int = 0, partners: int = 0
) -> bool:
    """The same for how many dice there are of each size, the largest first, one size after the other.

    Of the first size, `joined` are the larger of two that combine, and `split` come from splitting larger
    ones; `partners` are the dice that combining ones above still want.
    """
    if not before:
        return not joined and not partners
    free, wanted = before[0] - joined, partners + joined
    is_least = len(before) == 1
    for halved in range(0 if is_least else free, -1, -1):
        for given in range(min(wanted, free - halved) + 1):
            below = after[0] - split - (free - halved - given)
            fits = 0 <= below <= (before[1] if not is_least else 0)
            if fits and _can_become(before[1:], after[1:], below, 2 * halved, wanted - given):
                return True
    return False


def _falling(sizes: tuple[int, ...], there: Ladder) -> tuple[int, ...]:
    """How many dice of each size, the largest size first."""
    counts = Counter(sizes)
    return tuple(counts[size] for size in there)
