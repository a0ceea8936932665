"""Use an effect die on a trait, doom, a crisis or a boss, or to recover (R7, C3, C4, K3, M7, T5, T6)."""

from collections import Counter

from rules.campaign.rolls import find_roller, require_roller
from rules.campaign.seats import (
    Actor,
    expand_groups,
    is_game_master,
    is_gm,
    owner_of,
    require_character,
    require_gm,
)
from rules.cortex import gm_pools, outcome, push_and_challenge
from rules.cortex.facts import Over, RollChanged
from rules.cortex.kinds import HARMFUL, RANKS, Foe, Target, Trait, TraitKind
from rules.cortex.model import CORTEX, Against, Recovery, Roll, ladder, with_traits
from rules.cortex.opposition import besides, doom_pool, laid, modified, rolled, thrown, versus_of
from rules.cortex.outcome import Effect, Outcome
from rules.cortex.pool import SOURCES, Die, dice_of
from rules.cortex.pool_resolver import pooled, typed_roll
from rules.cortex.pool_text import Versus
from rules.cortex.roll import (
    can_roll,
    change_roll,
    check_open,
    done_by,
    find,
    mark_taken_out,
    placed,
    roller_seat,
    too_late,
    with_roll,
)
from rules.cortex.roll_status import is_decided, resolve
from rules.cortex.ruleset import Opposition
from rules.cortex.tokens import one_die
from rules.cortex.trait_lookup import TROUBLE, find_trait, new_label, owners, require_meant, worded, wording
from rules.cortex.traits import (
    are_kept,
    gained,
    knocked,
    removed,
    require_in_play,
    stepped_down,
    stepped_up,
    taken_out,
)
from rules.dice import Throw, up, with_those, write_dice
from rules.errors import NotAllowed, TooLate
from rules.game import Step
from rules.names import SCENE, get_named, key, key_in, one_of
from rules.table import Character, Table
from rules.text import Words, counted
from rules.values import replace


def open_effects(table: Table, came: Outcome) -> list[Effect]:
    """Return a roll's effect dice that are still unused, after R7's steps; in a contest the winner's."""
    roll = came.roll
    if roll.contest and not is_decided(table, roll):
        return []
    if _is_met(table, came):
        return []
    return [effect for effect in came.effects if effect.place not in roll.applied]


def _is_met(table: Table, came: Outcome) -> bool:
    """Whether the effect of a roll counts no more: it was beaten, or is used on the roll it met (T6)."""
    here = CORTEX.of(table)
    roll = came.roll
    if roll.gm and roll.against is None:
        met = [each for each in here.rolls.values() if each.against and each.against.roll == roll.number]
        if any(not table.characters[who].gmc for who in map(key, roll.on) if who in table.characters):
            return True  # an action does what its reactions come to
        if met and came.rules.resisting_effect:
            return True
        beaten = {each.who for each in met if not outcome.is_failed(each)}
        # By everybody whom it is on; where it is on nobody, by whoever has beaten it.
        return bool(beaten) and beaten >= set(roll.on or beaten)
    number = roll.against.roll if roll.against is not None else 0
    first = here.rolls.get(number)
    return came.is_opposed and not roll.contest and first is not None and bool(first.applied)


def step_shares(table: Table, came: Outcome) -> tuple[tuple[int, ...], ...]:
    """Return the ways to share R7's steps among a roll's effect dice, best first; () if closed (R3)."""
    return () if came.roll.applied or not open_effects(table, came) else came.shares


def share_steps(table: Table, actor: Actor, number: int, share: tuple[int, ...]) -> Step:
    """Choose how many of R7's steps go to each effect die (R3).

    Raises NotAllowed for anybody whose effect it is not; TooLate if the dice have changed since.
    """
    roll = find(table, number)
    came = resolve(table, roll)
    require_effective(table, actor, came)
    check_open(roll)
    if share not in step_shares(table, came):
        raise TooLate("You can't share those steps like that any more: the dice of that roll have changed.")
    return change_roll(table, replace(roll, steps_to=share))


def require_effective(table: Table, actor: Actor, came: Outcome) -> None:
    """Raise NotAllowed for anybody who does not play the side whose effect counts (T6)."""
    if came.is_opposed:
        won = winner(table, came.roll)
        if won is None:
            require_gm(table, actor, Words("use the opposition's effect"))
        else:
            require_character(table, actor, won, Words("use the effect"))
    else:
        require_roller(table, actor, came.roll)


