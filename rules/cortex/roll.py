"""Roll dice, choose which to keep, oppose a roll, and roll in secret (R1 to R9, D3, D4, D7, D8).

Hidden rolls aren't on the table: no other part of the game knows of them, so none can reveal them.
"""

from collections.abc import Collection
from difflib import get_close_matches

from rules.campaign.rolls import Roller, find_roller, require_roller
from rules.campaign.seats import Actor, is_game_master, is_gm, require_gm, require_secrets, seated
from rules.cortex import outcome, points, push_and_challenge
from rules.cortex.facts import (
    ContestWon,
    EffectRolled,
    HiddenDropped,
    HiddenRolled,
    RollChanged,
    RollDropped,
    RollMade,
    RollStood,
    Ruled,
    VerdictChanged,
)
from rules.cortex.kinds import Foe, Target
from rules.cortex.model import CORTEX, Against, Hand, Roll, RolledDie
from rules.cortex.opposition import against as read_against
from rules.cortex.opposition import gmc_named, thrown
from rules.cortex.outcome import Outcome
from rules.cortex.pool import Die, is_resource
from rules.cortex.pool_resolver import (
    Gathered,
    gather,
    known_names,
    paid_for,
    pooled,
    require_alone,
    seated_as,
    typed_roll,
)
from rules.cortex.roll_status import (
    ALLOWED,
    is_given_in,
    is_in_doubt,
    is_waiting,
    judged,
    lost_contest,
    require_no_contest,
    require_stands,
    resolve,
    rules_of,
)
from rules.cortex.ruleset import EffectBy, PushStress
from rules.cortex.traits import require_in_play
from rules.cortex.turn import in_challenge, out_of_turn
from rules.dice import Throw
from rules.errors import Closed, NotAllowed, SettingOff, TooLate, Unknown
from rules.facts import Event, Fact
from rules.game import Step
from rules.names import fold, key, remark
from rules.table import Table
from rules.text import OR, Row, Words
from rules.values import replace
from rules.visibility import sees

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
    """Roll a pool as the caller's character, as the character named `who`, or as a GM without one (R1 to R9).

    Raises as `typed_roll` and `gather` do for what is typed, and NotAllowed if the roll isn't allowed now.
    """
    roller = find_roller(table, actor, who)
    typed = typed_roll(table, actor, dice, roller.name, hinder)
    vs, keep = typed.against(vs), typed.kept(keep)
    check_keep(table, keep)
    gathered = gather(table, actor, typed, hinder, roller.name)
    return thrown_for(table, actor, throw, gathered, roller, vs, keep, note)


def thrown_for(
    table: Table,
    actor: Actor,
    throw: Throw,
    gathered: Gathered,
    roller: Roller,
    vs: str | None,
    keep: int = 2,
    note: str | None = None,
) -> Step:
    """Roll a gathered pool as `roller`, and pay for it (R1 to R9)."""
    before, (name, gm) = table, roller
    if not (vs and vs.strip()):
        require_alone(gathered)
    paid = paid_for(table, actor, gathered, name, gm, gmc_named(table, vs))
    table = paid.table
    hand = thrown(gathered.pool, keep, table, throw, gathered.beside, gathered.plus)
    theirs = gathered.beside.theirs
    pool = gathered.pool
    opposing = read_against(table, actor, vs, throw, theirs, name, pool) if vs and vs.strip() else None
    # As they were: what the pool costs may have taken them out only now.
    roll = mark_taken_out(
        before, actor, Roll(table.number + 1, actor.id, name, hand, gm=gm, against=opposing)
    )
    table = turn_taken(table, actor, roll)
    target, said = target_of(table, roll), remark(note)
    if target is not None or said:
        roll = replace(roll, target=target, note=said)
    return placed(table, roll, gathered.text, paid.facts)


def turn_taken(table: Table, actor: Actor, roll: Roll) -> Table:
    """Return the table with the roller's turn taken, if the roll is a turn in a challenge (L2, L3)."""
    target = None if roll.against is None else roll.against.target
    is_turn = roll.against is not None and not roll.against.acts
    if roll.gm or not is_turn or target is None or target.foe is not Foe.CHALLENGE:
        return table
    table, who = roller_seat(table, roll)
    return in_challenge(table, actor, target.key, who)


