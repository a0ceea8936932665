"""Bosses: dice of one size that go one by one, as what hits them exceeds them (B1)."""

from rules.cortex.state.causes import Change
from rules.cortex.state.kinds import TROUBLE, Foe, Kind, Rank, Target
from rules.cortex.state.part import CORTEX
from rules.cortex.traits import gm_pools
from rules.kinds import SCENE
from rules.result import Step
from rules.table import Table


def is_boss(table: Table, who: str) -> bool:
    """Whether they are a boss that has dice left."""
    if who == SCENE:
        return False
    character = table.characters[who]
    own = CORTEX.has(character)
    return own.rank is Rank.BOSS and bool(own.pool)


def is_exceeded(table: Table, who: str, kind: Kind, die: int, past: bool = False) -> bool:
    """Whether a trait of that size, or one stepped up past d12, exceeds the boss die (B1)."""
    return (
        kind in TROUBLE
        and is_boss(table, who)
        and (past or die > max(CORTEX.has(table.characters[who]).pool))
    )


def knocked(table: Table, who: str) -> Step:
    """A boss die goes; without any the boss is defeated (B1)."""
    size = max(CORTEX.has(table.characters[who]).pool)
    return gm_pools.lost(table, Target(Foe.GMC, who), (size,), Change.KNOCKED_OFF)