def apply(
    table: Table,
    actor: Actor,
    number: int,
    place: int,
    kind: TraitKind,
    what: str,
    on: str | None = None,
) -> Step:
    """Use an effect die to make a trait of its size, or to step up an existing one (R7, C3).

    `on` names the owner; empty means whoever the effect most likely hits. Raises NotAllowed for anybody
    whose effect it is not, and for a trait that the effect cannot give; TooLate if the die has been used.
    """
    roll = find(table, number)
    came = resolve(table, roll)
    require_effective(table, actor, came)
    effect = require_effect(table, came, place)
    if is_of_challenge(came) and kind not in HARMFUL:
        raise NotAllowed("{challenge.A} can only give {stress.one} or {complication.a}.")
    table, owner = _hit(table, actor, came, kind, on)
    _require_beaten(table, actor, roll, owner, kind)
    step = gained(table, owner, kind, _label(table, owner, kind, what), effect.size)
    return closed(step, done_by(used_up(roll, effect), "effect", actor))


def take_out(
    table: Table,
    actor: Actor,
    number: int,
    place: int,
    kind: TraitKind,
    what: str,
    on: str | None = None,
) -> Step:
    """Take characters out by an effect's steps past d12, one step each; its die can still be used (R7).

    `on` names one character or several, with commas; empty means whoever the effect most likely hits. A
    boss loses a die instead (B1). Raises NotAllowed for anybody whose effect it is not, against a
    challenge, for more takeouts than steps are left, and for who is out already; TooLate if the effect
    has been used.
    """
    roll = find(table, number)
    came = resolve(table, roll)
    require_effective(table, actor, came)
    effect = require_effect(table, came, place)
    if not can_take_out(roll):
        raise NotAllowed("Against {challenge.a}, a step past d12 is one more effect die, not a takeout.")
    if not (effect.past or effect.is_further) or not takeouts_left(came):
        raise NotAllowed("This effect die can't take anyone out: it isn't stepped up past d12.")
    names = expand_groups(table, on or "") or [""]
    if len(names) > takeouts_left(came):
        left = counted(takeouts_left(came), "{count} takeout", "{count} takeouts")
        raise NotAllowed("That roll has {left} left. Choose fewer targets.", left=left)
    step = Step(table, ())
    for name in names:
        at, owner = _hit(step.table, actor, came, kind, name)
        if kind not in HARMFUL or owner == SCENE:
            raise NotAllowed("A takeout needs {complication.a} or {stress.one} on a character.")
        if CORTEX.has(at.owner(owner)).is_taken_out:
            raise NotAllowed("{who} is already taken out. Choose someone else.", who=at.owner(owner).name)
        _require_beaten(at, actor, roll, owner, kind)
        label = _label(at, owner, kind, what)
        old = get_named(CORTEX.has(at.owner(owner)).traits(kind), label)
        if gm_pools.is_boss(at, owner):
            step = Step(at, step.facts).then(knocked(at, owner, kind, old))
            continue
        step = Step(at, step.facts).then(gained(at, owner, kind, label, ladder(at)[-1]))
        traits = CORTEX.has(step.table.owner(owner)).traits(kind)
        if not traits[own := key_in(traits, label)].out:
            step = step.then(taken_out(step.table, owner, kind, own))
    return closed(step, done_by(taking_out(roll, len(names)), "effect", actor))


def _label(table: Table, owner: str, kind: TraitKind, what: str) -> str:
    """Return the label of what an effect makes; on a boss, unnamed effects gather under one (B1)."""
    gathers = kind is TraitKind.COMPLICATION and not what.strip() and gm_pools.is_boss(table, owner)
    return label_on(table, owner) if gathers else new_label(table, owner, kind, what)


def _require_beaten(table: Table, actor: Actor, roll: Roll, owner: str, kind: TraitKind) -> None:
    """Check that a player who harms a boss has rolled against something. Raises NotAllowed otherwise (B1)."""
    is_harmed = gm_pools.is_boss(table, owner) and kind in HARMFUL
    if is_harmed and roll.against is None and not is_gm(table, actor):
        raise NotAllowed(
            "You need to beat {name} first. Ask the {gm.one} to oppose your roll, or roll vs:{name}",
            name=table.owner(owner).name,
        )


def is_of_challenge(came: Outcome) -> bool:
    """Whether the effect is a challenge's, on somebody whom it beat (L3, L4)."""
    against = came.roll.against
    return came.is_opposed and against is not None and outcome.is_of_challenge(against)