def require_turn(table: Table, actor: Actor, target: Target | None) -> None:
    """Check, before a form opens, that a roll against a challenge isn't out of turn (L2).

    Raises NotAllowed or TooLate as `in_challenge` does.
    """
    who, gm = find_roller(table, actor, None)
    is_challenge = target is not None and target.foe is Foe.CHALLENGE
    if target is not None and is_challenge and not gm:
        seats, own = seated_as(table, actor, who)
        in_challenge(seats, actor, target.key, own)


def target_of(table: Table, roll: Roll) -> Target | None:
    """Return the GMC that the GM rolls as, so that players can hit it (T6); None if there is none."""
    is_gmc = roll.gm and key(roll.who) in table.characters
    return Target(Foe.GMC, key(roll.who)) if is_gmc else None


def placed(table: Table, roll: Roll, pool: str = "", facts: tuple[Fact, ...] = ()) -> Step:
    """Put a new roll on the table with its recommended choices kept (R8), and what is due when it closes."""
    rules = CORTEX.of(table).ruleset
    if rules.d4_helps or rules.statements or rules.push_stress is not PushStress.OFF:
        roll = replace(roll, closing=push_and_challenge.find_closings(table, roll))
    if roll.margin != rules.heroic_margin:
        roll = replace(roll, margin=rules.heroic_margin)
    if waited := out_of_turn(table, roll):
        roll = replace(roll, turn=waited)
    roll = outcome.settle(roll, rules)
    rolls = {**CORTEX.of(table).rolls, roll.number: roll}
    step = Step(table, ())
    for number in sorted(rolls)[: max(0, len(rolls) - OPEN_ROLLS)]:
        # What a roll has earned is not lost when it closes (Z1).
        step = step.then(close_roll(step.table, rolls.pop(number)))
    table = step.table
    pools = CORTEX.of(table).last_pools
    if pool:
        mine = [pool, *(each for each in pools.get(roll.player, ()) if each != pool)]
        pools = {**pools, roll.player: tuple(mine[:LAST_POOLS])}
    return Step(
        CORTEX.put(table, replace(CORTEX.of(table), rolls=rolls, last_pools=pools)),
        (RollMade(roll), *facts, *step.facts),
    )


def close_roll(table: Table, roll: Roll) -> Step:
    """Do what is due when a roll closes (N2, N3, N7, Z1); nothing for one without the GM's ruling (C4)."""
    if roll.out and is_in_doubt(table, roll):
        return Step(table, ())
    if not (roll.closing and push_and_challenge.is_pending(roll)):
        return points.banked(table, roll)
    step = push_and_challenge.closed(table, roll)
    return step.then(points.banked(step.table, roll))


def against_roll(table: Table, actor: Actor, throw: Throw, number: int, dice: str) -> Step:
    """Roll as a player against the GM's roll, as a reaction if that one targets somebody (T2, T6)."""
    target = find(table, number)
    require_concerned(table, actor, target)
    before, (name, gm) = table, find_roller(table, actor, None)
    reading, facts, table = pooled(table, actor, dice, None, name, gm)
    hand = thrown(reading.pool, reading.keep or 2, table, throw, reading.beside, reading.plus)
    label = target.note or target.who
    opposing = Against(
        label, hand=target.hand, roll=number, target=target.target, acts=is_action(target) and not gm
    )
    roll = mark_taken_out(
        before, actor, Roll(table.number + 1, actor.id, name, hand, gm=gm, against=opposing)
    )
    table = turn_taken(table, actor, roll)
    return placed(table, roll, reading.text, facts)


def mark_taken_out(table: Table, actor: Actor, roll: Roll) -> Roll:
    """Return the roll, marked if its roller is taken out; the GM's own dice never are (C4).

    Raises NotAllowed if the roller is out for good (N4).
    """
    character = table.characters.get(key(roll.who))
    if character is None or not CORTEX.has(character).is_taken_out:
        return roll
    require_in_play(table, character, Words("a roll"))
    marked = replace(roll, out=True)
    return done_by(marked, ALLOWED, actor) if is_game_master(table, actor) else marked


def is_action(roll: Roll) -> bool:
    """Return whether a roll of the GM is the action, so that whoever rolls against it reacts (T6)."""
    return roll.gm and bool(roll.on)


