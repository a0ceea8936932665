"""An effect die used on what it was rolled against: crises, challenges, mobs, bosses (K3, L3, B1, B2)."""

from collections import Counter

from rules.cortex.notation.tokens import one_die
from rules.cortex.rolling.roll import done_by, find, roller_seat
from rules.cortex.state.effects import Effect
from rules.cortex.state.in_force import come_to
from rules.cortex.state.kinds import RANKS, Foe, Kind, Target
from rules.cortex.state.outcome import Outcome
from rules.cortex.state.part import CORTEX, ladder
from rules.cortex.state.table import Roll
from rules.cortex.tools.apply import (
    closed,
    has_past,
    open_effects,
    require_effect,
    require_effective,
    used_up,
)
from rules.cortex.tools.hitches import TROUBLE
from rules.cortex.traits import boss, gm_pools
from rules.cortex.traits.traits import gained, knocked
from rules.dice import up, with_those, write
from rules.errors import NotAllowed
from rules.kinds import key
from rules.result import Step
from rules.seats import Actor
from rules.table import Character, Table
from rules.values import replace


def target_of(table: Table, came: Outcome) -> Target | None:
    """What an effect die of a roll hits by one press: what it was rolled against and beat."""
    roll = came.roll
    target = None if roll.against is None else roll.against.target
    if came.verdict is None or came.is_failed or target is None or roll.recovery is not None:
        return None
    if not gm_pools.is_there(table, target) or not gm_pools.is_on(table, target.foe):
        return None
    if target.foe is Foe.GMC and not _has_pool(table.characters[target.key]):
        return None
    return target if sizes(table, roll, target) else None


def _has_pool(gmc: Character) -> bool:
    """Whether a GMC has dice that an effect takes away (B1, B2)."""
    own = CORTEX.has(gmc)
    return own.rank is not None and RANKS[own.rank].has_pool


def sizes(table: Table, roll: Roll, target: Target) -> tuple[int, ...]:
    """The sizes that an effect die may hit, the largest first: not what this roll has hit already (K3)."""
    held = Counter(gm_pools.dice(table, target))
    if not is_boss(table, target):
        held -= Counter(roll.struck)
    return tuple(sorted(held, reverse=True))


def is_boss(table: Table, target: Target) -> bool:
    """Whether it is a boss, whom effects hit as complications and stress (B1)."""
    return target.foe is Foe.GMC and boss.is_boss(table, target.key)


def is_direct(table: Table, came: Outcome, place: int) -> bool:
    """Whether an effect die has but one thing to hit, so that a press does it at once."""
    target = target_of(table, came)
    if target is None or all(effect.place != place for effect in open_effects(table, came)):
        return False
    return is_boss(table, target) or len(sizes(table, came.roll, target)) == 1


def strike(table: Table, actor: Actor, number: int, place: int, die: str | None = None) -> Step:
    """An effect die hits a die of what it was rolled against, or the boss (K3, L3, B1, B2)."""
    roll = find(table, number)
    came = come_to(table, roll)
    require_effective(table, actor, came)
    effect = require_effect(table, came, place)
    target = target_of(table, came)
    if target is None:
        raise NotAllowed("There's nothing left for this effect die to hit.")
    if not roll.gm:
        table, _ = roller_seat(table, roll)
    used = done_by(used_up(roll, effect), "effect", actor)
    if is_boss(table, target):
        label = label_on(table, target.key)
        if is_past(came, effect, max(CORTEX.has(table.characters[target.key]).pool)):
            old = CORTEX.has(table.characters[target.key]).complications.get(key(label))
            step = knocked(table, target.key, Kind.COMPLICATION, old)
            return closed(step, replace(used, outs=roll.outs + 1))
        return closed(gained(table, target.key, Kind.COMPLICATION, label, effect.size), used)
    size = _hit(table, roll, target, die)
    is_beyond = is_past(came, effect, size)
    fallen = gm_pools.fallen_to(size, effect.size, ladder(table), is_past=is_beyond)
    left = (*roll.struck, fallen) if fallen else roll.struck
    hit = gm_pools.struck(table, target, size, effect.size, is_past=is_beyond)
    return closed(hit, replace(used, struck=left, outs=roll.outs + is_beyond))


def is_past(came: Outcome, effect: Effect, size: int) -> bool:
    """Whether a step past d12 takes a d12 away, and is used up by it (K3, B1)."""
    return size >= came.rules.sizes[-1] and has_past(came, effect)


def takes_last_size(table: Table, came: Outcome, effect: Effect, target: Target) -> bool:
    """Whether a press takes a d12 away by a step past d12, as there is nothing else to hit (K3)."""
    there = sizes(table, came.roll, target)
    return not is_boss(table, target) and len(there) == 1 and is_past(came, effect, there[0])


def takes_die(table: Table, came: Outcome, effect: Effect, target: Target) -> bool:
    """Whether an effect die takes a boss die, rather than to be a complication of the boss (B1)."""
    if not is_boss(table, target):
        return False
    held = table.characters[target.key]
    own = CORTEX.has(held)
    old = own.complications.get(key(label_on(table, target.key)))
    # As it would come: under the same label a larger one replaces, any other is a step (C3).
    size = effect.size if old is None or effect.size > old.die else up(old.die, 1, ladder(table))
    is_over = old is not None and effect.size <= old.die and old.die >= ladder(table)[-1]
    return is_over or size > max(own.pool) or is_past(came, effect, max(own.pool))


def label_on(table: Table, who: str) -> str:
    """The label under which effects gather on a boss: its largest complication's, else the usual (B1)."""
    held = CORTEX.has(table.characters[who]).complications.values()
    return max(held, key=lambda trait: trait.die).label if held else TROUBLE


def _hit(table: Table, roll: Roll, target: Target, die: str | None) -> int:
    """The size of the die that is hit. Raises NotAllowed where it has to be chosen, or is not there."""
    there = sizes(table, roll, target)
    if die is None and len(there) == 1:
        return there[0]
    size = one_die(die, with_those(ladder(table), there)) if die else 0
    if size not in there:
        raise NotAllowed(
            "Choose a die of {name} to hit. It has {there}.",
            name=gm_pools.titled(table, target),
            there=write(there),
        )
    return size