def is_gm_side(table: Table, came: Outcome) -> bool:
    """Whether the effect is the GM's: from their own roll, or from an opposition that won (T6)."""
    return winner(table, came.roll) is None if came.is_opposed else came.roll.gm


def winner(table: Table, roll: Roll) -> Character | None:
    """Return the player's character on the other side of a roll's contest; None if there is none (T4)."""
    if not roll.contest or roll.against is None:
        return None
    character = table.characters.get(key(roll.against.label))
    return None if character is None or character.gmc else character


def concerned(table: Table, came: Outcome) -> str:
    """Return the name of whoever the effect most likely hits, empty if that is unclear (T6)."""
    roll = came.roll
    if roll.on:
        return roll.on[0]
    if roll.contest and roll.against is not None:
        return roll.who if came.is_opposed else roll.against.label
    return roll.who if not roll.gm and is_gm_side(table, came) else _aimed(table, roll)


def growable(table: Table, came: Outcome) -> list[tuple[Character, TraitKind, Trait]]:
    """Return the complications and assets that an effect can make larger, each with its owner (C3).

    Complications belong to the character whom the effect most likely hits, else to the other side and
    the scene; assets to the roller (for the GM's side every GMC) and the scene. A player's own assets
    come first while nobody is hit, complications otherwise. A trait that cannot grow is left out.
    """
    is_gms, hit, top = is_gm_side(table, came), concerned(table, came), ladder(table)[-1]
    assets: list[tuple[Character, TraitKind, Trait]] = []
    complications: list[tuple[Character, TraitKind, Trait]] = []
    for who, owner in owners(table):
        has = CORTEX.has(owner)
        is_own = who != SCENE and owner.gmc is is_gms
        if hit == owner.name or not (hit or is_own):
            complications += [
                (owner, TraitKind.COMPLICATION, trait)
                for trait in has.complications.values()
                if who != SCENE or trait.die < top
            ]
        is_rollers = who == SCENE or key(owner.name) == key(came.roll.who) or (is_gms and is_own)
        if is_rollers and not is_of_challenge(came):
            assets += [(owner, TraitKind.ASSET, trait) for trait in has.assets.values() if trait.die < top]
    return [*complications, *assets] if is_gms or hit else [*assets, *complications]


def _aimed(table: Table, roll: Roll) -> str:
    """The GMC that a roll was against, whom its effect most likely hits (T6)."""
    target = None if roll.gm or roll.against is None else roll.against.target
    is_gmc = target is not None and target.foe is Foe.GMC and gm_pools.is_there(table, target)
    return table.characters[target.key].name if target is not None and is_gmc else ""


def _hit(table: Table, actor: Actor, came: Outcome, kind: TraitKind, on: str | None) -> tuple[Table, str]:
    """Whose an effect becomes: as typed, else the roller's for an asset, else whom it concerns (T6)."""
    roll, is_gm_effect = came.roll, is_gm_side(table, came)
    if on and on.strip():
        return owner_of(table, actor, on, scene=kind is not TraitKind.STRESS)
    if kind is TraitKind.ASSET:
        won = winner(table, roll) if came.is_opposed else None
        if won is not None:
            return table, key(won.name)
        if not is_gm_effect:
            return roller_seat(table, roll)
        is_gmc = (
            roll.target is not None and roll.target.foe is Foe.GMC and gm_pools.is_there(table, roll.target)
        )
        return table, roll.target.key if roll.target is not None and is_gmc else SCENE
    hit = concerned(table, came)
    if not is_gm_effect and not is_game_master(table, actor) and not hit:
        raise NotAllowed("Choose a target. Try {others}.", others=one_of(_others(table, roll)))
    if not hit and kind is TraitKind.STRESS:
        raise NotAllowed(
            "{stress.One} can only affect a character. Try {others}.",
            others=one_of(_others(table, roll)),
        )
    return owner_of(table, actor, hit or SCENE, scene=kind is not TraitKind.STRESS)


def _others(table: Table, roll: Roll) -> list[object]:
    """Whom an effect can hit besides the roller."""
    people = [c.name for c in table.characters.values() if key(c.name) != key(roll.who)]
    return [*people[:9], Words("{scene.One}")]