def require_concerned(table: Table, actor: Actor, roll: Roll) -> None:
    """Check that the caller may roll against a roll (T2).

    Raises NotAllowed if it isn't a roll of the GM, or targets only other characters.
    """
    if not roll.gm:
        raise NotAllowed("You can only roll against the {gm.one}'s rolls.")
    concerned = {key(name) for name in roll.on}
    if concerned and not concerned & set(_names_of(table, actor)) and not is_gm(table, actor):
        raise NotAllowed("Only {on} can roll against that roll.", on=Row(roll.on, OR))


def oppose(table: Table, actor: Actor, throw: Throw, number: int, vs: str) -> Step:
    """Give a roll its opposition, as the GM (T2). Raises as `require_unopposed` does."""
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
    """Return the dice against a roll. Raises NotAllowed if there are none."""
    if roll.against is None or roll.against.hand is None:
        raise NotAllowed("No dice oppose that roll.")
    return roll.against.hand


def require_unopposed(roll: Roll) -> None:
    """Check that a roll has no opposition yet (T4).

    Raises TooLate if it has one; NotAllowed if the other side of its contest answers it.
    """
    if roll.contest:
        raise NotAllowed("Only the other side of the contest can answer that roll.")
    if roll.against is not None:
        raise too_late(roll, "opposition", Words("That roll already has opposition."))


def change_roll(table: Table, roll: Roll, said: Event | None = None) -> Step:
    """Replace a roll with a changed one and tell what changed; rolls against it face its new dice (M4).

    A hero die that it has banked goes if it is heroic no longer (Z1). Raises NotAllowed if the roll would
    lose a contest in which the other side gave in, or reopen one after which both sides began another (T4).
    """
    if roll.contest and roll.against is not None and outcome.is_failed(roll) and is_given_in(table, roll):
        least = outcome.difficulty(roll.against)
        raise NotAllowed("That contest is won. Keep a total above {least}.", least=least)
    if not outcome.is_failed(roll) and (contest := lost_contest(table, roll)):
        require_no_contest(table, *contest.sides)
    lost, roll = points.unbank(table, roll) if roll.banked else (Step(table, ()), roll)
    step = Step(with_roll(lost.table, roll), (*([said] if said else []), RollChanged(roll), *lost.facts))
    if roll.contest:
        step = step.then(judged(step.table, roll))
    return step.then(_met_anew(step.table, roll))


def misjudged_rolls(table: Table, before: Table) -> Collection[int]:
    """Return the numbers of rolls that changed and no longer fit what their dice come to.

    That is: another choice is recommended (R8), the banked hero die isn't earned (Z1), an effect was used
    that the roll doesn't have (R3), or its contest stands otherwise (T4).
    """
    rolls = CORTEX.of(before).rolls
    changed = [each for n, each in CORTEX.of(table).rolls.items() if n in rolls and each != rolls[n]]
    return {n.number for n in changed if not _is_sound(table, n) and _is_sound(before, rolls[n.number])}


def _is_sound(table: Table, roll: Roll) -> bool:
    came = resolve(table, roll)
    used = {place for place in roll.applied if place >= 0}
    return (
        outcome.settle(roll, came.rules) == roll
        and (not roll.banked or points.is_earned(table, roll))
        and used <= {effect.place for effect in came.effects}
        and judged(table, roll).table == table
    )


def _met_anew(table: Table, target: Roll) -> Step:
    """The open rolls against a roll of the GM, settled again with its dice as they are now (M4, R8)."""
    step = Step(table, ())
    for roll in CORTEX.of(table).rolls.values():
        opposing = roll.against
        if opposing is None or opposing.roll != target.number or roll.applied:
            continue
        fresh = replace(roll, against=replace(opposing, hand=target.hand))
        fresh = outcome.settle(fresh, rules_of(table, fresh))
        lost, fresh = points.unbank(step.table, fresh) if roll.banked else (Step(step.table, ()), fresh)
        how = outcome.verdict(fresh)
        is_same = how is None or how == outcome.verdict(roll)
        facts = () if is_same or how is None else (VerdictChanged(fresh.who, how), RollChanged(fresh))
        step = step.then(Step(with_roll(lost.table, fresh), (*facts, *lost.facts)))
    return step


