"""Rolls of One-Roll Engine games at a table, and what the roller may change afterwards (O1 to O3)."""

from collections.abc import Callable, Iterable, Mapping

from rules.dice import Throw
from rules.errors import NotAllowed, TooLate
from rules.kinds import key
from rules.names import remark
from rules.ore import throws, wiggle
from rules.ore.facts import OreChanged, OreClosed, OreRolled
from rules.ore.notation import read
from rules.ore.part import ORE, Rating
from rules.ore.pool import OrePool
from rules.ore.sets import OreHand, OreKind, OreRoll
from rules.result import Step
from rules.roller import require_roller, roller
from rules.seats import Actor, require_gm
from rules.table import Table
from rules.values import replace
from rules.words import Words

How = Callable[[Table, Actor, Throw, OrePool, str | None, str | None], Step]
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
) -> Step:
    """Roll a pool as it is typed, with names of the roller's sheet, by `full` or `quick` (O1, O2).

    Raises as `pool_of` does.
    """
    return how(table, actor, throw, pool_of(table, actor, dice, hard, wiggle, expert, called, who), who, note)


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
    """Return the pool that is typed, with names of the roller's sheet.

    Raises Unreadable or NotAllowed for what is no pool, Unknown or Ambiguous for what is no name, Undecided
    where dice can be read in two ways.
    """
    known = ratings(table, actor, who)
    return read(dice, known, actor.agreed, hard=hard, wiggle=wiggle, expert=expert, called=called)


def ratings(table: Table, actor: Actor, who: str | None = None) -> Mapping[str, Rating]:
    """Return the ratings of whoever they roll as, by key; none for the GM."""
    sheet = table.characters.get(key(roller(table, actor, who)[0]))
    return ORE.has(sheet).ratings if sheet else {}


def full(
    table: Table, actor: Actor, throw: Throw, pool: OrePool, who: str | None = None, note: str | None = None
) -> Step:
    """Roll every die of a pool (O1)."""
    return made(table, actor, OreKind.FULL, lambda: (throws.full(pool, throw),), who, note)


def quick(
    table: Table, actor: Actor, throw: Throw, pool: OrePool, who: str | None = None, note: str | None = None
) -> Step:
    """Roll a width die and a height die for a pool (O2, O3)."""
    return made(table, actor, OreKind.QUICK, lambda: (throws.fast(pool, throw),), who, note)


def made(
    table: Table,
    actor: Actor,
    kind: OreKind,
    thrown: Callable[[], tuple[OreHand, ...]],
    who: str | None = None,
    note: str | None = None,
) -> Step:
    """A new roll on the table, thrown by who may; the oldest ones close where there are too many."""
    here = ORE.of(table)
    (name, gm), said = roller(table, actor, who), remark(note)
    roll = OreRoll(table.number + 1, actor.id, name, thrown(), kind, gm, said)
    kept = {**here.rolls, roll.number: roll}
    while len(kept) > OPEN_ROLLS or (len(kept) > 1 and sum(len(r.hands) for r in kept.values()) > OPEN_HANDS):
        del kept[min(kept)]
    return Step(ORE.put(table, replace(here, rolls=kept)), (OreRolled(roll),))


def place(table: Table, actor: Actor, number: int, where: Iterable[int], hand: int = 0) -> Step:
    """The roller places the wiggle dice of a pool, or changes their mind (O1, O3)."""
    roll, before = placeable(table, actor, number, hand)
    after = wiggle.placed(before, where)
    fresh = _with_hand(roll, hand, after)
    return Step(with_roll(table, fresh), (OreChanged(fresh, placed=after.placed),))


def change_tens(table: Table, actor: Actor, number: int, height: int, hand: int = 0) -> Step:
    """The roller changes a quick set of height 10 to the expert or called value, or back (O3)."""
    roll, before = changeable(table, actor, number, hand)
    require_unsettled(before)
    fresh = _with_hand(roll, hand, wiggle.changed(before, height))
    return Step(with_roll(table, fresh), (OreChanged(fresh, tens=height),))


def placeable(table: Table, actor: Actor, number: int, hand: int = 0) -> tuple[OreRoll, OreHand]:
    """The roll and the pool whose wiggle dice they want to place, or to place anew before they are used."""
    roll, found = changeable(table, actor, number, hand)
    if found.placed:
        require_unsettled(found)
    return roll, found


def changeable(table: Table, actor: Actor, number: int, hand: int = 0) -> tuple[OreRoll, OreHand]:
    """The open roll and its pool that they want to change. Raises NotAllowed for who did not roll it."""
    roll = find(table, number)
    require_roller(table, actor, roll)
    if hand >= len(roll.hands):
        raise NotAllowed("That pool isn't in the roll. Press one of the roll's buttons.")
    return roll, roll.hands[hand]


def _with_hand(roll: OreRoll, place: int, hand: OreHand) -> OreRoll:
    """The roll with that pool in the place of what it was."""
    return replace(roll, hands=(*roll.hands[:place], hand, *roll.hands[place + 1 :]))


def require_unsettled(hand: OreHand) -> None:
    """Refuse to change a roll whose dice have gobbled, or been gobbled."""
    if hand.is_settled:
        raise TooLate(
            "Dice in that roll have gobbled or been gobbled, so the roll can't change. If that was the "
            "last step, you can take it back: /undo"
        )


def find(table: Table, number: int) -> OreRoll:
    """The open One-Roll roll of that number. Raises TooLate when it is closed or was undone."""
    here = ORE.of(table)
    if number not in here.rolls:
        raise TooLate(
            "That roll is closed: the {scene.one} or round has ended, or the roll was undone or is too "
            "old. To roll again: /ore roll"
        )
    return here.rolls[number]


def with_roll(table: Table, roll: OreRoll) -> Table:
    """The table with that roll in the place of what it was."""
    here = ORE.of(table)
    return ORE.put(table, replace(here, rolls={**here.rolls, roll.number: roll}))


def clear(table: Table, actor: Actor) -> Step:
    """Close all One-Roll rolls: a new round begins."""
    here = ORE.of(table)
    require_gm(table, actor, Words("close the One-Roll rolls"))
    if not here.rolls:
        raise NotAllowed("No One-Roll roll is open. Example: /ore roll dice:5d 2w")
    who = tuple(dict.fromkeys(roll.who for roll in here.rolls.values()))
    return Step(ORE.put(table, replace(here, rolls={})), (OreClosed(who),))
