"""Using an effect die: a trait, doom, or recovery (R7, C3, C4, M7, T5, T6)."""

from rules.cortex.notation.versus import Versus
from rules.cortex.rolling.opposition import besides, doom_pool, laid, modified, rolled, versus_of
from rules.cortex.rolling.roll import (
    changed,
    check_open,
    done_by,
    find,
    roller_seat,
    too_late,
    with_roll,
)
from rules.cortex.state import outcome
from rules.cortex.state.effects import Effect
from rules.cortex.state.facts import Over
from rules.cortex.state.in_force import come_to
from rules.cortex.state.kinds import HARMFUL, Foe, Kind, Trait
from rules.cortex.state.outcome import Outcome
from rules.cortex.state.part import CORTEX, ladder
from rules.cortex.state.pool import Die
from rules.cortex.state.rolled import RollChanged
from rules.cortex.state.ruleset import Opposition
from rules.cortex.state.table import Against, Roll
from rules.cortex.traits import boss, closing, doom, gm_pools
from rules.cortex.traits.exchange import is_decided
from rules.cortex.traits.finding import label_for, owners
from rules.cortex.traits.traits import (
    gained,
    knocked,
    taken_out,
)
from rules.dice import Throw
from rules.errors import NotAllowed, TooLate
from rules.kinds import SCENE, key
from rules.names import one_of
from rules.result import Step
from rules.roller import require_roller
from rules.seats import Actor, is_game_master, is_gm, owner_of, require_character, require_gm
from rules.table import Character, Table
from rules.values import replace
from rules.words import Words


def open_effects(table: Table, came: Outcome) -> list[Effect]:
    """The effect dice of a roll that nobody has used yet, after R7's steps; of a contest, the winner's."""
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
    """The ways to share R7's steps among the effect dice of a roll, the best first (R3); none if closed."""
    return () if came.roll.applied or not open_effects(table, came) else came.shares


def share_steps(table: Table, actor: Actor, number: int, share: tuple[int, ...]) -> Step:
    """Whoever's effect counts says how many of R7's steps go to each effect die (R3)."""
    roll = find(table, number)
    came = come_to(table, roll)
    require_effective(table, actor, came)
    check_open(roll)
    if share not in step_shares(table, came):
        raise TooLate("You can't share those steps like that any more: the dice of that roll have changed.")
    return changed(table, replace(roll, steps_to=share))


def require_effective(table: Table, actor: Actor, came: Outcome) -> None:
    """Refuse who is not of the side whose effect counts (T6)."""
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
    kind: Kind,
    what: str,
    on: str | None = None,
    takeout: bool = False,
) -> Step:
    """Use an effect die as a trait of its size, or to step up one that is there (R7, C3)."""
    roll = find(table, number)
    came = come_to(table, roll)
    require_effective(table, actor, came)
    effect = require_effect(table, came, place)
    label = label_for(table, kind, what)
    if is_of_challenge(came) and kind not in HARMFUL:
        raise NotAllowed("{challenge.A} can only give {stress.one} or {complication.a}.")
    table, owner = _hit(table, actor, came, kind, on)
    if boss.is_boss(table, owner) and kind in HARMFUL and roll.against is None and not is_gm(table, actor):
        name = table.owner(owner).name
        raise NotAllowed(
            "You need to beat {name} first. Ask the {gm.one} to oppose your roll, or roll vs:{name}",
            name=name,
        )
    used = done_by(taking_out(came, effect) if takeout else used_up(roll, effect), "effect", actor)
    if takeout and (kind not in HARMFUL or owner == SCENE):
        raise NotAllowed("A takeout needs {complication.a} or {stress.one} on a character.")
    if takeout and boss.is_boss(table, owner):
        return closed(
            knocked(table, owner, kind, CORTEX.has(table.owner(owner)).traits(kind).get(key(label))), used
        )
    step = gained(table, owner, kind, label, effect.size)
    if takeout and not CORTEX.has(step.table.owner(owner)).traits(kind)[key(label)].out:
        step = step.then(taken_out(step.table, owner, kind, key(label)))
    return closed(step, used)


