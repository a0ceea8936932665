"""Roll One-Roll pools and change them afterwards: wiggle dice, tens, gobbling, crowds (O1 to O5)."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from rules.campaign.rolls import find_roller, require_roller
from rules.campaign.seats import Actor, require_gm
from rules.dice import Throw
from rules.errors import Ambiguous, NotAllowed, TooLate, Unknown
from rules.game import Step
from rules.names import key, one_of, remark
from rules.ore import model
from rules.ore.model import (
    HEIGHTS,
    ORE,
    OneRollRating,
    OreChanged,
    OreClosed,
    OreGobbled,
    OreHand,
    OreKind,
    OreRoll,
    OreRolled,
    OreSet,
    counting,
    heights,
    order,
    set_owner,
    sets,
    wide,
)
from rules.ore.notation import read, read_crowd, read_difficulty
from rules.ore.pool import MOST, SIDES, WIDEST, OrePool, special
from rules.table import Table
from rules.terms import later
from rules.text import Words, shorten
from rules.values import Value, replace

MOST_OFFERED = 7
"""So many ways to place wiggle dice are offered; any other can be typed."""


def offered(hand: OreHand) -> list[tuple[int, ...]]:
    """Return ways to place all wiggle dice to make sets, without duplicates.

    The widest set comes first, then the highest, then the other ways with all dice together, then those
    that split them.
    """
    if not hand.pool.wiggle:
        return []
    found = [*best(hand), *_of_use(hand, _together(hand)), *_of_use(hand, _parted(hand))]
    return list(dict.fromkeys(found))[:MOST_OFFERED]


def best(hand: OreHand) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the placement of all wiggle dice that makes the widest set, and the one for the highest."""
    together = _of_use(hand, _together(hand))
    return together[0], max(together, key=lambda way: _height(hand, way))


def placed(hand: OreHand, where: Iterable[int]) -> OreHand:
    """Return the hand with all its wiggle dice placed at those heights.

    Raises NotAllowed if the number doesn't match, a quick roll has no die to join there, or nothing
    would change.
    """
    ways = tuple(sorted(where, reverse=True))
    pool = hand.pool
    if not pool.wiggle:
        raise NotAllowed("That roll has no wiggle dice.")
    example = " ".join(["6"] * pool.wiggle)
    if len(ways) != pool.wiggle or any(height not in HEIGHTS for height in ways):
        raise NotAllowed(
            "Give each {wiggle_name} die a height from 1 to {sides} ({wiggle} in all). Example: {example}",
            sides=SIDES,
            wiggle=pool.wiggle,
            wiggle_name=special(pool.wiggle_name),
            example=example,
        )
    lost = [height for height in ways if not _may_be_at(hand, height, ways.count(height))]
    if lost:
        raise NotAllowed(
            "You can't set a single {wiggle_name} die to {lost}: no other die shows that height. Try "
            "{shown}, or set two or more to the same height.",
            wiggle_name=special(pool.wiggle_name),
            lost=lost[0],
            shown=one_of(_joinable(hand)),
        )
    after = replace(hand, placed=ways)
    if hand.placed == ways:
        raise NotAllowed(
            "The {wiggle_name} dice are already at those heights.", wiggle_name=special(pool.wiggle_name)
        )
    return after


def changeable(hand: OreHand) -> list[int]:
    """Return the heights that a quick set of tens may be changed to, or back to (O3)."""
    if not hand.quick or not wide(hand) or hand.quick.heights[0] != SIDES or hand.is_settled:
        return []
    now = hand.to or SIDES
    values = (SIDES, hand.pool.expert, hand.pool.called)
    return [value for value in dict.fromkeys(values) if value and value != now]


def change_tens_of(hand: OreHand, height: int) -> OreHand:
    """Return the hand with its set of tens at another height, and its wiggle dice to be placed again.

    Raises NotAllowed if the set can't have that height.
    """
    if height not in changeable(hand):
        raise NotAllowed("That set already has that height, or can't change to it.")
    return replace(hand, to=0 if height == SIDES else height, placed=())


