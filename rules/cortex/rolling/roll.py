"""Rolling dice, and what the roller may do with them afterwards (R1 to R9, D3, D4, D7, D8, P1, P2)."""

from rules.cortex.rolling.gather import (
    Gathered,
    gather,
    paid_for,
    pooled,
    require_alone,
    seated_as,
    typed_roll,
)
from rules.cortex.rolling.opposition import against as read_against
from rules.cortex.rolling.opposition import gmc_named, thrown
from rules.cortex.state import keeping, outcome
from rules.cortex.state.doubt import ALLOWED, require_stands
from rules.cortex.state.in_force import rules_of
from rules.cortex.state.kinds import Foe, Target
from rules.cortex.state.part import CORTEX
from rules.cortex.state.pool import Die
from rules.cortex.state.roll_facts import VerdictChanged
from rules.cortex.state.rolled import RollChanged, RollMade
from rules.cortex.state.ruleset import EffectBy, PushStress
from rules.cortex.state.table import Against, Hand, Roll
from rules.cortex.state.turn import in_challenge, out_of_turn
from rules.cortex.traits import closing, hero
from rules.cortex.traits.exchange import judged
from rules.cortex.traits.scars import require_in_play
from rules.dice import Throw
from rules.errors import NotAllowed, TooLate, Unknown
from rules.fact import Event, Fact
from rules.kinds import key
from rules.names import remark
from rules.result import Step
from rules.roller import roller
from rules.seats import (
    Actor,
    is_game_master,
    is_gm,
    require_gm,
    seated,
)
from rules.table import Table
from rules.values import replace
from rules.words import OR, Row, Words

OPEN_ROLLS = 60
"""A table keeps this many rolls open; an older one closes."""
LAST_POOLS = 3
"""How many of their pools are kept for each person."""


def make(
    table: Table,
    actor: Actor,
    throw: Throw,
    dice: str,
    vs: str | None = None,
    keep: int = 2,
    hinder: str | None = None,
    who: str | None = None,
    note: str | None = None,
) -> Step:
    """Roll a pool: as one's character, as a named one, or as the GM who plays none (R1 to R9)."""
    name, gm = roller(table, actor, who)
    typed = typed_roll(table, actor, dice, name, hinder)
    vs, keep = typed.against(vs), typed.kept(keep)
    check_keep(table, keep)
    gathered = gather(table, actor, typed, hinder, name)
    return thrown_for(table, actor, throw, gathered, (name, gm), vs, keep, note)


def thrown_for(
    table: Table,
    actor: Actor,
    throw: Throw,
    gathered: Gathered,
    by: tuple[str, bool],
    vs: str | None,
    keep: int = 2,
    note: str | None = None,
) -> Step:
    """Roll a pool that is gathered, and pay for it; `by` is who rolls, and whether as the GM (R1 to R9)."""
    before, (name, gm) = table, by
    if not (vs and vs.strip()):
        require_alone(gathered)
    paid = paid_for(table, actor, gathered, name, gm, gmc_named(table, vs))
    table = paid.table
    hand = thrown(gathered.pool, keep, table, throw, gathered.beside, gathered.plus)
    theirs = gathered.beside.theirs
    pool = gathered.pool
    opposing = read_against(table, actor, vs, throw, theirs, name, pool) if vs and vs.strip() else None
    # As they were: what the pool costs may have taken them out only now.
    roll = as_out(before, actor, Roll(table.number + 1, actor.id, name, hand, gm=gm, against=opposing))
    table = turn_taken(table, actor, roll)
    target, said = target_of(table, roll), remark(note)
    if target is not None or said:
        roll = replace(roll, target=target, note=said)
    return placed(table, roll, gathered.text, paid.facts)


def turn_taken(table: Table, actor: Actor, roll: Roll) -> Table:
    """The table with the roller's turn taken, where the roll is a turn in a challenge (L2, L3)."""
    target = None if roll.against is None else roll.against.target
    is_turn = roll.against is not None and not roll.against.acts
    if roll.gm or not is_turn or target is None or target.foe is not Foe.CHALLENGE:
        return table
    table, who = roller_seat(table, roll)
    return in_challenge(table, actor, target.key, who)


def require_turn(table: Table, actor: Actor, target: Target | None) -> None:
    """Refuse to roll against a challenge out of turn, before a form is opened (L2)."""
    who, gm = roller(table, actor, None)
    is_challenge = target is not None and target.foe is Foe.CHALLENGE
    if target is not None and is_challenge and not gm:
        seats, own = seated_as(table, actor, who)
        in_challenge(seats, actor, target.key, own)