def is_of_challenge(came: Outcome) -> bool:
    """Whether the effect is a challenge's, on whom it beat (L3, L4)."""
    against = came.roll.against
    return came.is_opposed and against is not None and outcome.is_of_challenge(against)


def is_gm_side(table: Table, came: Outcome) -> bool:
    """Whether the effect is the GM's: of their own roll, or of the opposition that won (T6)."""
    return winner(table, came.roll) is None if came.is_opposed else came.roll.gm


def winner(table: Table, roll: Roll) -> Character | None:
    """The player's character who won as the other side of a contest, if it was one (T4)."""
    if not roll.contest or roll.against is None:
        return None
    character = table.characters.get(key(roll.against.label))
    return None if character is None or character.gmc else character


def concerned(table: Table, came: Outcome) -> str:
    """Whom an effect most likely hits: whom the roll concerns, who lost it, the GMC it was against (T6)."""
    roll = came.roll
    if roll.on:
        return roll.on[0]
    if roll.contest and roll.against is not None:
        return roll.who if came.is_opposed else roll.against.label
    return roll.who if not roll.gm and is_gm_side(table, came) else _aimed(table, roll)


def growable(table: Table, came: Outcome) -> list[tuple[Character, Kind, Trait]]:
    """Return the complications and assets that an effect can make larger, each with its owner (C3).

    Complications are of the character that the effect most likely hits, else of the other side and the scene;
    assets are the roller's (of the GM's side every GMC's) and the scene's. A player's own assets come first
    while nobody is hit, complications otherwise. A trait that cannot grow is left out.
    """
    is_gms, hit, top = is_gm_side(table, came), concerned(table, came), ladder(table)[-1]
    assets: list[tuple[Character, Kind, Trait]] = []
    complications: list[tuple[Character, Kind, Trait]] = []
    for who, owner in owners(table):
        has = CORTEX.has(owner)
        is_own = who != SCENE and owner.gmc is is_gms
        if not is_own and hit in ("", owner.name):
            complications += [
                (owner, Kind.COMPLICATION, trait)
                for trait in has.complications.values()
                if who != SCENE or trait.die < top
            ]
        is_rollers = who == SCENE or key(owner.name) == key(came.roll.who) or (is_gms and is_own)
        if is_rollers and not is_of_challenge(came):
            assets += [(owner, Kind.ASSET, trait) for trait in has.assets.values() if trait.die < top]
    return [*complications, *assets] if is_gms or hit else [*assets, *complications]


def _aimed(table: Table, roll: Roll) -> str:
    """The GMC that a roll was against, whom its effect most likely hits (T6)."""
    target = None if roll.gm or roll.against is None else roll.against.target
    is_gmc = target is not None and target.foe is Foe.GMC and gm_pools.is_there(table, target)
    return table.characters[target.key].name if target is not None and is_gmc else ""


def _hit(table: Table, actor: Actor, came: Outcome, kind: Kind, on: str | None) -> tuple[Table, str]:
    """Whose an effect becomes: as typed, else the roller's for an asset, else whom it concerns (T6)."""
    roll, is_gm_effect = came.roll, is_gm_side(table, came)
    if on and on.strip():
        return owner_of(table, actor, on, scene=kind is not Kind.STRESS)
    if kind is Kind.ASSET:
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
    if not hit and kind is Kind.STRESS:
        raise NotAllowed(
            "{stress.One} can only affect a character. Try {others}.",
            others=one_of(_others(table, roll)),
        )
    return owner_of(table, actor, hit or SCENE, scene=kind is not Kind.STRESS)


def _others(table: Table, roll: Roll) -> list[object]:
    """Whom an effect can hit besides the roller."""
    people = [c.name for c in table.characters.values() if key(c.name) != key(roll.who)]
    return [*people[:9], Words("{scene.One}")]