def apply_to_doom(table: Table, actor: Actor, number: int, place: int) -> Step:
    """Move an effect die of a GM roll into the doom pool instead (M7).

    Raises NotAllowed for anybody but the GM, for a player's effect and for a challenge's; SettingOff if
    doom is off; TooLate if the die has been used.
    """
    require_gm(table, actor, Words("add {doom_pool.short} dice"))
    gm_pools.require_doom(table)
    roll = find(table, number)
    came = resolve(table, roll)
    if not is_gm_side(table, came) or is_of_challenge(came):
        raise NotAllowed(
            "Only effect dice from the {gm.one}'s rolls can join the {doom_pool.one}, not effect dice "
            "from {challenge.a}."
        )
    effect = require_effect(table, came, place)
    used = done_by(used_up(roll, effect), "effect", actor)
    return closed(gm_pools.add_doom_dice(table, (effect.size,)), used)


def hitches(roll: Roll) -> tuple[int, ...]:
    """Return the indices of a player's 1s that nobody has activated yet (H1)."""
    if roll.gm:
        return ()
    return tuple(place for place, die in enumerate(roll.hand.dice) if die.is_one and not die.used)


def spent_ones(roll: Roll, places: tuple[int, ...]) -> Roll:
    """Return the roll with these 1s activated (H1)."""
    dice = tuple(replace(die, used=die.used or n in places) for n, die in enumerate(roll.hand.dice))
    return replace(roll, hand=replace(roll.hand, dice=dice))


def require_effect(table: Table, came: Outcome, place: int) -> Effect:
    """Return the unused effect die at that index. Raises TooLate if it has been used."""
    roll, effect = came.roll, next((e for e in open_effects(table, came) if e.place == place), None)
    if roll.recovery is not None or effect is None:
        raise too_late(
            roll,
            "effect",
            Words("That effect die has already been used, or the roll has no effect dice left."),
        )
    return effect


def can_take_out(roll: Roll) -> bool:
    """Whether a step past d12 can be a takeout: not if the dice are a challenge's (R7, L3)."""
    against = roll.against
    return against is None or against.acts or not outcome.is_of_challenge(against)


def takeouts_left(came: Outcome) -> int:
    """Return how many steps past d12 are left, as no takeout and no further die has used them (R7)."""
    sizes, further = came.rules.sizes, [effect.place for effect in came.effects if effect.is_further]
    left = sum(effect.past for effect in came.effects) - came.roll.outs
    used = [n for n, place in enumerate(further, 1) if place in came.roll.applied]
    # A further die begins as a d6, which counts as a step, and the next one only once it is full.
    return max(0, left - max(used, default=0) * (len(sizes) - sizes.index(6)))


def has_past(came: Outcome, effect: Effect) -> bool:
    """Whether a step past d12 of that effect die is unused, as no further die has used it (R7)."""
    return effect.past > 0 and takeouts_left(came) > 0


def used_up(roll: Roll, effect: Effect) -> Roll:
    """Return the roll with that effect die marked as used."""
    return replace(roll, applied=(*roll.applied, effect.place))


def taking_out(roll: Roll, count: int) -> Roll:
    """Return the roll with so many of its steps past d12 used for takeouts (R7)."""
    marks = range(-roll.outs - 1, -roll.outs - 1 - count, -1)
    return replace(roll, applied=(*roll.applied, *marks), outs=roll.outs + count)


def closed(step: Step, roll: Roll) -> Step:
    """Return the step with the roll as its effect leaves it; after the last effect the roll closes.

    A crisis, challenge or boss that it ended names the roller.
    """
    if not roll.gm:
        facts = (replace(fact, by=roll.who) if isinstance(fact, Over) else fact for fact in step.facts)
        step = Step(step.table, tuple(facts))
    table = with_roll(step.table, roll)
    if (
        not roll.closing
        or not push_and_challenge.is_pending(roll)
        or open_effects(table, resolve(table, roll))
    ):
        return Step(table, (*step.facts, RollChanged(roll)))
    end = push_and_challenge.closed(table, roll)
    now = CORTEX.of(end.table).rolls[roll.number]
    return Step(end.table, (*step.facts, *end.facts, RollChanged(now)))


