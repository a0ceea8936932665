"""Dice of a roll that are rolled again, or taken out of it (D4, D8)."""

from collections.abc import Sequence

from rules.cortex.rolling.roll import check_open, find
from rules.cortex.state.causes import Cause, Why
from rules.cortex.state.in_force import rules_of
from rules.cortex.state.notation import read
from rules.cortex.state.roll_facts import DiceRerolled, DiceTakenOut
from rules.cortex.state.ruleset import ANY_SIZE
from rules.cortex.state.table import Hand, Roll, RolledDie
from rules.cortex.tools.spend import last_of, pay, resettled
from rules.dice import Die, Throw, shorten, write
from rules.errors import NotAllowed, Unknown
from rules.kinds import key
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
    return reroll_at(table, actor, throw, roll.number, tuple(named_dice(roll.hand, dice)))


def remove(table: Table, actor: Actor, dice: str | None = None, who: str | None = None) -> Step:
    """Take dice out of a roll: the highest (where none is named), all 1s, or those named (D4, D8).

    At a table with a GM that is the GM's to grant.
    """
    roll = last_of(table, actor, who)
    if table.is_open:
        require_roller(table, actor, roll)
    else:
        require_gm(table, actor, Words("take dice out of a roll"))
    check_open(roll)
    places = to_remove(roll.hand, (dice or "").strip().casefold())
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
) -> Step:
    """Roll these dice of a roll again, the lowest where none is named (D4, D8)."""
    roll = find(table, number)
    require_roller(table, actor, roll)
    check_open(roll)
    again = places or tuple(named_dice(roll.hand, None))
    if any(place >= len(roll.hand.dice) or is_fixed(roll.hand.dice[place]) for place in again):
        raise NotAllowed("That die cannot be rolled again: its 1 is activated, or it is gone.")
    paid = Step(table, ())
    if not is_bare(table):
        require_buyable(table, roll)
        paid = pay(table, actor, roll, Why(Cause.REROLL), doom_die, Words("a reroll"))
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
        raise NotAllowed(
            "Dice are rolled again by an SFX here. The setting is reroll for 1 PP. "
            "Example: /campaign set setting:reroll for 1 PP value:on"
        )


def to_remove(hand: Hand, typed: str) -> list[int]:
    """The dice that are meant: `ones`, `highest`, or dice as they are named."""
    free = [place for place, die in enumerate(hand.dice) if not is_fixed(die)]
    if typed in ("ones", "1s", "hitches"):
        ones = [place for place in free if hand.dice[place].is_one]
        if not ones:
            raise NotAllowed("There is no 1 to take out of that roll.")
        return ones
    if typed in ("", "highest") and free:
        return [max(free, key=lambda place: (hand.dice[place].face, -place))]
    return named_dice(hand, typed)


def named_dice(hand: Hand, typed: str | None) -> list[int]:
    """The dice to roll again: as named, else the lowest one outside the kept ones (D8)."""
    free = [place for place, die in enumerate(hand.dice) if not is_fixed(die)]
    if not free:
        raise NotAllowed(
            "None of those dice can be changed: their {hitch.many} are activated, or they are gone."
        )
    if not typed or not typed.strip():
        return [min(free, key=lambda place: (hand.dice[place].face, place))]
    known = {die.label: Die(die.size, die.label) for die in hand.dice if die.label}
    chosen: list[int] = []
    for wanted in read(typed, known, ANY_SIZE).pool:
        fits = [p for p in free if p not in chosen and _is_die(hand.dice[p], wanted)]
        if not fits:
            has = write(hand.dice[place].size for place in free)
            raise Unknown(
                "There is no {wanted} in that roll to change. There is {has}.",
                wanted=shorten(wanted.label or f"d{wanted.size}"),
                has=has,
            )
        chosen.append(min(fits, key=lambda place: (hand.dice[place].face, place)))
    return chosen


def _die(rolled: RolledDie) -> Die:
    """A die as it is without its face."""
    return Die(rolled.size, rolled.label)


def is_fixed(die: RolledDie) -> bool:
    """Whether a die can no longer be rolled again, or was never rolled (D8, H3)."""
    return die.removed or die.used or die.is_handed


def _is_die(die: RolledDie, wanted: Die) -> bool:
    return die.size == wanted.size and (not wanted.label or key(die.label) == key(wanted.label))