def with_roll(table: Table, roll: Roll) -> Table:
    """Return the table with this version of a roll."""
    here = CORTEX.of(table)
    return CORTEX.put(table, replace(here, rolls={**here.rolls, roll.number: roll}))


def find(table: Table, number: int) -> Roll:
    """Return the open roll with this number, in order to change it.

    Raises Unknown if it is closed or was undone; NotAllowed while the GM has yet to let it stand (C4).
    """
    roll = open_roll(table, number)
    require_stands(table, roll)
    return roll


def open_roll(table: Table, number: int) -> Roll:
    """Return the open roll with this number, to look at. Raises Unknown if it is closed or was undone."""
    here = CORTEX.of(table)
    if number not in here.rolls:
        raise Closed("That roll is closed: the {scene.one} has ended, or the roll was undone or is too old.")
    return here.rolls[number]


def done_by(roll: Roll, act: str, actor: Actor) -> Roll:
    """Return the roll with a note of who did something to it."""
    return replace(roll, doers={**roll.doers, act: actor.name})


def too_late(roll: Roll, act: str, sentence: Words) -> TooLate:
    """Return the refusal of something already done, naming who did it first."""
    first = roll.doers.get(act)
    if not first:
        return TooLate("{sentence}", sentence=sentence)
    return TooLate("{first} got there first. {sentence}", first=first, sentence=sentence)


def check_keep(table: Table, keep: int) -> None:
    """Check the number of results to keep (N10).

    Raises NotAllowed for none, for more than a pool can have, or for any choice if the table keeps all.
    """
    if not 1 <= keep <= 30:  # as many as a pool has dice
        raise NotAllowed("You can't keep {keep} results. Keep 1 to 30.", keep=keep)
    if keep != 2 and CORTEX.of(table).ruleset.effect is EffectBy.ALL_DICE:
        raise NotAllowed(
            "In this campaign, all dice count toward the total, so leave keep out. To change that, see "
            "the setting effect."
        )


def roller_seat(table: Table, roll: Roll) -> tuple[Table, str]:
    """Return the table and the key of the character that rolled; a blank one if only the roll is known."""
    if key(roll.who) in table.characters:
        return table, key(roll.who)
    return seated(table, Actor(roll.player, roll.who))


def _names_of(table: Table, actor: Actor) -> list[str]:
    return [k for k, c in table.characters.items() if c.player == actor.id]


def check_open(roll: Roll) -> None:
    """Check that a roll's dice can still change.

    Raises TooLate if it has been answered; NotAllowed if its effect has been applied.
    """
    if roll.answered:
        raise TooLate("That roll has been answered, so its dice can't change.")
    if roll.applied:
        raise NotAllowed(
            "The effect of that roll has been applied, so its dice can't change. To take "
            "the effect back: /undo"
        )


def check_other(choice: outcome.KeepChoice, hand: Hand) -> None:
    """Check that a choice isn't the one kept already (R4). Raises NotAllowed if it is."""
    if choice == outcome.kept(hand):
        raise NotAllowed("That choice is already kept.")


def with_opposing(roll: Roll, hand: Hand) -> Roll:
    """Return the roll with other dice against it; the same roll if it has no opposing dice."""
    return roll if roll.against is None else replace(roll, against=replace(roll.against, hand=hand))


def choose(table: Table, actor: Actor, number: int, total: int, effects: tuple[int, ...]) -> Step:
    """Keep another choice of the roll's dice (R4).

    `total` and `effects` identify the choice as it was offered. Raises NotAllowed if it is gone.
    """
    roll = find(table, number)
    require_roller(table, actor, roll)
    check_open(roll)
    offered = outcome.options(roll, rules_of(table, roll))
    choice = next((c for c in offered if (c.total, c.effects) == (total, effects)), None)
    if choice is None:
        raise NotAllowed("That choice is gone: the dice of this roll have changed.")
    return _with_kept(table, roll, choice)


def keep_dice(
    table: Table, actor: Actor, number: int, totals: tuple[int, ...], effects: tuple[int, ...]
) -> Step:
    """Keep the dice at these indices, even a combination that no button offers (R1)."""
    roll = find(table, number)
    require_roller(table, actor, roll)
    check_open(roll)
    own = sum(roll.hand.dice[place].face for place in set(totals) & set(outcome.usable(roll.hand)))
    more = outcome.most_traded(roll, rules_of(table, roll), own + outcome.added(roll.hand))
    return _with_kept(table, roll, outcome.picked(roll.hand, totals, effects, more))