def apply_to_doom(table: Table, actor: Actor, number: int, place: int) -> Step:
    """The GM moves an effect die of a GM's roll into the doom pool instead (M7)."""
    require_gm(table, actor, Words("add {doom_pool.short} dice"))
    doom.require_on(table)
    roll = find(table, number)
    came = come_to(table, roll)
    if not is_gm_side(table, came) or is_of_challenge(came):
        raise NotAllowed(
            "Only effect dice from the {gm.one}'s rolls can join the {doom_pool.one}, not effect dice "
            "from {challenge.a}."
        )
    effect = require_effect(table, came, place)
    used = done_by(used_up(roll, effect), "effect", actor)
    return closed(doom.grown(table, (effect.size,)), used)


def hitches(roll: Roll) -> tuple[int, ...]:
    """The places of a player's 1s that nobody has activated (H1)."""
    if roll.gm:
        return ()
    return tuple(place for place, die in enumerate(roll.hand.dice) if die.is_one and not die.used)


def spent_ones(roll: Roll, places: tuple[int, ...]) -> Roll:
    """The roll with those 1s activated (H1)."""
    dice = tuple(replace(die, used=die.used or n in places) for n, die in enumerate(roll.hand.dice))
    return replace(roll, hand=replace(roll.hand, dice=dice))


def require_effect(table: Table, came: Outcome, place: int) -> Effect:
    """The open effect die at that place. Raises NotAllowed when it is used."""
    roll, effect = came.roll, next((e for e in open_effects(table, came) if e.place == place), None)
    if roll.recovery is not None or effect is None:
        raise too_late(
            roll,
            "effect",
            Words("That effect die has already been used, or the roll has no effect dice left."),
        )
    return effect


def can_take_out(roll: Roll) -> bool:
    """Whether a step past d12 can be a takeout: not of a challenge's dice (R7, L3)."""
    against = roll.against
    return against is None or against.acts or not outcome.is_of_challenge(against)


def has_past(came: Outcome, effect: Effect) -> bool:
    """Whether a step past d12 of that effect die is still to be used, as no further one has used it (R7)."""
    last = came.effects[-1]
    return effect.past > 0 and last.is_further and last.place not in came.roll.applied


def used_up(roll: Roll, effect: Effect) -> Roll:
    """The roll with an effect die used."""
    return replace(roll, applied=(*roll.applied, effect.place))


def taking_out(came: Outcome, effect: Effect) -> Roll:
    """The roll with an effect die used, and one of its steps past d12 to take somebody out (R7)."""
    if not can_take_out(came.roll):
        raise NotAllowed("Against {challenge.a}, a step past d12 is one more effect die, not a takeout.")
    if not has_past(came, effect):
        raise NotAllowed("This effect die can't take anyone out: it isn't stepped up past d12.")
    return replace(used_up(came.roll, effect), outs=came.roll.outs + 1)


def closed(step: Step, roll: Roll) -> Step:
    """The step, with the roll as its effect leaves it; after the last effect it closes.

    What is over by it names who rolled.
    """
    if not roll.gm:
        facts = (replace(fact, by=roll.who) if isinstance(fact, Over) else fact for fact in step.facts)
        step = Step(step.table, tuple(facts))
    table = with_roll(step.table, roll)
    if not roll.closing or not closing.is_pending(roll) or open_effects(table, come_to(table, roll)):
        return Step(table, (*step.facts, RollChanged(roll)))
    end = closing.closed(table, roll)
    now = CORTEX.of(end.table).rolls[roll.number]
    return Step(end.table, (*step.facts, *end.facts, RollChanged(now)))


def resistance(table: Table, actor: Actor, throw: Throw, trait: Die, vs: str | None) -> Against:
    """What a recovery has to beat: a number, or dice, with what `vs` adds or puts in their place (T5)."""
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
