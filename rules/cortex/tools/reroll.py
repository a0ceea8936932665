"""Dice of a roll that are rolled again, or taken out of it (D4, D8)."""

from collections.abc import Collection, Sequence

from rules.cortex.rolling.roll import check_open, find
from rules.cortex.state.causes import Cause, Why
from rules.cortex.state.in_force import rules_of
from rules.cortex.state.pool import Die
from rules.cortex.state.roll_facts import DiceRerolled, DiceTakenOut
from rules.cortex.state.table import Roll, RolledDie
from rules.cortex.tools.spend import last_of, pay, resettled
from rules.cortex.tools.which_dice import ask, distinct, free_dice, highest_of, is_fixed, named_dice, ones_of
from rules.dice import Throw
from rules.errors import NotAllowed, SettingOff
from rules.own import is_bare
from rules.result import Step
from rules.roller import require_roller
from rules.seats import Actor, require_gm
from rules.table import Table
from rules.values import replace
from rules.words import Words


def reroll(table: Table, actor: Actor, throw: Throw, dice: str | None = None, who: str | None = None) -> Step:
    """Roll dice of one's last roll, or of somebody's, again; at a table for a PP, by a setting (P2, D8)."""
    roll = last_of(table, actor, who)
    return reroll_at(table, actor, throw, roll.number, named=dice)


def remove(table: Table, actor: Actor, dice: str | None = None, who: str | None = None) -> Step:
    """Take dice out of a roll: the highest (where none is named), all 1s, or those named (D4, D8).

    At a table with a GM that is the GM's to grant. Raises Undecided where several dice could be meant.
    """
    roll = last_of(table, actor, who)
    if table.is_open:
        require_roller(table, actor, roll)
    else:
        require_gm(table, actor, Words("take dice out of a roll"))
    check_open(roll)
    places = _to_remove(roll, (dice or "").strip(), actor.agreed)
    left = tuple(replace(die, removed=die.removed or n in places) for n, die in enumerate(roll.hand.dice))
    hand = replace(roll.hand, dice=left, chosen=False)
    gone = tuple(_die(roll.hand.dice[place]) for place in places)
    return resettled(table, replace(roll, hand=hand, rerolls=roll.rerolls + 1), DiceTakenOut(roll.who, gone))


def reroll_at(
    table: Table,
    actor: Actor,
    throw: Throw,
    number: int,
    places: tuple[int, ...] = (),
    doom_die: str | None = None,
    named: str | None = None,
) -> Step:
    """Roll dice of a roll again: those at these places, or as named, or the only one (D4, D8).

    Raises Undecided where several dice could be meant.
    """
    roll = find(table, number)
    require_roller(table, actor, roll)
    check_open(roll)
    paid = Step(table, ())
    if not is_bare(table):
        require_buyable(table, roll)
        paid = pay(table, actor, roll, Why(Cause.REROLL), doom_die, Words("a reroll"))
    again = places or _to_reroll(roll, named, actor.agreed)
    if any(place >= len(roll.hand.dice) or is_fixed(roll.hand.dice[place]) for place in again):
        raise NotAllowed("You can't reroll that die: its 1 has been activated, or the die is gone.")
    faces = throw([roll.hand.dice[place].size for place in again])
    fresh = list(roll.hand.dice)
    for place, face in zip(again, faces, strict=True):
        fresh[place] = replace(fresh[place], face=face)
    hand = replace(roll.hand, dice=tuple(fresh), chosen=False)
    again_rolled = replace(roll, hand=hand, rerolls=roll.rerolls + 1)
    said = rerolled(roll.who, [roll.hand.dice[place] for place in again])
    return paid.then(resettled(paid.table, again_rolled, said))


def rerolled(who: str, was: Sequence[RolledDie]) -> DiceRerolled:
    """That these dice of somebody's roll were rolled again, and what they showed before."""
    return DiceRerolled(who, tuple(map(_die, was)), tuple(die.face for die in was))


def require_buyable(table: Table, roll: Roll) -> None:
    """Refuse to buy a reroll where only an SFX gives one (P2)."""
    if not rules_of(table, roll).reroll_for_pp:
        raise SettingOff("Only an SFX can reroll dice in this campaign.", setting="reroll for 1 PP")


def _to_reroll(roll: Roll, typed: str | None, agreed: Collection[str]) -> tuple[int, ...]:
    """The dice to roll again: as named, else one of them, the lowest offered first (D8)."""
    if typed and typed.strip():
        return tuple(named_dice(roll, typed, agreed))
    lowest = sorted(free_dice(roll.hand), key=lambda place: roll.hand.dice[place].face)
    return ask(roll, ((place,) for place in distinct(roll.hand, lowest)), agreed)


def _to_remove(roll: Roll, typed: str, agreed: Collection[str]) -> Sequence[int]:
    """The dice that are meant: `ones`, `highest`, or dice as they are named."""
    if typed.casefold() in ("ones", "1s", "hitches"):
        return ones_of(roll.hand)
    if typed.casefold() in ("", "highest"):
        return ask(roll, ((place,) for place in distinct(roll.hand, highest_of(roll.hand))), agreed)
    return named_dice(roll, typed, agreed)


def _die(rolled: RolledDie) -> Die:
    """A die as it is without its face."""
    return Die(rolled.size, rolled.label)
