"""One-Roll rolls in words and buttons: the sets, then every die (O1 to O5)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from bot.render.card import Button, Card, Field, Form, Option, Tone
from bot.render.forms import MOST_IN_MENU, pick
from rules.cortex.table import Table
from rules.names import listed
from rules.ore.gobble import can_gobble, preys, told
from rules.ore.order import acting, idle, latest
from rules.ore.pool import write
from rules.ore.quick import FEWEST, QuickDice
from rules.ore.sets import OreHand, OreKind, OreRoll, loose, order, sets
from rules.ore.wiggle import best, changeable, offered

POOLS_ON_PAGE = 25
"""A crowd is shown so many pools at a time."""
AT = "at"
"""The sign before the heights of an option, so that no height is taken for the option's number."""
LOOK = "No One-Roll roll is open. Example: /ore roll dice:5d 2w"


def ore_card(table: Table, roll: OreRoll, page: int = 0) -> Card:
    """A roll as it is now, with what can be done with it; a crowd page by page."""
    rows = tuple(row for row in (_buttons(table, roll, page),) if row)
    return Card(tuple(ore_lines(roll, page)), rows, roll=roll)


def ore_lines(roll: OreRoll, page: int = 0) -> list[str]:
    """Everything there is to say about a roll."""
    note = [f"For: {roll.note}"] if roll.note else []
    match roll.kind:
        case OreKind.CROWD:
            found = list(enumerate(roll.hands, 1))
            found.sort(key=lambda each: ([order(one) for one in sets(each[1])], -each[0]), reverse=True)
            start = page % _pages(roll) * POOLS_ON_PAGE
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
    return ", ".join([*(said or ["no set"]), *([f"loose {_row(single)}"] if single else [])])


def seen(roll: OreRoll) -> str:
    """A roll in one line, for the log: every die that was seen."""
    if roll.kind in (OreKind.FULL, OreKind.QUICK):
        return f"{headline(roll)} ({'; '.join(_details(roll.hands[0]))})"
    if roll.kind is OreKind.ACTIONS:
        return f"{headline(roll)} ({'; '.join(_row(_faces(hand)) or 'no dice' for hand in roll.hands)})"
    rows = (
        f"{n}. {result(hand)} ({_row(_faces(hand)) or 'nothing rolled'})"
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


def place_form(hand: OreHand) -> Form:
    """Where wiggle dice go: the best width and the best height first, any other typed (O1, O3)."""
    marked = best(hand)
    ways = [Option(_way(hand, way, marked), f"{AT} {_row(way)}") for way in offered(hand)]
    example = _row((6,) * hand.pool.wiggle)
    typed = Field("Dice", hint=f"Or a height for each, such as {example}", required=False)
    now = f"{AT} {_row(hand.placed)}"
    chosen = now if now in [option.value for option in ways] else ""
    return Form(f"Place {hand.pool.wiggle_name} dice", (pick("What", ways, chosen), typed))


def gobble_form(table: Table, roll: OreRoll) -> Form:
    """Which set of somebody else's is spoiled, and by how many dice; those that fit no menu are typed."""
    found = preys(table, roll)
    options = [Option(_cut(told(table, prey)), prey.sign) for prey in found]
    most = min(max(prey.own.width for prey in found), max(prey.target.width for prey in found))
    counts = (Option("As many as it takes", "0"), *(Option(str(n), str(n)) for n in range(1, most + 1)))
    fields = [pick("What", options), Field("How many", "0", counts)]
    if len(found) > MOST_IN_MENU:
        hint = f"Or another of all {len(found)}: {options[-1].label}"
        fields.insert(1, Field("Set", hint=hint[:100], required=False, longest=400))
    return Form(f"Gobble for {roll.who}", tuple(fields))


def _buttons(table: Table, roll: OreRoll, page: int) -> tuple[Button, ...]:
    """What the roller may do, as long as the roll is open; the pages of a crowd."""
    row = []
    if roll.number in table.ore:
        hand = roll.hands[0]
        if hand.pool.wiggle and not (hand.placed and hand.is_settled):
            row.append(
                Button("Place" if hand.waiting else "Place again", "place", roll.number, tone=Tone.MAIN)
            )
        for height in changeable(hand) if roll.kind is OreKind.QUICK else ():
            label = f"Height {hand.to or 10} to {height}"
            row.append(Button(label, "height", roll.number, str(height)))
        if can_gobble(roll):
            row.append(Button("Gobble", "gobble", roll.number))
    if _pages(roll) > 1:
        following = (page + 1) % _pages(roll)
        label = f"Page {following + 1} of {_pages(roll)}"
        row.append(Button(label, "orepage", roll.number, str(following)))
    return tuple(row)


def _details(hand: OreHand) -> list[str]:
    """Every die of a pool: those rolled, those fixed, and where the wiggle dice are."""
    pool = hand.pool
    fixed = (
        (hand.faces, _row(hand.faces)),
        (hand.quick, _quick_dice(hand, hand.quick or QuickDice())),
        (pool.hard, f"hard {_row((10,) * pool.hard)}"),
        (pool.expert, f"{pool.expert_name} {pool.expert}"),
        (pool.called, f"called {pool.called}"),
        (hand.to, f"the 10 counts as {hand.to}"),
        (hand.placed, f"{pool.wiggle_name} {_row(hand.placed)}"),
        (hand.spoiled, f"spoiled {_row(hand.spoiled)}"),
        (hand.spent, f"gobbling {_row(hand.spent)}"),
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
    spoiled = f", spoiled {_row(hand.spoiled)}" if hand.spoiled else ""
    return f"{word} {number}, {pool}: {result(hand)}. {dice[0].upper()}{dice[1:]}{spoiled}"


def _way(hand: OreHand, way: tuple[int, ...], marked: tuple[tuple[int, ...], ...]) -> str:
    """One way to place wiggle dice, and what it makes: `On 7 and 7, the widest: 4×7, 2×3`."""
    made = ", ".join(map(str, sets(replace(hand, placed=way))))
    marks = [mark for mark, one in zip(("widest", "highest"), marked, strict=True) if one == way]
    return f"On {listed(map(str, way))}{', the ' if marks else ''}{' and '.join(marks)}: {made}"


def _faces(hand: OreHand) -> tuple[int, ...]:
    """The faces of a quick roll, in the order rolled."""
    dice = hand.quick or QuickDice()
    return tuple(face for face in (dice.width, dice.second, *dice.heights) if face)


def _pages(roll: OreRoll) -> int:
    is_long = roll.kind is OreKind.CROWD
    return -(-len(roll.hands) // POOLS_ON_PAGE) if is_long else 1


def _row(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def _cut(said: str) -> str:
    """A set with whose it is, short enough for a label."""
    who, _, what = said.rpartition(": ")
    return f"{who if len(who) <= 70 else f'{who[:35]}…{who[-34:]}'}: {what}"


def _link(links: Mapping[int, str], number: int) -> str:
    return f" {links[number]}" if number in links else ""