def _may_be_at(hand: OreHand, height: int, count: int) -> bool:
    return count > 1 or hand.quick is None or height in _joinable(hand)


def _joinable(hand: OreHand) -> list[int]:
    """The heights of a quick roll at which there is something for a single wiggle die to join."""
    fixed = [height for height in HEIGHTS if hand.pool.fixed(height)]
    return sorted({*heights(hand), *fixed})


def _together(hand: OreHand) -> Iterable[tuple[int, ...]]:
    """All wiggle dice at one height."""
    return ((height,) * hand.pool.wiggle for height in reversed(HEIGHTS))


def _parted(hand: OreHand) -> Iterable[tuple[int, ...]]:
    """The wiggle dice at two heights."""
    count = hand.pool.wiggle
    return (
        tuple(sorted((one,) * some + (other,) * (count - some), reverse=True))
        for one in reversed(HEIGHTS)
        for other in range(one - 1, 0, -1)
        for some in range(count - 1, 0, -1)
    )


def _of_use(hand: OreHand, ways: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Those ways that put every wiggle die into a set, the one with the best sets first."""
    allowed = [way for way in ways if all(_may_be_at(hand, height, way.count(height)) for height in {*way})]
    made = {way: sets(replace(hand, placed=way)) for way in allowed}
    useful = [way for way in allowed if {one.height for one in made[way]}.issuperset(way)]
    return sorted(useful, key=lambda way: list(map(order, made[way])), reverse=True)


def _height(hand: OreHand, way: tuple[int, ...]) -> tuple[int, int, list[tuple[int, int]]]:
    made = sets(replace(hand, placed=way))
    best = max(made, key=lambda one: (one.height, one.width), default=OreSet(0, 0))
    return best.height, best.width, list(map(order, made))


How = Callable[[Table, Actor, Throw, OrePool, str | None, str | None, OreSet, int], Step]
"""A way to roll a pool."""


NO_DIFFICULTY = OreSet(0, 0)
"""Every set counts."""


OPEN_ROLLS = 30
"""A table keeps this many One-Roll rolls open; an older one closes."""


OPEN_HANDS = 150
"""And so many pools in all of them: a crowd has many."""


def typed(
    table: Table,
    actor: Actor,
    how: How,
    throw: Throw,
    dice: str,
    hard: int = 0,
    wiggle: int = 0,
    expert: int | None = None,
    called: int | None = None,
    who: str | None = None,
    note: str | None = None,
    width: int | None = None,
    height: int | None = None,
    against: int = 0,
) -> Step:
    """Roll a typed pool, with names from the roller's sheet, by `full` or `quick` (O1, O2).

    A set needs `width` and `height` to count (O6); `against` is the number of a roll to oppose. Raises
    NotAllowed for a difficulty that no set can have, TooLate if that roll is closed, and what `pool_of`
    raises.
    """
    pool, least = needing(table, actor, dice, hard, wiggle, expert, called, who, width, height)
    if against:
        require_opposable(table, against, find_roller(table, actor, who)[0])
    return how(table, actor, throw, pool, who, note, least, against)


def needing(
    table: Table,
    actor: Actor,
    dice: str,
    hard: int = 0,
    wiggle: int = 0,
    expert: int | None = None,
    called: int | None = None,
    who: str | None = None,
    width: int | None = None,
    height: int | None = None,
) -> tuple[OrePool, OreSet]:
    """Return a typed pool, and the least set that counts, as typed (`5d width 3`) or by option (O6).

    Raises what `pool_of` and `difficulty` raise, and NotAllowed for a difficulty given twice.
    """
    dice, needs = read_difficulty(dice, ratings(table, actor, who).values())
    for name, option in (("width", width), ("height", height)):
        if option is not None and needs.setdefault(name, option) != option:
            raise NotAllowed("{name} is there twice. Type it once.", name=name)
    pool = pool_of(table, actor, dice, hard, wiggle, expert, called, who)
    return pool, difficulty(needs.get("width"), needs.get("height"))


def require_opposable(table: Table, against: int, name: str) -> None:
    """Check that a roll is open and of somebody else. Raises TooLate or NotAllowed.

    The GM rolls for many, who may be on different sides.
    """
    opposed = find(table, against)
    if opposed.who == name and not opposed.gm:
        raise NotAllowed("That's {name}'s own roll. Choose another one to oppose.", name=name)


def difficulty(width: int | None, height: int | None) -> OreSet:
    """Return the least set that counts (O6). Raises NotAllowed for a width or height that no set can have."""
    for value, least, most, name in ((width, 2, WIDEST, Words("width")), (height, 1, SIDES, Words("height"))):
        if value is not None and not least <= value <= most:
            raise NotAllowed(
                "A difficulty's {name} is {least} to {most}, not {value}.",
                name=name,
                least=least,
                most=most,
                value=value,
            )
    return OreSet(width or 0, height or 0)


def pool_of(
    table: Table,
    actor: Actor,
    dice: str,
    hard: int = 0,
    wiggle: int = 0,
    expert: int | None = None,
    called: int | None = None,
    who: str | None = None,
) -> OrePool:
    """Parse a pool, with names from the roller's sheet.

    Raises Unreadable or NotAllowed if it isn't a pool; Unknown or Ambiguous for names; Undecided if it
    has two readings.
    """
    known = ratings(table, actor, who)
    return read(dice, known, actor.agreed, hard=hard, wiggle=wiggle, expert=expert, called=called)


def ratings(table: Table, actor: Actor, who: str | None = None) -> Mapping[str, OneRollRating]:
    """Return the roller's ratings, by key; none for the GM."""
    sheet = table.characters.get(key(find_roller(table, actor, who)[0]))
    return ORE.has(sheet).ratings if sheet else {}


def full(
    table: Table,
    actor: Actor,
    throw: Throw,
    pool: OrePool,
    who: str | None = None,
    note: str | None = None,
    least: OreSet = NO_DIFFICULTY,
    against: int = 0,
) -> Step:
    """Roll every die of a pool (O1)."""
    return new_roll(table, actor, OreKind.FULL, lambda: (model.full(pool, throw),), who, note, least, against)


def quick(
    table: Table,
    actor: Actor,
    throw: Throw,
    pool: OrePool,
    who: str | None = None,
    note: str | None = None,
    least: OreSet = NO_DIFFICULTY,
    against: int = 0,
) -> Step:
    """Roll a width die and a height die for a pool (O2, O3)."""
    return new_roll(
        table, actor, OreKind.QUICK, lambda: (model.fast(pool, throw),), who, note, least, against
    )


def new_roll(
    table: Table,
    actor: Actor,
    kind: OreKind,
    thrown: Callable[[], tuple[OreHand, ...]],
    who: str | None = None,
    note: str | None = None,
    least: OreSet = NO_DIFFICULTY,
    against: int = 0,
) -> Step:
    """Put a new roll of a character or the GM on the table."""
    (name, gm), said, number = find_roller(table, actor, who), remark(note), table.number + 1
    return made(
        table,
        OreRoll(number, actor.id, name, thrown(), kind, gm, said, least.width, least.height, against),
    )


def made(table: Table, roll: OreRoll) -> Step:
    """Put a new roll on the table; the oldest ones close if there are too many."""
    here = ORE.of(table)
    kept = {**here.rolls, roll.number: roll}
    while len(kept) > OPEN_ROLLS or (len(kept) > 1 and sum(len(r.hands) for r in kept.values()) > OPEN_HANDS):
        del kept[min(kept)]
    return Step(ORE.put(table, replace(here, rolls=kept)), (OreRolled(roll),))


def place(table: Table, actor: Actor, number: int, where: Iterable[int], hand: int = 0) -> Step:
    """Place the wiggle dice of a pool, or move them (roller only; O1, O3)."""
    roll, before = placeable(table, actor, number, hand)
    after = placed(before, where)
    fresh = with_hand(roll, hand, after)
    return Step(with_roll(table, fresh), (OreChanged(fresh, placed=after.placed),))


def change_tens(table: Table, actor: Actor, number: int, height: int, hand: int = 0) -> Step:
    """Change a quick set of tens to the expert or called value, or back (roller only; O3)."""
    roll, before = changeable_tens(table, actor, number, hand)
    require_unsettled(before)
    fresh = with_hand(roll, hand, change_tens_of(before, height))
    return Step(with_roll(table, fresh), (OreChanged(fresh, tens=height),))


def placeable(table: Table, actor: Actor, number: int, hand: int = 0) -> tuple[OreRoll, OreHand]:
    """Return the roll and the pool whose wiggle dice the roller wants to place or move."""
    roll, found = changeable_tens(table, actor, number, hand)
    if found.placed:
        require_unsettled(found)
    return roll, found


def changeable_tens(table: Table, actor: Actor, number: int, hand: int = 0) -> tuple[OreRoll, OreHand]:
    """Return the open roll and pool to change.

    Raises NotAllowed if the roll isn't the actor's or has no such pool; TooLate if it is closed.
    """
    roll = find(table, number)
    require_roller(table, actor, roll)
    if hand >= len(roll.hands):
        raise NotAllowed("That pool isn't in the roll. Press one of the roll's buttons.")
    return roll, roll.hands[hand]


def with_hand(roll: OreRoll, place: int, hand: OreHand) -> OreRoll:
    """Return the roll with a pool replaced."""
    return replace(roll, hands=(*roll.hands[:place], hand, *roll.hands[place + 1 :]))


def require_unsettled(hand: OreHand) -> None:
    """Check that a roll's dice haven't gobbled, been gobbled or hit. Raises TooLate if they have."""
    if hand.is_settled:
        raise TooLate(
            "Dice in that roll have gobbled, been gobbled or hit, so the roll can't change. If that was the "
            "last step, you can take it back: /undo"
        )


def find(table: Table, number: int) -> OreRoll:
    """Return the open One-Roll roll of that number. Raises TooLate if it is closed or was undone."""
    here = ORE.of(table)
    if number not in here.rolls:
        raise TooLate(
            "That roll is closed: the {scene.one} or round has ended, or the roll was undone or is too "
            "old. To roll again: /ore roll"
        )
    return here.rolls[number]


def with_roll(table: Table, roll: OreRoll) -> Table:
    """Return the table with this roll replaced."""
    here = ORE.of(table)
    return ORE.put(table, replace(here, rolls={**here.rolls, roll.number: roll}))


def clear(table: Table, actor: Actor, until: int | None = None) -> Step:
    """Close the One-Roll rolls for a new round, those after the roll `until` excepted.

    Raises NotAllowed if there are none or the actor isn't GM.
    """
    here = ORE.of(table)
    require_gm(table, actor, Words("close the One-Roll rolls"))
    left = {number: each for number, each in here.rolls.items() if until is not None and number > until}
    closed = [each.who for number, each in here.rolls.items() if number not in left]
    if not closed:
        raise NotAllowed("No One-Roll roll is open. Example: /ore roll dice:5d 2w")
    return Step(ORE.put(table, replace(here, rolls=left)), (OreClosed(tuple(dict.fromkeys(closed))),))


def next_round(table: Table, actor: Actor, until: int) -> Step:
    """Close the rolls of a round for the next one; `until` is the newest roll that the GM saw.

    A roll made in the meantime stays open. Raises TooLate if that round is over.
    """
    if min(ORE.of(table).rolls, default=until + 1) > until:
        raise TooLate("That round is over. Roll for the next one.")
    return clear(table, actor, until)


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
        same = [one for one in left if one.height == struck.height]
        if same:
            left.remove(struck if struck in same else same[0])
    return left


def dice_left(hand: OreHand, own: OreSet) -> int:
    """Return how many dice of a set haven't gobbled yet."""
    return min(own.width, model.counts(hand)[own.height] - hand.spent.count(own.height))


def speed(hand: OreHand, one: OreSet) -> int:
    """Return the width at which a set was rolled; spoiled dice don't make it slower."""
    return one.width + hand.spoiled.count(one.height)


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
    """Return the sets of others that the roll can gobble, each once: newest roll first, then widest set."""
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
    return sorted(
        dict.fromkeys(found),
        key=lambda prey: (prey.roll == roll.against, prey.roll, order(prey.target), order(prey.own)),
        reverse=True,
    )


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
    spent = replace(hand, spent=(*hand.spent, *(prey.own.height,) * spoils))
    theirs = target.hands[prey.other]
    spoiled = replace(theirs, spoiled=(*theirs.spoiled, *(prey.target.height,) * spoils))
    roll, target = with_hand(roll, prey.hand, spent), with_hand(target, prey.other, spoiled)
    after = next((each for each in sets(spoiled) if each.height == prey.target.height), None)
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


MOST_POOLS = 50
"""A crowd has at most this many pools."""


LONGEST = 1000
"""Longer text is no crowd."""


def actions(
    table: Table,
    actor: Actor,
    throw: Throw,
    dice: Sequence[str],
    who: str | None = None,
    note: str | None = None,
) -> Step:
    """Roll several actions at once: the smallest pool less 1d, for each in turn (O4).

    Raises NotAllowed for fewer than two pools, and what parsing them raises.
    """
    known = ratings(table, actor, who)
    pools = [read(text, known, actor.agreed) for text in dice]
    if len(pools) < 2:
        raise NotAllowed("Each action needs a pool. Example: /ore actions dice:8d second:6d")
    return new_roll(table, actor, OreKind.ACTIONS, lambda: in_turn(pools, throw), who, note)


def in_turn(pools: Sequence[OrePool], throw: Throw) -> tuple[OreHand, ...]:
    """Return the quick roll of each action; the width of each set leaves fewer dice for the next (O4).

    Special dice belong to their own action, and aren't used up (O3). The die that is taken off is one
    over the limit, if there are any.
    """
    least = min(pool.dice + pool.over for pool in pools) - 1
    left, over = min(MOST, least), max(0, least - MOST)
    hands: list[OreHand] = []
    for each in pools:
        pool = replace(each, dice=max(left, 0), called=each.called if left > 0 else 0, over=over)
        hands.append(model.fast(_without_lone(pool), throw))
        left -= wide(hands[-1])
    return tuple(hands)


def _without_lone(pool: OrePool) -> OrePool:
    """A pool without its only wiggle die, where no other die is left for it to join (O3)."""
    is_lone = pool.wiggle == 1 and not (pool.dice or pool.hard or pool.expert)
    return replace(pool, wiggle=0) if is_lone else pool


def crowd(
    table: Table, actor: Actor, throw: Throw, dice: str, count: int = 1, note: str | None = None
) -> Step:
    """Roll many pools at once, separated by commas, `count` times each (O5)."""
    pools = pools_of(dice, count, ratings(table, actor), actor.agreed)
    return new_roll(table, actor, OreKind.CROWD, lambda: model.crowd(pools, throw), None, note)


def pools_of(
    dice: str,
    count: int = 1,
    known: Mapping[str, OneRollRating] | None = None,
    decided: Collection[str] = (),
) -> list[OrePool]:
    """Return the pools of a crowd, repeated `count` times. Raises NotAllowed for none or too many.

    >>> len(pools_of("4d, 6d", 3))
    6
    """
    if not 1 <= count <= MOST_POOLS:
        raise NotAllowed(
            "A crowd can have 1 to {most_pools} pools, not {count}.",
            most_pools=MOST_POOLS,
            count=count,
        )
    if not dice.strip(" ,;\n"):
        raise NotAllowed("A crowd needs pools. Example: /ore crowd dice:4d count:12")
    pools = read_crowd(dice, known, decided) if len(dice) <= LONGEST else []
    if not pools or len(pools) * count > MOST_POOLS:
        raise NotAllowed(
            "That's too many pools; a crowd can have at most {most_pools}.",
            most_pools=MOST_POOLS,
        )
    return [pool for pool in pools for _ in range(count)]