def _with_kept(table: Table, roll: Roll, choice: outcome.KeepChoice) -> Step:
    """The roll with another choice kept; a hero die that it has banked stays earned (Z1).

    A contest that the choice before has lost stays lost: only what is bought reopens it (T4, P2).
    """
    check_other(choice, roll.hand)
    fresh = outcome.with_choice(roll, choice, rules_of(table, roll))
    points.require_earned(table, fresh)
    if not outcome.is_failed(fresh) and (contest := lost_contest(table, roll)):
        raise NotAllowed(
            "{who} has won that contest. To take back the choice that lost it: /undo",
            who=contest.sides[contest.leader],
        )
    return change_roll(table, fresh)


def choose_opposition(table: Table, actor: Actor, number: int, total: int, effects: tuple[int, ...]) -> Step:
    """Keep another choice of the opposition's dice, as the GM (T2). Raises NotAllowed if it is gone."""
    require_gm(table, actor, Words("choose for the opposition"))
    roll = find(table, number)
    opposing = opposing_hand(roll)
    check_open(roll)
    options = outcome.choices(opposing)
    choice = next((c for c in options if (c.total, c.effects) == (total, effects)), None)
    if choice is None:
        raise NotAllowed("That choice is gone: the dice of this roll have changed.")
    return _with_opposing_kept(table, roll, choice)


def keep_opposing_dice(
    table: Table, actor: Actor, number: int, totals: tuple[int, ...], effects: tuple[int, ...]
) -> Step:
    """Keep the opposition's dice at these indices, as the GM, even to soften the opposition (R1)."""
    require_gm(table, actor, Words("choose for the opposition"))
    roll = find(table, number)
    opposing = opposing_hand(roll)
    check_open(roll)
    return _with_opposing_kept(table, roll, outcome.picked(opposing, totals, effects))


def _with_opposing_kept(table: Table, roll: Roll, choice: outcome.KeepChoice) -> Step:
    opposing = opposing_hand(roll)
    check_other(choice, opposing)
    hand = replace(outcome.keep(opposing, choice), chosen=True)
    return change_roll(table, outcome.settle(with_opposing(roll, hand), rules_of(table, roll)))


def can_roll(came: Outcome) -> bool:
    """Return whether a roll's dice may still be rolled again for the effect: once, after a success (N10)."""
    roll = came.roll
    is_so = roll.hand.by is EffectBy.ROLLED_AGAIN and not roll.hand.again
    is_won = not (came.is_failed or came.is_botch) and bool(came.kept.total)
    return is_so and is_won and not (roll.applied or roll.answered) and any(map(_is_thrown, roll.hand.dice))


def roll_effect(table: Table, actor: Actor, throw: Throw, number: int) -> Step:
    """Roll the dice of a success again; the die that rolls highest is the effect die (N10).

    Raises SettingOff if the table finds effects in another way; TooLate if this has been done; NotAllowed
    if the roll is no success.
    """
    roll = find(table, number)
    require_roller(table, actor, roll)
    check_open(roll)
    if roll.hand.by is not EffectBy.ROLLED_AGAIN:
        raise SettingOff(
            "Effect dice aren't rolled again in this campaign.", setting="effect", value="rolled again"
        )
    if roll.hand.again:
        raise TooLate("The dice of that roll have already been rolled for the effect.")
    if not can_roll(resolve(table, roll)):
        raise NotAllowed("You only roll for the effect after a success, and that roll isn't a success.")
    thrown = [die for die in roll.hand.dice if _is_thrown(die)]
    faces = iter(throw([die.size for die in thrown]))
    again = tuple(next(faces) if _is_thrown(die) else 0 for die in roll.hand.dice)
    fresh = replace(roll, hand=replace(roll.hand, again=again))
    dice = tuple(Die(die.size, die.label) for die in thrown)
    return change_roll(table, fresh, EffectRolled(roll.who, dice, tuple(face for face in again if face)))