def target_of(table: Table, roll: Roll) -> Target | None:
    """The GMC that the GM rolls as, so that players may hit it (T6)."""
    is_gmc = roll.gm and key(roll.who) in table.characters
    return Target(Foe.GMC, key(roll.who)) if is_gmc else None


def placed(table: Table, roll: Roll, pool: str = "", facts: tuple[Fact, ...] = ()) -> Step:
    """A new roll on the table, with the recommended choices kept (R8), and what comes when it closes."""
    rules = CORTEX.of(table).ruleset
    if rules.d4_helps or rules.statements or rules.push_stress is not PushStress.OFF:
        roll = replace(roll, closing=closing.found(table, roll))
    if roll.margin != rules.heroic_margin:
        roll = replace(roll, margin=rules.heroic_margin)
    if waited := out_of_turn(table, roll):
        roll = replace(roll, turn=waited)
    roll = outcome.settle(roll, rules)
    rolls = {**CORTEX.of(table).rolls, roll.number: roll}
    step = Step(table, ())
    for number in sorted(rolls)[: max(0, len(rolls) - OPEN_ROLLS)]:
        # What a roll has earned is not lost when it closes (Z1).
        if rolls[number].closing:
            step = step.then(closing.closed(step.table, rolls[number]))
        step = step.then(hero.banked(step.table, rolls.pop(number)))
    table = step.table
    pools = CORTEX.of(table).last_pools
    if pool:
        mine = [pool, *(each for each in pools.get(roll.player, ()) if each != pool)]
        pools = {**pools, roll.player: tuple(mine[:LAST_POOLS])}
    return Step(
        CORTEX.put(table, replace(CORTEX.of(table), rolls=rolls, last_pools=pools)),
        (RollMade(roll), *facts, *step.facts),
    )


def against_roll(table: Table, actor: Actor, throw: Throw, number: int, dice: str) -> Step:
    """A player's roll against a roll of the GM: a reaction where that is on somebody (T2, T6)."""
    target = find(table, number)
    require_concerned(table, actor, target)
    before, (name, gm) = table, roller(table, actor, None)
    reading, facts, table = pooled(table, actor, dice, None, name, gm)
    hand = thrown(reading.pool, reading.keep or 2, table, throw, reading.beside, reading.plus)
    label = target.note or target.who
    opposing = Against(
        label, hand=target.hand, roll=number, target=target.target, acts=is_action(target) and not gm
    )
    roll = as_out(before, actor, Roll(table.number + 1, actor.id, name, hand, gm=gm, against=opposing))
    table = turn_taken(table, actor, roll)
    return placed(table, roll, reading.text, facts)


def as_out(table: Table, actor: Actor, roll: Roll) -> Roll:
    """The roll, marked where whoever makes it is taken out at that table; the GM's own dice stand (C4).

    Raises NotAllowed for whoever is out for good (N4).
    """
    character = table.characters.get(key(roll.who))
    if character is None or not CORTEX.has(character).is_taken_out:
        return roll
    require_in_play(table, character, Words("a roll"))
    marked = replace(roll, out=True)
    return done_by(marked, ALLOWED, actor) if is_game_master(table, actor) else marked


def is_action(roll: Roll) -> bool:
    """Whether a roll of the GM is the action, so that who rolls against it reacts (T6)."""
    return roll.gm and bool(roll.on)


def require_concerned(table: Table, actor: Actor, roll: Roll) -> None:
    """Refuse to roll against what is no roll of the GM, or is on others alone (T2)."""
    if not roll.gm:
        raise NotAllowed("You can only roll against the {gm.one}'s rolls.")
    concerned = {key(name) for name in roll.on}
    if concerned and not concerned & set(_names_of(table, actor)) and not is_gm(table, actor):
        raise NotAllowed("Only {on} can roll against that roll.", on=Row(roll.on, OR))


def oppose(table: Table, actor: Actor, throw: Throw, number: int, vs: str) -> Step:
    """The GM gives a roll its opposition (T2)."""
    require_gm(table, actor, Words("oppose a roll"))
    roll = find(table, number)
    require_unopposed(roll)
    check_open(roll)
    pool = tuple(Die(die.size, die.label, die.source) for die in roll.hand.dice)
    opposing = read_against(table, actor, vs, throw, who=roll.who, pool=pool)
    roll = done_by(replace(roll, against=opposing), "opposition", actor)
    table = turn_taken(table, actor, roll)
    opposed = outcome.settle(roll, rules_of(table, roll))
    return Step(with_roll(table, opposed), (RollMade(opposed),))


def opposing_hand(roll: Roll) -> Hand:
    """The dice against a roll. Raises NotAllowed where there are none."""
    if roll.against is None or roll.against.hand is None:
        raise NotAllowed("No dice oppose that roll.")
    return roll.against.hand


