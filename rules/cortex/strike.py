"""An effect die used on what it was rolled against: crises, challenges, mobs, bosses (K3, L3, B1, B2)."""

from collections import Counter
from dataclasses import replace

from rules.cortex import boss, gm_pools, outcome
from rules.cortex.apply import closed, open_effects, require_effect, require_effective, used_up
from rules.cortex.hitches import TROUBLE
from rules.cortex.roll import done_by, find, roller_seat
from rules.cortex.traits import gained
from rules.dice import size_of, write
from rules.errors import NotAllowed
from rules.result import Step
from rules.seats import Actor
from rules.table import Foe, Kind, Rank, Roll, Table, Target


def target_of(table: Table, roll: Roll) -> Target | None:
    """What an effect die of a roll hits by one press: what it was rolled against and beat."""
    how = outcome.verdict(roll)
    target = None if roll.against is None else roll.against.target
    if how is None or how.result is outcome.Result.FAILURE or target is None or roll.recovery is not None:
        return None
    if not gm_pools.is_there(table, target) or not gm_pools.is_on(table, target.foe):
        return None
    if target.foe is Foe.GMC and table.characters[target.key].rank not in (Rank.BOSS, Rank.MOB):
        return None
    return target if sizes(table, roll, target) else None


def sizes(table: Table, roll: Roll, target: Target) -> tuple[int, ...]:
    """The sizes that an effect die may hit, the largest first: not what this roll has hit already (K3)."""
    held = Counter(gm_pools.dice(table, target))
    if not is_boss(table, target):
        held -= Counter(roll.struck)
    return tuple(sorted(held, reverse=True))


def is_boss(table: Table, target: Target) -> bool:
    """Whether it is a boss, whom effects hit as complications and stress (B1)."""
    return target.foe is Foe.GMC and boss.is_boss(table, target.key)


def is_direct(table: Table, roll: Roll, place: int) -> bool:
    """Whether an effect die has but one thing to hit, so that a press does it at once."""
    target = target_of(table, roll)
    if target is None or all(effect.place != place for effect in open_effects(table, roll)):
        return False
    return is_boss(table, target) or len(sizes(table, roll, target)) == 1


def strike(table: Table, actor: Actor, number: int, place: int, die: str | None = None) -> Step:
    """An effect die hits a die of what it was rolled against, or the boss (K3, L3, B1, B2)."""
    roll = find(table, number)
    require_effective(table, actor, roll)
    effect = require_effect(table, roll, place)
    target = target_of(table, roll)
    if target is None:
        raise NotAllowed("There is nothing left that this effect die could hit.")
    if not roll.gm:
        table, _ = roller_seat(table, roll)
    used = done_by(used_up(roll, effect, table), "effect", actor)
    if is_boss(table, target):
        label = label_on(table, target.key)
        return closed(gained(table, target.key, Kind.COMPLICATION, label, effect.size), used)
    size = _hit(table, roll, target, die)
    is_past = bool(effect.past)
    fallen = gm_pools.fallen_to(size, effect.size, is_past=is_past)
    left = (*roll.struck, fallen) if fallen else roll.struck
    hit = gm_pools.struck(table, target, size, effect.size, is_past=is_past)
    return closed(hit, replace(used, struck=left))


def label_on(table: Table, who: str) -> str:
    """The label under which effects gather on a boss: its largest complication's, else the usual (B1)."""
    held = table.characters[who].complications.values()
    return max(held, key=lambda trait: trait.die).label if held else TROUBLE


def _hit(table: Table, roll: Roll, target: Target, die: str | None) -> int:
    """The size of the die that is hit. Raises NotAllowed where it has to be chosen, or is not there."""
    there = sizes(table, roll, target)
    if die is None and len(there) == 1:
        return there[0]
    size = size_of(die) if die else 0
    if size not in there:
        name = gm_pools.title(table, target)
        raise NotAllowed(
            "Say which die of {name} it hits. There is {there}. Example: d{die}",
            name=name,
            there=write(there),
            die=there[0],
        )
    return size