def _is_thrown(die: RolledDie) -> bool:
    """Whether a die is thrown again: it lies there, and it was thrown before."""
    return not (die.removed or die.is_handed or die.apart)


MOST = 20
"""A table has at most this many hidden rolls."""


def make_hidden(
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
    """Roll a pool in secret (R9).

    Raises SettingOff if the table has no hidden rolls; NotAllowed for a roll that costs or gives something,
    since others would see that.
    """
    here = CORTEX.of(table)
    require_secrets(table, actor, Words("roll in secret"))
    if not here.ruleset.hidden_rolls:
        raise SettingOff("Hidden rolls are off in this campaign.", setting="hidden GM rolls")
    if len(here.hidden) >= MOST:
        raise NotAllowed(
            "A table can have at most {most} hidden rolls. Reveal or drop one: /table show",
            most=MOST,
        )
    # As if none were open: for one roll more the oldest would close, and that would be seen.
    step = make(CORTEX.put(table, replace(here, rolls={})), actor, throw, dice, vs, keep, hinder, who, note)
    made, *others = step.facts
    after = CORTEX.put(
        step.table, replace(CORTEX.of(step.table), rolls=here.rolls, last_pools=here.last_pools)
    )
    if others or after != table or not isinstance(made, RollMade) or made.roll.closing:
        raise NotAllowed(
            "A hidden roll can't involve {plot_point.short}, {doom_pool.short} dice, SFX, resources or "
            "turns. Use plain dice. Example: /roll dice:2d6 d8 hidden:true"
        )
    hidden = {**here.hidden, made.roll.number: made.roll}
    return Step(CORTEX.put(table, replace(here, hidden=hidden)), (HiddenRolled(made.roll),))


def reveal_hidden(table: Table, actor: Actor, number: int) -> Step:
    """Turn a hidden roll into an ordinary one. Raises Unknown if it is no longer hidden."""
    made = find_hidden(table, actor, number)
    return placed(_without(table, made), replace(made, number=table.number + 1, ruled=made.number))


def drop_hidden(table: Table, actor: Actor, number: int) -> Step:
    """Discard a hidden roll that nobody else has seen. Raises Unknown if it is no longer hidden."""
    made = find_hidden(table, actor, number)
    return Step(_without(table, made), (HiddenDropped(made),))


def find_hidden(table: Table, actor: Actor, number: int) -> Roll:
    """Return the hidden roll with this number.

    Raises Unknown if there is none, and for callers who may not see it, so that they learn nothing.
    """
    made = CORTEX.of(table).hidden.get(number)
    if made is None or not sees(table, actor, made):
        raise Unknown(
            "That roll is no longer hidden: it was revealed, dropped or undone. To see the table: /table show"
        )
    return made


def _without(table: Table, made: Roll) -> Table:
    here = CORTEX.of(table)
    return CORTEX.put(
        table, replace(here, hidden={n: each for n, each in here.hidden.items() if n != made.number})
    )


_ALIKE = 0.75
"""So much of two words has to be the same."""


def near_name(table: Table, roll: Roll) -> tuple[str, str] | None:
    """Return the first new label of a roll that resembles a known name, with that name; None if none does."""
    character = table.characters.get(key(roll.who))
    labels = {die.label for die in roll.hand.dice if die.label and die.source.is_new}
    if character is None or not labels:
        return None
    known = _known(table, roll)
    there = {fold(die.label) for die in roll.hand.dice}
    free = {fold(name): name for name in known if fold(name) not in there}
    for die in roll.hand.dice:
        if die.label not in labels:
            continue
        begun = [name for name in free if name.startswith(fold(die.label))]
        near = begun if len(begun) == 1 else get_close_matches(fold(die.label), free, 1, _ALIKE)
        if near:
            return die.label, free[near[0]]
    return None


def rename(table: Table, actor: Actor, number: int) -> Step:
    """Give the dice under a mistyped label the trait that was meant. Raises TooLate if no label needs it."""
    roll = find(table, number)
    require_roller(table, actor, roll)
    check_open(roll)
    near = near_name(table, roll)
    if near is None:
        raise TooLate("That roll has no names left to correct.")
    meant = _known(table, roll)[near[1]]
    dice = (
        replace(die, label=meant.label, source=meant.source)
        if die.label == near[0] and die.source.is_new
        else die
        for die in roll.hand.dice
    )
    return change_roll(table, replace(roll, hand=replace(roll.hand, dice=tuple(dice))))


def _known(table: Table, roll: Roll) -> dict[str, Die]:
    """The names that the roller could have meant, but for resources, which are paid for beforehand (C2)."""
    known = known_names(table, table.characters.get(key(roll.who)))
    return {name: die for name, die in known.items() if not is_resource(die)}


def require_in_doubt(table: Table, actor: Actor, number: int) -> Roll:
    """Return the roll of a taken-out character for the GM to judge.

    Raises NotAllowed for anybody but the GM; TooLate if the roll stands already; Unknown if it is closed.
    """
    return _require_open(table, actor, number, is_turn=False)


def _require_open(table: Table, actor: Actor, number: int, *, is_turn: bool) -> Roll:
    """The roll, where the caller is to say if it stands; `is_turn` where one out of turn is meant as well.

    Raises NotAllowed for others than the GM, TooLate where it stands.
    """
    require_gm(table, actor, Words("say whether a roll stands"))
    roll = open_roll(table, number)
    if not is_in_doubt(table, roll) and not (is_turn and roll.turn):
        raise too_late(roll, ALLOWED, Words("That roll already stands. To take back that decision: /undo"))
    return roll


def let_stand(table: Table, actor: Actor, number: int) -> Step:
    """Let a roll stand, as the GM, though its roller was taken out or it was made out of turn (C4, L2)."""
    return accept_roll(table, _require_open(table, actor, number, is_turn=True), actor.name)


def accept_roll(table: Table, roll: Roll, by: str = "") -> Step:
    """Return the step in which a roll stands: its contest goes on, and what is overdue happens (C4, T4).

    `by` is the name of the GM who let it stand.
    """
    was_held = is_in_doubt(table, roll)  # else the other side of its contest has been told
    contest = CORTEX.of(table).contests.get(roll.contest) if was_held else None
    waiting = contest.waiting if contest is not None and is_waiting(table, roll) else ""
    roll = replace(roll, doers={**roll.doers, ALLOWED: by}, turn="")
    ruled = ruled_on(table, roll) if was_held else None
    step = Step(with_roll(table, roll), (RollStood(roll.who, waiting, ruled),))
    if contest is not None and contest.closing == roll.number:
        step = step.then(
            Step(step.table, (ContestWon(contest.sides[contest.leader], roll.who, contest.note),))
        )
    later = (n for n, each in CORTEX.of(table).rolls.items() if key(each.who) == key(roll.who))
    if was_held and max(later) > roll.number:
        step = step.then(push_and_challenge.closed(step.table, roll))
    return step.then(Step(step.table, (RollChanged(CORTEX.of(step.table).rolls[roll.number]),)))


def ruled_on(table: Table, roll: Roll) -> Ruled:
    """Return what tells a roll apart from others of its roller, for the GM's ruling on it (C4)."""
    contest = CORTEX.of(table).contests.get(roll.contest)
    against = "" if contest is None else contest.sides[1 - contest.sides.index(roll.who)]
    recovers = "" if roll.recovery is None else roll.recovery.said or roll.recovery.trait
    return Ruled(roll.number, outcome.total(roll.hand), recovers, against)


def drop_roll(table: Table, roll: Roll) -> Step:
    """Return the step in which a roll is dropped, and its contest is as before that roll (C4, T4)."""
    here, said = CORTEX.of(table), RollDropped(roll.who, roll.number, ruled_on(table, roll))
    rolls = {n: each for n, each in here.rolls.items() if n != roll.number}
    contests = dict(here.contests)
    contest, against = contests.get(roll.contest), roll.against
    if contest is not None and roll.number in (contest.roll, contest.closing):
        if against is None or against.hand is None:
            del contests[roll.contest]
        else:
            last = rolls.get(against.roll)
            beaten = last.against.hand if last is not None and last.against is not None else None
            contests[roll.contest] = replace(
                contest,
                leader=1 - contest.sides.index(roll.who),
                roll=against.roll,
                hand=against.hand,
                exchanges=contest.exchanges - 1,
                closing=0,
                beaten=beaten,
            )
    return Step(CORTEX.put(table, replace(here, rolls=rolls, contests=contests)), (said,))
