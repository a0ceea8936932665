"""Gobbling: dice of a set spoil dice of somebody else's set that is no wider and no higher."""

import re
from dataclasses import dataclass

from rules.dice import shorten
from rules.errors import Ambiguous, NotAllowed, TooLate, Unknown
from rules.ore.facts import OreGobbled
from rules.ore.order import named
from rules.ore.part import ORE
from rules.ore.roll import find, with_roll
from rules.ore.sets import OreHand, OreKind, OreRoll, OreSet, order, sets
from rules.result import Step
from rules.roller import require_roller
from rules.seats import Actor
from rules.table import Table
from rules.values import replace
from rules.words import Words, later

NOTHING = later(
    "There's no set to spoil: it has to be someone else's, and no wider or higher than yours. Example: "
    "2×8 spoils dice of 2×6, but not of 3×6 or 2×9."
)
_SIGN = re.compile(r"[0-9]+(?:\.[0-9]+){4}")
_TIMES = re.compile(r"(?<=[0-9])\s*[x*×]\s*(?=[0-9])")
_WORD = re.compile(r"[\w×]+")


@dataclass(frozen=True, slots=True)
class Prey:
    """A set that a set of a roll may spoil: the places of both pools, the sets, and whose roll it is."""

    hand: int
    own: OreSet
    roll: int
    other: int
    target: OreSet

    @property
    def sign(self) -> str:
        """What tells it from others, for a form: `0.8.12.0.6`."""
        return f"{self.hand}.{self.own.height}.{self.roll}.{self.other}.{self.target.height}"


def dice_left(hand: OreHand, own: OreSet) -> int:
    """How many dice of a set have not gobbled yet."""
    return own.width - hand.spent.count(own.height)


def speed(hand: OreHand, one: OreSet) -> int:
    """How wide a set was rolled: dice that were spoiled since make it no slower."""
    return one.width + hand.spoiled.count(one.height)


def may_spoil(hand: OreHand, own: OreSet, theirs: OreHand, target: OreSet) -> bool:
    """Whether dice of a set are left, and fast and high enough for another."""
    is_in_time = speed(hand, own) >= speed(theirs, target)
    return is_in_time and own.height >= target.height and dice_left(hand, own) > 0


def can_gobble(roll: OreRoll) -> bool:
    """Whether any set of the roll has dice left to gobble with."""
    return any(dice_left(hand, own) > 0 for hand in roll.hands for own in sets(hand))


def stamp(roll: OreRoll) -> str:
    """A sign that changes whenever dice of the roll gobble, so that one press gobbles once."""
    return str(sum(len(hand.spent) for hand in roll.hands))


def preys(table: Table, roll: OreRoll) -> list[Prey]:
    """The sets of others that the roll may spoil: of the newest roll first, and of that the widest."""
    hands = [(place, hand, own) for place, hand in enumerate(roll.hands) for own in sets(hand)]
    found = [
        Prey(place, own, other.number, at, target)
        for other in ORE.of(table).rolls.values()
        # the GM rolls for many, who may be on different sides
        if other.number != roll.number and (other.who != roll.who or other.gm)
        for at, theirs in enumerate(other.hands)
        for target in sets(theirs)
        for place, hand, own in hands
        if may_spoil(hand, own, theirs, target)
    ]
    return sorted(found, key=lambda prey: (prey.roll, order(prey.target), order(prey.own)), reverse=True)


def require_preys(table: Table, actor: Actor, number: int) -> OreRoll:
    """The roller's roll, with something to gobble. Raises NotAllowed where there is nothing."""
    roll = find(table, number)
    require_roller(table, actor, roll)
    if not preys(table, roll):
        raise NotAllowed(NOTHING)
    return roll


def prey_words(table: Table, prey: Prey) -> str:
    """What can be typed for it: `GM (Guards), pool 3: 2×6, by 2×8`; an older roll of that name says so."""
    here = ORE.of(table)
    whose = [_whose(roll) for number, roll in here.rolls.items() if number >= prey.roll]
    newer = whose.count(_whose(here.rolls[prey.roll])) - 1
    older = f", {newer} before the last" if newer else ""
    return f"{named(here.rolls[prey.roll], prey.other)}{older}: {prey.target}, by {prey.own}"