def resistance(table: Table, actor: Actor, throw: Throw, trait: Die, vs: str | None) -> Against:
    """Return what a recovery has to beat: a number or dice, with what `vs` adds or replaces (T5).

    Raises what reading `vs` raises.
    """
    here = CORTEX.of(table)
    typed = (vs or "").strip()
    versus = versus_of(table, typed) if typed else Versus()
    if versus.base:
        return laid(table, actor, versus, throw)
    label = f"{trait.label} d{trait.size}"
    if here.ruleset.opposition is Opposition.STATIC:
        base = laid(table, actor, replace(versus, base=str(8 + trait.size // 2)), throw)
        return replace(base, label=label)
    more = besides(table, actor, versus.more)
    if here.ruleset.opposition is Opposition.DOOM and here.ruleset.doom and here.doom:
        made = rolled((trait, *doom_pool(table)), f"{label} and doom", table, throw, more)
    else:
        made = rolled((trait, Die(8), Die(8)), label, table, throw, more)
    return modified(made, versus.plus) if versus.plus else made


def recover(
    table: Table,
    actor: Actor,
    throw: Throw,
    kinds: tuple[TraitKind, ...],
    what: str,
    dice: str,
    vs: str | None = None,
    who: str | None = None,
) -> Step:
    """Roll to recover a complication or stress, one's own or somebody else's (T5).

    Raises NotAllowed if it was tried already in this scene or a roll for it is still open; Unknown or
    Ambiguous if the trait is not clear; and what reading the dice raises.
    """
    owner, label, kind = found = find_trait(table, actor, kinds, what, who)
    require_meant(table, actor, found, what, who)
    held = table.owner(owner)
    trait = CORTEX.has(held).traits(kind)[label]
    if kind is TraitKind.TRAUMA:
        require_in_play(table, held, Words("recovery"))
    if trait.barred:
        raise NotAllowed(
            "Someone has already tried to recover {wording}. Wait for the next {scene.one}.",
            wording=worded(held.name, kind, trait),
        )
    goal = Recovery(owner, kind, label, wording(held.name, kind, trait).removesuffix(f" {dice_of(trait)}"))
    _require_none_open(table, goal)
    before, (name, gm) = table, find_roller(table, actor, None)
    typed = typed_roll(table, actor, dice, name)
    vs = typed.against(vs)
    reading, facts, table = pooled(table, actor, typed, None, name, gm=gm)
    hand = thrown(reading.pool, reading.keep or 2, table, throw, reading.beside, reading.plus)
    opposing = resistance(table, actor, throw, Die(trait.die, trait.label, SOURCES[kind]), vs)
    roll = mark_taken_out(
        before, actor, Roll(table.number + 1, actor.id, name, hand, gm=gm, against=opposing)
    )
    return placed(table, replace(roll, recovery=goal), reading.text, facts)


def apply_recovery(table: Table, actor: Actor, number: int) -> Step:
    """Apply a recovery roll: the trait goes, steps down, or is stepped up by hitches (T5).

    Raises NotAllowed for anybody but the roller and the GM; TooLate if nothing is left to recover.
    """
    roll = find(table, number)
    if not is_gm(table, actor):
        require_roller(table, actor, roll)
    goal, came = roll.recovery, resolve(table, roll)
    if goal is None or not can_recover(table, came):
        raise too_late(roll, "effect", Words("That roll has nothing left to recover."))
    return _recovered(table, replace(came, roll=done_by(roll, "effect", actor)), goal)


def recovery_of(table: Table, came: Outcome) -> tuple[Trait, Trait | None] | None:
    """Return the trait of a recovery, before and after it (None: removed); None if nothing is left (T5)."""
    goal = came.roll.recovery
    if goal is None or not can_recover(table, came):
        return None
    before = CORTEX.has(table.owner(goal.owner)).traits(goal.kind)[goal.trait]
    after = _recovered(table, came, goal).table
    return before, CORTEX.has(after.owner(goal.owner)).traits(goal.kind).get(goal.trait)


def recoveries_applied(table: Table) -> Step:
    """Apply all recovery rolls that are still open, in the order they were rolled (T5)."""
    step = Step(table, ())
    for _, roll in sorted(CORTEX.of(table).rolls.items()):
        if roll.recovery is not None and can_recover(step.table, came := resolve(step.table, roll)):
            step = step.then(_recovered(step.table, came, roll.recovery))
    return step


def _require_none_open(table: Table, goal: Recovery) -> None:
    """Refuse to recover a trait a second time while a roll for it waits to be applied (T5)."""
    for roll in CORTEX.of(table).rolls.values():
        if _is_of(roll.recovery, goal) and can_recover(table, resolve(table, roll)):
            owner = table.owner(goal.owner)
            trait = CORTEX.has(owner).traits(goal.kind)[goal.trait]
            said = worded(owner.name, goal.kind, trait)
            if can_roll(resolve(table, roll)):
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
    """Whether a recovery did not beat its opposition, so hitches step the trait up (T5)."""
    return came.roll.recovery is not None and came.is_failed


def target_of(table: Table, came: Outcome) -> Target | None:
    """Return the target that one press hits: what the roll was against and beat; else None."""
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
    """Return the sizes an effect die may hit, largest first, without those this roll has hit (K3)."""
    held = Counter(gm_pools.dice(table, target))
    if not is_boss(table, target):
        held -= Counter(roll.struck)
    return tuple(sorted(held, reverse=True))


def is_boss(table: Table, target: Target) -> bool:
    """Whether the target is a boss, whom effects hit as complications and stress (B1)."""
    is_here = target.foe is Foe.GMC and target.key in table.characters
    return is_here and gm_pools.is_boss(table, target.key)


def is_direct(table: Table, came: Outcome, place: int) -> bool:
    """Whether an effect die has only one thing to hit, so that one press does it."""
    target = target_of(table, came)
    if target is None or all(effect.place != place for effect in open_effects(table, came)):
        return False
    return is_boss(table, target) or len(sizes(table, came.roll, target)) == 1


def strike(table: Table, actor: Actor, number: int, place: int, die: str | None = None) -> Step:
    """Hit a die of the roll's target with an effect die, or give a boss a complication (K3, L3, B1, B2).

    A step past d12 that would begin a further die takes a boss die instead (R7, B1). `die` is the die to
    hit. Raises NotAllowed for anybody whose effect it is not, if nothing is left to hit, and if the die has
    to be chosen or is not there; TooLate if the effect die has been used.
    """
    roll = find(table, number)
    came = resolve(table, roll)
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
        if effect.is_further and takeouts_left(came):
            return take_out(table, actor, number, place, TraitKind.COMPLICATION, label, target.key)
        if is_past(came, effect, max(CORTEX.has(table.characters[target.key]).pool)):
            old = get_named(CORTEX.has(table.characters[target.key]).complications, label)
            step = knocked(table, target.key, TraitKind.COMPLICATION, old)
            return closed(step, replace(used, outs=roll.outs + 1))
        return closed(gained(table, target.key, TraitKind.COMPLICATION, label, effect.size), used)
    size = _strike_pool(table, roll, target, die)
    is_beyond = is_past(came, effect, size)
    fallen = gm_pools.fallen_to(size, effect.size, ladder(table), is_past=is_beyond)
    left = (*roll.struck, fallen) if fallen else roll.struck
    hit = gm_pools.struck(table, target, size, effect.size, is_past=is_beyond)
    return closed(hit, replace(used, struck=left, outs=roll.outs + is_beyond))


def is_past(came: Outcome, effect: Effect, size: int) -> bool:
    """Whether a step past d12 removes a d12 and is used up by it (K3, B1)."""
    return size >= came.rules.sizes[-1] and has_past(came, effect)


def takes_last_size(table: Table, came: Outcome, effect: Effect, target: Target) -> bool:
    """Whether one press removes a d12 by a step past d12, as no other size is left to hit (K3)."""
    there = sizes(table, came.roll, target)
    return not is_boss(table, target) and len(there) == 1 and is_past(came, effect, there[0])


def takes_die(table: Table, came: Outcome, effect: Effect, target: Target) -> bool:
    """Whether an effect die removes a boss die rather than become the boss's complication (B1)."""
    if not is_boss(table, target):
        return False
    held = table.characters[target.key]
    own = CORTEX.has(held)
    if effect.is_further and takeouts_left(came):
        return True
    old = get_named(own.complications, label_on(table, target.key))
    # As it would come: under the same label a larger one replaces, any other is a step (C3).
    size = effect.size if old is None or effect.size > old.die else up(old.die, 1, ladder(table))
    is_over = old is not None and effect.size <= old.die and old.die >= ladder(table)[-1]
    return is_over or size > max(own.pool) or is_past(came, effect, max(own.pool))


def label_on(table: Table, who: str) -> str:
    """Return the label under which effects gather on a boss: the largest complication's (B1)."""
    held = CORTEX.has(table.characters[who]).complications.values()
    return max(held, key=lambda trait: trait.die).label if held else TROUBLE


def _strike_pool(table: Table, roll: Roll, target: Target, die: str | None) -> int:
    """The size of the die that is hit. Raises NotAllowed where it has to be chosen, or is not there."""
    there = sizes(table, roll, target)
    if die is None and len(there) == 1:
        return there[0]
    size = one_die(die, with_those(ladder(table), there)) if die else 0
    if size not in there:
        raise NotAllowed(
            "Choose a die of {name} to hit. It has {there}.",
            name=gm_pools.titled(table, target),
            there=write_dice(there),
        )
    return size