def require_unopposed(roll: Roll) -> None:
    """Refuse to oppose a roll a second time, or one that the other side of its contest answers (T4)."""
    if roll.contest:
        raise NotAllowed("Only the other side of the contest can answer that roll.")
    if roll.against is not None:
        raise too_late(roll, "opposition", Words("That roll already has opposition."))


def changed(table: Table, roll: Roll, said: Event | None = None) -> Step:
    """A roll with something changed, and what that was; whoever rolled against it meets its new dice (M4)."""
    step = Step(with_roll(table, roll), (*([said] if said else []), RollChanged(roll)))
    if roll.contest:
        step = step.then(judged(step.table, roll))
    return step.then(_met_anew(step.table, roll))


def _met_anew(table: Table, target: Roll) -> Step:
    """The open rolls against a roll of the GM, settled again with its dice as they are now (M4, R8)."""
    step = Step(table, ())
    for roll in CORTEX.of(table).rolls.values():
        opposing = roll.against
        if opposing is None or opposing.roll != target.number or roll.applied:
            continue
        fresh = replace(roll, against=replace(opposing, hand=target.hand))
        fresh = outcome.settle(fresh, rules_of(table, fresh))
        how = outcome.verdict(fresh)
        is_same = how is None or how == outcome.verdict(roll)
        facts = () if is_same or how is None else (VerdictChanged(fresh.who, how), RollChanged(fresh))
        step = step.then(Step(with_roll(step.table, fresh), facts))
    return step


def with_roll(table: Table, roll: Roll) -> Table:
    """The table with that roll in the place of what it was."""
    here = CORTEX.of(table)
    return CORTEX.put(table, replace(here, rolls={**here.rolls, roll.number: roll}))


def find(table: Table, number: int) -> Roll:
    """The open roll of that number, to do something with it.

    Raises Unknown when it is closed or was undone, NotAllowed while the GM has to say whether it stands (C4).
    """
    roll = open_roll(table, number)
    require_stands(table, roll)
    return roll


def open_roll(table: Table, number: int) -> Roll:
    """The open roll of that number, to look at. Raises Unknown when it is closed or was undone."""
    here = CORTEX.of(table)
    if number not in here.rolls:
        raise Unknown("That roll is closed: the {scene.one} has ended, or the roll was undone or is too old.")
    return here.rolls[number]


def done_by(roll: Roll, deed: str, actor: Actor) -> Roll:
    """The roll, with who did that to it."""
    return replace(roll, doers={**roll.doers, deed: actor.name})


def too_late(roll: Roll, deed: str, sentence: Words) -> TooLate:
    """The refusal for something that is done already, with who was first."""
    first = roll.doers.get(deed)
    if not first:
        return TooLate("{sentence}", sentence=sentence)
    return TooLate("{first} got there first. {sentence}", first=first, sentence=sentence)


def check_keep(table: Table, keep: int) -> None:
    """Refuse to keep no die, or more than a pool has, or another number where all are kept (N10)."""
    if not 1 <= keep <= 30:  # as many as a pool has dice
        raise NotAllowed("You can't keep {keep} results. Keep 1 to 30.", keep=keep)
    if keep != 2 and CORTEX.of(table).ruleset.effect is EffectBy.ALL_DICE:
        raise NotAllowed(
            "In this campaign, all dice count toward the total, so leave keep out. To change that, see "
            "the setting effect."
        )


def roller_seat(table: Table, roll: Roll) -> tuple[Table, str]:
    """The character that rolled, at the table; a plain one where the roll is all there is of them."""
    if key(roll.who) in table.characters:
        return table, key(roll.who)
    return seated(table, Actor(roll.player, roll.who))


def _names_of(table: Table, actor: Actor) -> list[str]:
    return [k for k, c in table.characters.items() if c.player == actor.id]


def check_open(roll: Roll) -> None:
    """Refuse changes of a roll whose effect is applied, or that is answered: its dice stay as they are."""
    if roll.answered:
        raise TooLate("That roll has been answered, so its dice can't change.")
    if roll.applied:
        raise NotAllowed(
            "The effect of that roll has been applied, so its dice can't change. To take "
            "the effect back: /undo"
        )


def check_other(choice: keeping.Choice, hand: Hand) -> None:
    """Refuse the choice that is kept already (R4)."""
    if choice == keeping.kept(hand):
        raise NotAllowed("That choice is already kept.")


def with_opposing(roll: Roll, hand: Hand) -> Roll:
    """The roll with other dice against it; the same where none are."""
    return roll if roll.against is None else replace(roll, against=replace(roll.against, hand=hand))