def meant(table: Table, roll: OreRoll, which: str) -> Prey:
    """The prey that is meant, by its sign or by words of it: `pool 3`, or `guards pool 3 by 2x8`.

    Where only the gobbling set is left open it is the widest. Raises TooLate for a set that has changed,
    Unknown where there is none of these words, Ambiguous where there are several.
    """
    found = preys(table, roll)
    for prey in found:
        if prey.sign == which:
            return prey
    if not found or _SIGN.fullmatch(which):
        raise TooLate(
            "That set changed in the meantime. {what}",
            what=Words("Press Gobble again.") if found else Words(NOTHING),
        )
    said = {prey: _words(prey_words(table, prey)) for prey in found}
    words = _words(which)
    begun = [prey for prey in found if words and _is_in(words, said[prey])]
    fitting = [prey for prey in begun if said[prey] == words] or begun
    if not fitting:
        example = prey_words(table, found[0])
        raise Unknown(
            "There's no set {which} to spoil. Example: {example}",
            which=shorten(which),
            example=example,
        )
    if len({(prey.roll, prey.other, prey.target) for prey in fitting}) > 1:
        example = prey_words(table, fitting[0])
        raise Ambiguous(
            "{which} could be several sets. Type more of it. Example: {example}",
            which=shorten(which),
            example=example,
        )
    return fitting[0]


def gobble(table: Table, actor: Actor, number: int, which: str, count: int = 0, seen: str = "") -> Step:
    """Dice of a set spoil so many dice of another's; 0 is as many as it takes to leave no set.

    `which` of the sets is a sign or typed.
    """
    roll = find(table, number)
    require_roller(table, actor, roll)
    if seen and seen != stamp(roll):
        raise TooLate("That roll gobbled dice in the meantime. Press the button again.")
    return _spoiled(table, roll, meant(table, roll, which), count)


def _spoiled(table: Table, roll: OreRoll, prey: Prey, count: int) -> Step:
    """Dice of one set are spent, and as many of the other spoiled."""
    hand, target = roll.hands[prey.hand], ORE.of(table).rolls[prey.roll]
    most = min(dice_left(hand, prey.own), prey.target.width)
    spoils = count or min(most, prey.target.width - 1)
    if not 1 <= spoils <= most:
        raise NotAllowed(
            "{own} can spoil 1 to {most} of {target}'s dice right now, not {count}.",
            own=str(prey.own),
            most=most,
            target=str(prey.target),
            count=count,
        )
    spent = replace(hand, spent=(*hand.spent, *(prey.own.height,) * spoils))
    theirs = target.hands[prey.other]
    spoiled = replace(theirs, spoiled=(*theirs.spoiled, *(prey.target.height,) * spoils))
    roll, target = _with(roll, prey.hand, spent), _with(target, prey.other, spoiled)
    after = next((each for each in sets(spoiled) if each.height == prey.target.height), None)
    said = OreGobbled(roll, prey.own, target, prey.other, prey.target, spoils, after)
    return Step(with_roll(with_roll(table, target), roll), (said,))


def _with(roll: OreRoll, place: int, hand: OreHand) -> OreRoll:
    return replace(roll, hands=(*roll.hands[:place], hand, *roll.hands[place + 1 :]))


def _whose(roll: OreRoll) -> tuple[str, str, bool]:
    """What tells in words whose roll it is."""
    return roll.who, roll.note, roll.kind is OreKind.CROWD


def _words(text: str) -> list[str]:
    """The words of what was typed, `2 x 6` as one."""
    return _WORD.findall(_TIMES.sub("×", text.casefold()))


def _is_in(words: list[str], all_words: list[str]) -> bool:
    """Whether there are these words, one after another, others between them or not."""
    left = iter(all_words)
    return all(word in left for word in words)
