"""Roll One-Roll pools and change them afterwards: wiggle dice, tens, rounds, crowds (O1 to O5)."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from rules.campaign.rolls import find_roller, require_roller
from rules.campaign.seats import Actor, require_gm
from rules.dice import Throw
from rules.errors import Closed, NotAllowed, TooLate
from rules.game import Step
from rules.names import key, remark
from rules.ore import model
from rules.ore.model import (
    ORE,
    OneRollRating,
    OreChanged,
    OreClosed,
    OreHand,
    OreKind,
    OreRoll,
    OreRolled,
    OreSet,
    ratings_of,
    wide,
)
from rules.ore.notation import read, read_crowd, read_difficulty
from rules.ore.placing import change_tens_of, offered, placed
from rules.ore.pool import LEAST, MOST, SIDES, WIDEST, OrePool, special
from rules.table import Table
from rules.text import Words
from rules.values import replace

NO_DIFFICULTY = OreSet(0, 0)
"""Every set counts."""


How = Callable[[Table, Actor, Throw, OrePool, str | None, str | None, OreSet, int], Step]
"""A way to roll a pool."""


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
            raise NotAllowed("The {name} is there twice. Type it once.", name=name)
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
    return ratings_of(sheet) if sheet else {}


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
    """Return the roll and the pool whose wiggle dice the roller wants to place or move.

    Raises TooLate if no placement makes a set any more.
    """
    roll, found = changeable_tens(table, actor, number, hand)
    if found.placed:
        require_unsettled(found)
    if found.pool.wiggle and not offered(found):
        raise TooLate(
            "The {wiggle_name} die has nothing to join: no rolled die is left for it.",
            wiggle_name=special(found.pool.wiggle_name),
        )
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
        raise Closed(
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
    is_lone = pool.wiggle == 1 and not pool.rolled and max(map(pool.fixed, model.HEIGHTS)) < LEAST
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
