"""One-Roll rolls in words and buttons: the sets, then every die (O1 to O5)."""

from collections.abc import Iterable, Mapping

from rules.names import listed
from rules.ore.order import acting, idle, latest
from rules.ore.pool import write
from rules.ore.quick import FEWEST, QuickDice
from rules.ore.sets import OreHand, OreKind, OreRoll, loose, order, sets
from rules.table import Table

POOLS_ON_PAGE = 25
"""A crowd is shown so many pools at a time."""
LOOK = "No One-Roll roll is open. Example: /ore roll dice:5d 2w"


def ore_lines(roll: OreRoll, page: int = 0) -> list[str]:
    """Everything there is to say about a roll."""
    note = [f"For: {roll.note}"] if roll.note else []
    match roll.kind:
        case OreKind.CROWD:
            found = list(enumerate(roll.hands, 1))
            found.sort(key=lambda each: ([order(one) for one in sets(each[1])], -each[0]), reverse=True)
            start = page % pages_of(roll) * POOLS_ON_PAGE
            shown = [_numbered("Pool", n, hand) for n, hand in found[start : start + POOLS_ON_PAGE]]
        case OreKind.ACTIONS:
            shown = [_numbered("Action", n, hand) for n, hand in enumerate(roll.hands, 1)]
        case OreKind.FULL | OreKind.QUICK:
            shown = _details(roll.hands[0])
    return [headline(roll), *note, *shown]


def headline(roll: OreRoll) -> str:
    """Who rolled, and the sets: `Alice: 3×7 (widest), 2×10 (highest), loose 3`."""
    match roll.kind:
        case OreKind.CROWD:
            made = sum(bool(sets(hand)) for hand in roll.hands)
            pools = {hand.pool for hand in roll.hands}
            each = f" of {write(roll.hands[0].pool)}" if len(pools) == 1 else ""
            count = len(roll.hands)
            rolled = f"{count} {'pool' if count == 1 else 'pools'}{each} the quick way"
            return f"{roll.who}: {rolled}, {made} with a set"
        case OreKind.ACTIONS:
            results = ", then ".join(result(hand) for hand in roll.hands)
            return f"{roll.who}: {len(roll.hands)} actions with {roll.hands[0].pool.dice}d: {results}"
        case OreKind.FULL | OreKind.QUICK:
            hand = roll.hands[0]
            name = hand.pool.wiggle_name
            dice = f", {hand.waiting} {name} {'die' if hand.waiting == 1 else 'dice'} to place"
            return f"{roll.who}: {result(hand)}{dice if hand.waiting else ''}"


def result(hand: OreHand) -> str:
    """The sets of a pool, of several the widest and the highest marked, and the loose dice of a full roll."""
    made = sets(hand)
    highest = max(made, key=lambda one: one.height, default=None)
    said = []
    for place, one in enumerate(made):
        marks = [m for m, is_it in (("widest", place == 0), ("highest", one == highest)) if is_it]
        said.append(f"{one} ({' and '.join(marks)})" if marks and len(made) > 1 else str(one))
    single = loose(hand) if hand.quick is None else ()
    return ", ".join([*(said or ["no set"]), *([f"loose {row(single)}"] if single else [])])


def seen(roll: OreRoll) -> str:
    """A roll in one line, for the log: every die that was seen."""
    if roll.kind in (OreKind.FULL, OreKind.QUICK):
        return f"{headline(roll)} ({'; '.join(_details(roll.hands[0]))})"
    if roll.kind is OreKind.ACTIONS:
        return f"{headline(roll)} ({'; '.join(row(_faces(hand)) or 'no dice' for hand in roll.hands)})"
    rows = (
        f"{n}. {result(hand)} ({row(_faces(hand)) or 'nothing rolled'})"
        for n, hand in enumerate(roll.hands, 1)
    )
    return f"{headline(roll)}: {', '.join(rows)}"


def open_lines(rolls: Iterable[OreRoll], links: Mapping[int, str]) -> list[str]:
    """Those rolls whose wiggle dice are still to be placed."""
    waiting = [roll for roll in rolls if any(hand.waiting for hand in roll.hands)]
    return [f"Open: {headline(roll)}{_link(links, roll.number)}" for roll in waiting]


def order_lines(table: Table, links: Mapping[int, str]) -> list[str]:
    """The order of action: `1. Bob: 3×7`, equal sets at the same place, and who has no set."""
    if not table.ore:
        return [LOOK]
    lines = [f"{each.place}. {each.who}: {each.made}" for each in acting(table)]
    none = idle(table)
    waiting = open_lines(latest(table), links)
    return ["Order of action:", *lines, *([f"{listed(none)}: no set"] if none else []), *waiting]


def _details(hand: OreHand) -> list[str]:
    """Every die of a pool: those rolled, those fixed, and where the wiggle dice are."""
    pool = hand.pool
    fixed = (
        (hand.faces, row(hand.faces)),
        (hand.quick, _quick_dice(hand, hand.quick or QuickDice())),
        (pool.hard, f"hard {row((10,) * pool.hard)}"),
        (pool.expert, f"{pool.expert_name} {pool.expert}"),
        (pool.called, f"called {pool.called}"),
        (hand.to, f"the 10 counts as {hand.to}"),
        (hand.placed, f"{pool.wiggle_name} {row(hand.placed)}"),
        (hand.spoiled, f"spoiled {row(hand.spoiled)}"),
        (hand.spent, f"gobbling {row(hand.spent)}"),
    )
    shown = ", ".join(text for is_there, text in fixed if is_there)
    return [f"{'Quick roll' if hand.quick else 'Dice'} of {write(pool)}: {shown or 'none is rolled'}"]


def _quick_dice(hand: OreHand, dice: QuickDice) -> str:
    """The dice of a quick roll: `Width d10 → 5, Height d10 → 6`."""
    said = [f"{name} d10 → {face}" for name, face in (("Width", dice.width), ("Second", dice.second)) if face]
    said += [f"Height d10 → {height}" for height in dice.heights]
    return ", ".join(said) or f"no width under {FEWEST}d"


def _numbered(word: str, number: int, hand: OreHand) -> str:
    """A pool of several: `Pool 3, 4d: 2×8. Width d10 → 7, Height d10 → 8`."""
    dice = _quick_dice(hand, hand.quick or QuickDice())
    pool = write(hand.pool) or f"{hand.pool.dice}d"
    spoiled = f", spoiled {row(hand.spoiled)}" if hand.spoiled else ""
    return f"{word} {number}, {pool}: {result(hand)}. {dice[0].upper()}{dice[1:]}{spoiled}"


def _faces(hand: OreHand) -> tuple[int, ...]:
    """The faces of a quick roll, in the order rolled."""
    dice = hand.quick or QuickDice()
    return tuple(face for face in (dice.width, dice.second, *dice.heights) if face)


def pages_of(roll: OreRoll) -> int:
    """How many pages a roll is shown on."""
    is_long = roll.kind is OreKind.CROWD
    return -(-len(roll.hands) // POOLS_ON_PAGE) if is_long else 1


def row(numbers: tuple[int, ...]) -> str:
    """Dice one after the other: `7 7 3`."""
    return " ".join(map(str, numbers))


def _link(links: Mapping[int, str], number: int) -> str:
    return f" {links[number]}" if number in links else ""
