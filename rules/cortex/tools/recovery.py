"""A roll to lose a trait that harms: what comes of it (T5)."""

from rules.cortex.rolling.gather import pooled, typed_roll
from rules.cortex.rolling.opposition import thrown
from rules.cortex.rolling.roll import (
    as_out,
    done_by,
    find,
    placed,
    too_late,
)
from rules.cortex.state.in_force import come_to
from rules.cortex.state.kinds import Kind, Trait
from rules.cortex.state.outcome import Outcome
from rules.cortex.state.part import CORTEX, with_traits
from rules.cortex.state.pool import SOURCES, Die
from rules.cortex.state.rating import dice_of
from rules.cortex.state.table import Recovery, Roll
from rules.cortex.tools.apply import closed, hitches, resistance, spent_ones
from rules.cortex.tools.effect_roll import can_roll
from rules.cortex.traits.finding import find_trait, require_meant, worded, wording
from rules.cortex.traits.scars import are_kept, require_in_play
from rules.cortex.traits.traits import removed, stepped_down, stepped_up
from rules.dice import Throw
from rules.errors import NotAllowed
from rules.kinds import SCENE
from rules.result import Step
from rules.roller import require_roller, roller
from rules.seats import Actor, is_gm
from rules.table import Table
from rules.values import replace
from rules.words import Words


def recover(
    table: Table,
    actor: Actor,
    throw: Throw,
    kinds: tuple[Kind, ...],
    what: str,
    dice: str,
    vs: str | None = None,
    who: str | None = None,
) -> Step:
    """Roll to lose a complication or stress, one's own or somebody else's (T5)."""
    owner, label, kind = found = find_trait(table, actor, kinds, what, who)
    require_meant(table, actor, found, what, who)
    held = table.owner(owner)
    trait = CORTEX.has(held).traits(kind)[label]
    if kind is Kind.TRAUMA:
        require_in_play(table, held, Words("recovery"))
    if trait.barred:
        raise NotAllowed(
            "Someone has already tried to recover {wording}. Wait for the next {scene.one}.",
            wording=worded(held.name, kind, trait),
        )
    goal = Recovery(owner, kind, label, wording(held.name, kind, trait).removesuffix(f" {dice_of(trait)}"))
    _require_none_open(table, goal)
    before, (name, gm) = table, roller(table, actor, None)
    typed = typed_roll(table, actor, dice, name)
    vs = typed.against(vs)
    reading, facts, table = pooled(table, actor, typed, None, name, gm=gm)
    hand = thrown(reading.pool, reading.keep or 2, table, throw, reading.beside, reading.plus)
    opposing = resistance(table, actor, throw, Die(trait.die, trait.label, SOURCES[kind]), vs)
    roll = as_out(before, actor, Roll(table.number + 1, actor.id, name, hand, gm=gm, against=opposing))
    return placed(table, replace(roll, recovery=goal), reading.text, facts)


def apply_recovery(table: Table, actor: Actor, number: int) -> Step:
    """Do what a recovery roll came to: gone, stepped down, or stepped up by its hitches (T5)."""
    roll = find(table, number)
    if not is_gm(table, actor):
        require_roller(table, actor, roll)
    goal, came = roll.recovery, come_to(table, roll)
    if goal is None or not can_recover(table, came):
        raise too_late(roll, "effect", Words("That roll has nothing left to recover."))
    return _recovered(table, replace(came, roll=done_by(roll, "effect", actor)), goal)


def recovery_of(table: Table, came: Outcome) -> tuple[Trait, Trait | None] | None:
    """The trait that a recovery is about, and what it comes to; None where it is gone, or nothing is (T5)."""
    goal = came.roll.recovery
    if goal is None or not can_recover(table, came):
        return None
    before = CORTEX.has(table.owner(goal.owner)).traits(goal.kind)[goal.trait]
    after = _recovered(table, came, goal).table
    return before, CORTEX.has(after.owner(goal.owner)).traits(goal.kind).get(goal.trait)


def recoveries_applied(table: Table) -> Step:
    """All that recovery rolls still have to do, done in the order they were rolled (T5)."""
    step = Step(table, ())
    for number in sorted(CORTEX.of(table).rolls):
        roll = CORTEX.of(step.table).rolls[number]
        if roll.recovery is not None and can_recover(step.table, came := come_to(step.table, roll)):
            step = step.then(_recovered(step.table, came, roll.recovery))
    return step


def _require_none_open(table: Table, goal: Recovery) -> None:
    """Refuse to recover a trait a second time while a roll for it waits to be applied (T5)."""
    for roll in CORTEX.of(table).rolls.values():
        if _is_of(roll.recovery, goal) and can_recover(table, come_to(table, roll)):
            owner = table.owner(goal.owner)
            trait = CORTEX.has(owner).traits(goal.kind)[goal.trait]
            said = worded(owner.name, goal.kind, trait)
            if can_roll(come_to(table, roll)):
                raise NotAllowed(
                    "{roll} has already rolled to recover {wording}. Press Roll effect on that roll first.",
                    roll=roll.who,
                    wording=said,
                )
            raise NotAllowed(
                "{roll} has already rolled to recover {wording}. Press Apply on that roll first.",
                roll=roll.who,
                wording=said,
            )


def _is_of(one: Recovery | None, other: Recovery) -> bool:
    """Whether both are about the same trait."""
    return one is not None and replace(one, said=other.said) == other


def _recovered(table: Table, came: Outcome, goal: Recovery) -> Step:
    """What a recovery roll came to: gone, stepped down, or stepped up by its hitches (T5, N4)."""
    trait = CORTEX.has(table.owner(goal.owner)).traits(goal.kind)[goal.trait]
    roll, effects = came.roll, came.effects
    if is_failed_recovery(came):
        ones = hitches(roll)
        step = stepped_up(table, goal.owner, goal.kind, goal.trait, len(ones))
        return closed(step, replace(spent_ones(roll, ones), applied=(0,)))
    done = replace(roll, applied=tuple(effect.place for effect in effects) or (0,))
    # Without any effect it is as with one that is not larger (N10).
    is_larger = bool(effects) and (effects[0].size > trait.die or effects[0].past > 0)
    if is_larger and not are_kept(table, goal.kind):
        return closed(removed(table, goal.owner, goal.kind, goal.trait), done)
    step = stepped_down(table, goal.owner, goal.kind, goal.trait)
    left = CORTEX.has(step.table.owner(goal.owner)).traits(goal.kind).get(goal.trait)
    if left is not None:
        owner = step.table.owner(goal.owner)
        traits = {**CORTEX.has(owner).traits(goal.kind), goal.trait: replace(left, barred=True)}
        step = Step(step.table.with_owner(goal.owner, with_traits(owner, goal.kind, traits)), step.facts)
    return closed(step, done)


def can_recover(table: Table, came: Outcome) -> bool:
    """Whether a recovery roll still has something to do."""
    roll, goal = came.roll, came.roll.recovery
    if goal is None or roll.applied or (goal.owner != SCENE and goal.owner not in table.characters):
        return False
    is_there = goal.trait in CORTEX.has(table.owner(goal.owner)).traits(goal.kind)
    return is_there and bool(hitches(roll) or not is_failed_recovery(came))


def is_failed_recovery(came: Outcome) -> bool:
    """Whether a recovery did not beat what opposed it, so that its hitches step the trait up (T5)."""
    return came.roll.recovery is not None and came.is_failed
