"""Reroll dice of a roll, or take them out of it (D4, D8)."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, islice

from rules.campaign.rolls import is_dice_only, require_roller
from rules.campaign.seats import Actor, require_gm
from rules.cortex.facts import Cause, DiceRerolled, DiceTakenOut, Why
from rules.cortex.model import Hand, Roll, RolledDie
from rules.cortex.pool import Die
from rules.cortex.pool_text import read
from rules.cortex.roll import check_open, find
from rules.cortex.roll_status import require_undecided, rules_of
from rules.cortex.ruleset import ANY_SIZE
from rules.cortex.spending import last_of, pay, resettled
from rules.dice import Throw
from rules.errors import NotAllowed, PossibleAnswer, SettingOff, Undecided, Unknown
from rules.game import Step
from rules.names import fold, key
from rules.table import Table
from rules.text import Phrase, Row, Words, shorten
from rules.values import Value, replace

MOST_ASKED = 20
"""A question about dice has so many answers at most; of more dice, those that come first."""


_SHOWN = re.compile(r"\bd(?P<size>[0-9]{1,2}):\s*(?P<face>[0-9]{1,2})", re.IGNORECASE)
"""A die by what it shows, as the bot writes it behind the label: `Mind d8: 5`."""


class NamedDie(Value):
    """A die of a roll as somebody names it: its size, and its label and face if typed."""

    size: int
    label: str = ""
    face: int = 0

    def fits(self, die: RolledDie) -> bool:
        """Return whether that die can be meant."""
        return (
            die.size == self.size
            and (not self.label or fold(die.label) == fold(self.label))
            and self.face in (0, die.face)
        )


def is_fixed(die: RolledDie) -> bool:
    """Return whether a die can't be rerolled: it is gone, has been activated, or was never rolled (D8, H3).

    >>> is_fixed(RolledDie(6, 4)), is_fixed(RolledDie(6, 1, used=True))
    (False, True)
    """
    return die.removed or die.used or die.is_handed


def free_dice(hand: Hand) -> list[int]:
    """Return the indices of the dice that can change, in order. Raises NotAllowed if there are none (D8).

    >>> free_dice(Hand((RolledDie(6, 4), RolledDie(8, 1, used=True), RolledDie(8, 3))))
    [0, 2]
    """
    free = [place for place, die in enumerate(hand.dice) if not is_fixed(die)]
    if not free:
        raise NotAllowed(
            "You can't change any of those dice: their {hitch.many} have been activated, or the dice "
            "are gone."
        )
    return free


def ones_of(hand: Hand) -> list[int]:
    """Return the indices of all 1s that can be taken out. Raises NotAllowed if there are none (D4).

    >>> ones_of(Hand((RolledDie(6, 1), RolledDie(8, 3), RolledDie(10, 1))))
    [0, 2]
    """
    ones = [place for place, die in enumerate(hand.dice) if die.is_one and not is_fixed(die)]
    if not ones:
        raise NotAllowed("That roll has no 1 to take out.")
    return ones


def highest_of(hand: Hand) -> list[int]:
    """Return the indices of the dice with the highest face (D4). Raises NotAllowed if none can change.

    >>> highest_of(Hand((RolledDie(6, 5), RolledDie(8, 3), RolledDie(10, 5))))
    [0, 2]
    """
    free = free_dice(hand)
    most = max(hand.dice[place].face for place in free)
    return [place for place in free if hand.dice[place].face == most]


def alike(die: RolledDie) -> tuple[int, int, str]:
    """Return what makes two dice interchangeable: size, face and folded label.

    >>> alike(RolledDie(8, 5, "Mind"))
    (8, 5, 'mind')
    """
    return die.size, die.face, key(die.label)


def distinct(hand: Hand, places: Iterable[int]) -> list[int]:
    """Return the indices of the first die of each kind of interchangeable dice.

    >>> distinct(Hand((RolledDie(6, 5), RolledDie(6, 5), RolledDie(6, 2))), [0, 1, 2])
    [0, 2]
    """
    first: dict[tuple[int, int, str], int] = {}
    for place in places:
        first.setdefault(alike(hand.dice[place]), place)
    return list(first.values())


def names_of(hand: Hand, typed: str) -> list[NamedDie]:
    """Return the dice named in a text, by size, label or face.

    >>> hand = Hand((RolledDie(8, 5, "Mind"), RolledDie(6, 2)))
    >>> names_of(hand, "Mind")
    [NamedDie(size=8, label='Mind', face=0)]
    >>> names_of(hand, "d6: 2")
    [NamedDie(size=6, label='', face=2)]

    Raises Unreadable if the text names no dice.
    """
    shown, beside, place = list[NamedDie](), "", 0
    for match in _SHOWN.finditer(typed):
        begin = max(place, *(typed.rfind(sign, place, match.start()) + 1 for sign in ",+:"))
        label = typed[begin : match.start()].strip(" \"'")
        shown.append(NamedDie(int(match["size"]), label, int(match["face"])))
        beside, place = f"{beside}{typed[place:begin]} ", match.end()
    left = " ".join((beside + typed[place:]).replace(",", " ").replace("+", " ").split()) if shown else typed
    if not left:
        return shown
    known = {die.label: Die(die.size, die.label) for die in hand.dice if die.label}
    return [
        *shown,
        *(
            NamedDie(die.size, die.label)
            for die in read(left, known, ANY_SIZE, is_written=True, is_pick=True).pool
        ),
    ]


def named_dice(roll: Roll, typed: str, agreed: Collection[str]) -> list[int]:
    """Return the indices of the dice named in a text.

    Raises Unreadable if it can't be read; Unknown if the roll has no such dice; Undecided between several.
    """
    hand, chosen = roll.hand, list[int]()
    wanted = names_of(hand, typed)
    free = free_dice(hand)
    for named in dict.fromkeys(sorted(wanted, key=lambda one: (not one.face, not one.label))):
        count = wanted.count(named)
        fits = [place for place in free if place not in chosen and named.fits(hand.dice[place])]
        if len(fits) < count:
            what = shorten(f"{named.label or f'd{named.size}'}{f': {named.face}' if named.face else ''}")
            if fits:
                raise Unknown(
                    "That roll has {count} {wanted} to change, not {asked}. It has {has}.",
                    count=len(fits),
                    wanted=what,
                    asked=count,
                    has=dice_shown(hand, free),
                )
            raise Unknown(
                "That roll has no {wanted} to change. It has {has}.",
                wanted=what,
                has=dice_shown(hand, free),
            )
        chosen += ask(roll, _combined(hand, fits, count), agreed)
    return chosen


def _combined(hand: Hand, places: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    """Each way to take so many of these dice that differs from the ways before it."""
    seen = set[tuple[tuple[int, int, str], ...]]()
    for way in islice(combinations(places, count), 10_000):
        taken = tuple(sorted(alike(hand.dice[place]) for place in way))
        if taken not in seen:
            seen.add(taken)
            yield way


def ask(
    roll: Roll,
    ways: Iterable[tuple[int, ...]],
    agreed: Collection[str],
    sfx: str = "",
    labels: Sequence[Phrase] = (),
) -> tuple[int, ...]:
    """Return the only way to take dice from a roll, or the way that was agreed to.

    `sfx` is the name of the SFX that takes them, if any, and `labels` describe the ways. Raises Undecided
    if there are several and none was agreed to.
    """
    offered = list(islice(ways, MOST_ASKED))
    signs = {f"dice {key(sfx)} {roll.number}.{roll.rerolls}.{len(roll.sfx)} {way}": way for way in offered}
    meant = next((way for sign, way in signs.items() if sign in agreed), None)
    if meant is None and len(offered) > 1:
        words = labels or [dice_shown(roll.hand, way) for way in offered]
        answers = [PossibleAnswer(said, sign) for said, sign in zip(words, signs, strict=False)]
        if sfx and any(len(set(way)) > 1 for way in offered):
            raise Undecided("{sfx}: which dice?", *answers, sfx=sfx)
        if sfx:
            raise Undecided("{sfx}: which die?", *answers, sfx=sfx)
        raise Undecided("Which die?", *answers)
    return meant or offered[0]


def dice_shown(hand: Hand, places: Iterable[int]) -> Row:
    """Return dice of a roll with their faces, as they can be typed: `Mind d8: 5`."""
    return Row([die_and_face(hand.dice[place]) for place in places])


def die_and_face(die: RolledDie) -> str:
    """Return a die with its face, as it can be typed.

    >>> die_and_face(RolledDie(8, 5, "Mind")), die_and_face(RolledDie(6, 2))
    ('Mind d8: 5', 'd6: 2')
    """
    return f"{die.label} d{die.size}: {die.face}".strip()


def reroll(table: Table, actor: Actor, throw: Throw, dice: str | None = None, who: str | None = None) -> Step:
    """Reroll dice of the last roll, the caller's or somebody's; this costs 1 PP (P2, D8).

    At a table for dice only it is free. Raises as `reroll_at` does; Unknown if there is no open roll.
    """
    roll = last_of(table, actor, who)
    return reroll_at(table, actor, throw, roll.number, named=dice)


def remove(table: Table, actor: Actor, dice: str | None = None, who: str | None = None) -> Step:
    """Take dice out of a roll: the highest (by default), all 1s, or those named (D4, D8).

    At a table with a GM, only the GM may. Raises Undecided if several dice could be meant.
    """
    roll = last_of(table, actor, who)
    if table.is_open:
        require_roller(table, actor, roll)
    else:
        require_gm(table, actor, Words("take dice out of a roll"))
    check_open(roll)
    require_undecided(table, roll)
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
    """Reroll dice of a roll: those at these indices, those named, or the only one (D4, D8).

    Raises NotAllowed if they can't be rerolled; Undecided if several dice could be meant.
    """
    roll = find(table, number)
    require_roller(table, actor, roll)
    check_open(roll)
    require_undecided(table, roll)
    paid = Step(table, ())
    if not is_dice_only(table):
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
    """Return the fact that somebody's dice were rerolled, with the faces they had before."""
    return DiceRerolled(who, tuple(map(_die, was)), tuple(die.face for die in was))


def require_buyable(table: Table, roll: Roll) -> None:
    """Check that a reroll can be bought. Raises SettingOff if only an SFX gives one (P2)."""
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
    if fold(typed) in ("ones", "1s", "hitches"):
        return ones_of(roll.hand)
    if fold(typed) in ("", "highest"):
        return ask(roll, ((place,) for place in distinct(roll.hand, highest_of(roll.hand))), agreed)
    return named_dice(roll, typed, agreed)


def _die(rolled: RolledDie) -> Die:
    """A die as it is without its face."""
    return Die(rolled.size, rolled.label)
