"""Gobbling: dice of a set spoil as many dice of another, which may be no wider and no higher."""

import re

from rules.campaign.rolls import require_roller
from rules.campaign.seats import Actor
from rules.errors import Ambiguous, NotAllowed, TooLate, Unknown
from rules.game import Step
from rules.ore.model import (
    ORE,
    OreGobbled,
    OreHand,
    OreKind,
    OreRoll,
    OreSet,
    counting,
    order,
    set_owner,
    sets,
)
from rules.ore.roll import find, with_hand, with_roll
from rules.table import Table
from rules.terms import later
from rules.text import Words, shorten
from rules.values import Value, replace

NOTHING = later(
    "There's no set to spoil: it has to be someone else's, and no wider or higher than yours. Example: "
    "2×8 spoils dice of 2×6, but not of 3×6 or 2×9."
)


_SIGN = re.compile(r"[0-9]+\.[0-9]+×[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+×[0-9]+")


_TIMES = re.compile(r"(?<=[0-9])\s*[x*×]\s*(?=[0-9])")


_WORD = re.compile(r"[\w×]+")


class Prey(Value):
    """A set that a roll can gobble, with the set that would do it and the roll and pools of both."""

    hand: int
    own: OreSet
    roll: int
    other: int
    target: OreSet

    @property
    def sign(self) -> str:
        """An identifier for use in a form, such as `0.2×8.12.0.2×6`."""
        return f"{self.hand}.{self.own}.{self.roll}.{self.other}.{self.target}"


def unused(roll: OreRoll, hand: OreHand) -> list[OreSet]:
    """Return the sets that count and haven't hit anybody, widest first."""
    left = list(counting(roll, hand))
    for struck in hand.struck:
        # A set that lost dice after its hit is still the same one.
        left = [one for one in left if one.die != struck.die]
    return left


def dice_left(hand: OreHand, own: OreSet) -> int:
    """Return how many dice of a set haven't gobbled yet."""
    return own.width - hand.spent.count(own.die)


def speed(hand: OreHand, one: OreSet) -> int:
    """Return the width at which a set was rolled; spoiled dice don't make it slower."""
    return one.width + hand.spoiled.count(one.die)


def may_spoil(hand: OreHand, own: OreSet, theirs: OreHand, target: OreSet) -> bool:
    """Return whether a set has dice left, and is wide and high enough to gobble another."""
    is_in_time = speed(hand, own) >= speed(theirs, target)
    return is_in_time and own.height >= target.height and dice_left(hand, own) > 0


def can_gobble(roll: OreRoll) -> bool:
    """Return whether any set of the roll has dice left to gobble with."""
    return any(dice_left(hand, own) > 0 for hand in roll.hands for own in unused(roll, hand))


def stamp(roll: OreRoll) -> str:
    """Return a value that changes whenever the roll gobbles, so that a button works only once."""
    return str(sum(len(hand.spent) for hand in roll.hands))


def preys(table: Table, roll: OreRoll) -> list[Prey]:
    """Return the sets of others that the roll can gobble: newest roll first, then widest set.

    Of sets that read the same, such as two 2×6 of a crowd, only one is returned, with the most dice left.
    """
    hands = [(place, hand, own) for place, hand in enumerate(roll.hands) for own in unused(roll, hand)]
    found = [
        Prey(place, own, other.number, at, target)
        for other in ORE.of(table).rolls.values()
        # the GM rolls for many, who may be on different sides
        if other.number != roll.number and (other.who != roll.who or other.gm)
        for at, theirs in enumerate(other.hands)
        for target in unused(other, theirs)
        for place, hand, own in hands
        if may_spoil(hand, own, theirs, target)
    ]
    # What the roll opposes comes first, then the newest roll.
    found.sort(
        key=lambda prey: (
            *(prey.roll == roll.against, prey.roll, order(prey.target), order(prey.own)),
            dice_left(roll.hands[prey.hand], prey.own),
        ),
        reverse=True,
    )
    return list({prey.sign: prey for prey in reversed(found)}.values())[::-1]


def require_preys(table: Table, actor: Actor, number: int) -> OreRoll:
    """Return the actor's roll, if it has anything to gobble.

    Raises NotAllowed if it has not or somebody else rolled it; TooLate if it is closed.
    """
    roll = find(table, number)
    require_roller(table, actor, roll)
    if not preys(table, roll):
        raise NotAllowed(NOTHING)
    return roll


def prey_words(table: Table, prey: Prey) -> str:
    """Return a prey as it can be typed: `GM (Guards), pool 3: 2×6, by 2×8`; older rolls are marked."""
    here = ORE.of(table)
    whose = [_whose(roll) for number, roll in here.rolls.items() if number >= prey.roll]
    newer = whose.count(_whose(here.rolls[prey.roll])) - 1
    older = f", {newer} before the last" if newer else ""
    return f"{set_owner(here.rolls[prey.roll], prey.other)}{older}: {prey.target}, by {prey.own}"


def meant(table: Table, roll: OreRoll, which: str) -> Prey:
    """Return the prey that is meant, by its sign or in words: `pool 3`, or `guards pool 3 by 2x8`.

    If the gobbling set isn't named, it is the widest. Raises TooLate for a set that has changed; Unknown
    if nothing matches; Ambiguous if several do.
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
    """Use dice of a set to spoil as many dice of another's; 0 means as many as it takes to break the set.

    `which` is a sign or typed words. Raises what `meant` raises; TooLate if the roll has gobbled since
    `seen`; NotAllowed for too many dice.
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
    spent = replace(hand, spent=(*hand.spent, *(prey.own.die,) * spoils))
    theirs = target.hands[prey.other]
    spoiled = replace(theirs, spoiled=(*theirs.spoiled, *(prey.target.die,) * spoils))
    roll, target = with_hand(roll, prey.hand, spent), with_hand(target, prey.other, spoiled)
    after = next((each for each in sets(spoiled) if each.die == prey.target.die), None)
    said = OreGobbled(roll, prey.own, target, prey.other, prey.target, spoils, after)
    return Step(with_roll(with_roll(table, target), roll), (said,))


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
