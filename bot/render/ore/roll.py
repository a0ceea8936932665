"""One-Roll rolls in words and buttons: the sets, then every die (O1 to O5)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from bot.language import later, say, say_of
from bot.language.line import Text, capital, heading, joined, spoken, together
from bot.render.parts import listed, roller
from rules.ore import pool
from rules.ore.model import ORE, OreHand, OreKind, OreRoll, acting, idle, latest, loose, order, sets
from rules.ore.pool import FEWEST, MOST, MOST_IN_CROWD, OrePool, QuickDice, write
from rules.table import Table
from rules.values import exhaustive

POOLS_ON_PAGE = 25
"""A crowd is shown so many pools at a time."""
_POOL = later("Pool {number}, {pool}: {result}. {dice}")
_ACTION = later("Action {number}, {pool}: {result}. {dice}")
"""One of several pools, and of several actions."""


def special(name: str) -> Text:
    """What a game calls its wiggle dice, or its expert die."""
    return spoken(pool.special(name))


def ore_lines(roll: OreRoll, page: int = 0) -> list[Text]:
    """Everything there is to say about a roll."""
    note = [roll.note] if roll.note else []
    return [heading(headline(roll)), *note, *KINDS[roll.kind].details(roll, page)]


def _pools(roll: OreRoll, page: int) -> list[Text]:
    return [_numbered(_POOL, n, hand, MOST_IN_CROWD) for n, hand in pools_on(roll, page)]


def pools_on(roll: OreRoll, page: int) -> list[tuple[int, OreHand]]:
    """A page of the pools of a crowd, each with its number from 1 on, the best sets first."""
    found = list(enumerate(roll.hands, 1))
    found.sort(key=lambda each: ([order(one) for one in sets(each[1])], -each[0]), reverse=True)
    start = page % pages_of(roll) * POOLS_ON_PAGE
    return found[start : start + POOLS_ON_PAGE]


def _all_actions(roll: OreRoll, page: int) -> list[Text]:
    return [_numbered(_ACTION, n, hand) for n, hand in enumerate(roll.hands, 1)]


def _of_one(roll: OreRoll, page: int) -> list[Text]:
    return _details(roll.hands[0])


def headline(roll: OreRoll) -> Text:
    """Who rolled, and the sets: `Alice: 3×7 (widest), 2×10 (highest), loose 3`."""
    return KINDS[roll.kind].headline(roll)


def _actions(roll: OreRoll) -> Text:
    return say_of(
        len(roll.hands),
        "{who}: {count} action with {dice}d: {results}",
        "{who}: {count} actions with {dice}d: {results}",
        who=roller(roll.who),
        dice=roll.hands[0].pool.dice,
        results=joined(say(", then "), map(_result_of_action, roll.hands)),
    )


def _one(roll: OreRoll) -> Text:
    hand = roll.hands[0]
    line = together(roller(roll.who), ": ", result(hand))
    if not hand.waiting:
        return line
    return say_of(
        hand.waiting,
        "{line}, {count} {name} die still to place",
        "{line}, {count} {name} dice still to place",
        line=line,
        name=special(hand.pool.wiggle_name),
    )


def _crowd(roll: OreRoll) -> Text:
    made = sum(bool(sets(hand)) for hand in roll.hands)
    pools = {hand.pool for hand in roll.hands}
    if len(pools) > 1:
        return say_of(
            len(roll.hands),
            "{who}: {count} quick roll, {made} with a set",
            "{who}: {count} quick rolls, {made} with a set",
            who=roller(roll.who),
            made=made,
        )
    return say_of(
        len(roll.hands),
        "{who}: {count} quick roll of {dice}, {made} with a set",
        "{who}: {count} quick rolls of {dice}, {made} with a set",
        who=roller(roll.who),
        dice=pool_words(roll.hands[0].pool, MOST_IN_CROWD),
        made=made,
    )


def whose(roll: OreRoll, hand: int) -> Text:
    """Whose set it is: of a crowd which pool, of several actions which one."""
    who = say("{who} ({note})", who=roller(roll.who), note=roll.note) if roll.note else roller(roll.who)
    return say(KINDS[roll.kind].whose, who=who, number=hand + 1)


def result(hand: OreHand) -> Text:
    """The sets of a pool, of several the widest and the highest marked, and the loose dice of a full roll."""
    made = sets(hand)
    highest = max(made, key=lambda one: one.height, default=None)
    said: list[Text] = []
    for place, one in enumerate(made):
        marks = [say("widest")] if place == 0 else []
        marks += [say("highest")] if one == highest else []
        said.append(together(str(one), " (", listed(marks), ")") if marks and len(made) > 1 else str(one))
    single = loose(hand) if hand.quick is None else ()
    return joined(
        ", ", [*(said or [say("no set")]), *([say("loose {dice}", dice=row(single))] if single else [])]
    )


def _result_of_action(hand: OreHand) -> Text:
    """The sets of one action, and whether its wiggle dice are still to be placed."""
    if not hand.waiting:
        return result(hand)
    name = special(hand.pool.wiggle_name)
    placing = say_of(
        hand.waiting, "{count} {name} die still to place", "{count} {name} dice still to place", name=name
    )
    return together(result(hand), " (", placing, ")")


def seen(roll: OreRoll) -> Text:
    """A roll in one line, for the log: every die that was seen, and what it was for."""
    return together(_seen(roll), ". ", roll.note) if roll.note else _seen(roll)


def _seen(roll: OreRoll) -> Text:
    if roll.kind in (OreKind.FULL, OreKind.QUICK):
        return together(headline(roll), " (", joined("; ", _details(roll.hands[0])), ")")
    if roll.kind is OreKind.ACTIONS:
        thrown = joined("; ", (row(_faces(hand)) or say("no dice") for hand in roll.hands))
        return together(headline(roll), " (", thrown, ")")
    rows = (
        together(n, ". ", result(hand), " (", row(_faces(hand)) or say("nothing rolled"), ")")
        for n, hand in enumerate(roll.hands, 1)
    )
    return together(headline(roll), ": ", joined(", ", rows))


def open_lines(rolls: Iterable[OreRoll], links: Mapping[int, str]) -> list[Text]:
    """Those rolls whose wiggle dice are still to be placed."""
    waiting = [roll for roll in rolls if any(hand.waiting for hand in roll.hands)]
    return [together(say("Open: {roll}", roll=headline(roll)), _link(links, roll.number)) for roll in waiting]


def order_lines(table: Table, links: Mapping[int, str]) -> list[Text]:
    """The order of action: `1. Bob: 3×7`, equal sets at the same place, and who has no set."""
    if not ORE.of(table).rolls:
        return [say("No One-Roll roll is open. Example: /ore roll dice:5d 2w")]
    lines = [
        together(each.place, ". ", whose(each.roll, each.hand), ": ", str(each.made))
        for each in acting(table)
    ]
    none = idle(table)
    waiting = open_lines(latest(table), links)
    without = [say("{who}: no set", who=listed(none))] if none else []
    return [say("Order of action:"), *lines, *without, *waiting]


def _details(hand: OreHand) -> list[Text]:
    """Every die of a pool: those rolled, those fixed, and where the wiggle dice are."""
    pool = hand.pool
    fixed = (
        (hand.faces, row(hand.faces)),
        (hand.quick, _quick_dice(hand, hand.quick or QuickDice())),
        (pool.hard, say("hard {dice}", dice=row((10,) * pool.hard))),
        (pool.expert, together(special(pool.expert_name), " ", pool.expert)),
        (pool.called, say("called {value}", value=pool.called)),
        (hand.to, say("the 10 counts as {height}", height=hand.to)),
        (hand.placed, together(special(pool.wiggle_name), " ", row(hand.placed))),
        (hand.spoiled, say("spoiled {dice}", dice=row(hand.spoiled))),
        (hand.spent, say("gobbling {dice}", dice=row(hand.spent))),
    )
    shown = joined(", ", (text for is_there, text in fixed if is_there)) or say("none rolled")
    if hand.quick:
        return [say("Quick roll of {pool}: {dice}", pool=pool_words(pool), dice=shown)]
    return [say("Dice of {pool}: {dice}", pool=pool_words(pool), dice=shown)]


def pool_words(pool: OrePool, most: int = MOST) -> Text:
    """The dice of a pool, and what was typed for them: `10d (Body 8d + Fight 5d, 3 over 10)`."""
    dice = write(pool)
    if pool.over:
        return say(
            "{dice} ({typed}, {over} over {most})",
            dice=dice,
            typed=pool.typed,
            over=pool.over,
            most=most,
        )
    return say("{dice} ({typed})", dice=dice, typed=pool.typed) if pool.typed else dice


def _quick_dice(hand: OreHand, dice: QuickDice) -> Text:
    """The dice of a quick roll: `Width d10: 5, Height d10: 6`."""
    said = [say("Width d10: {face}", face=dice.width)] if dice.width else []
    said += [say("Second d10: {face}", face=dice.second)] if dice.second else []
    said += [say("Height d10: {face}", face=height) for height in dice.heights]
    return joined(", ", said) or say("pools below {fewest}d have no width", fewest=FEWEST)


def _numbered(text: str, number: int, hand: OreHand, most: int = MOST) -> Text:
    """A pool of several: `Pool 3, 4d: 2×8. Width d10: 7, Height d10: 8`."""
    dice = _quick_dice(hand, hand.quick) if hand.quick else say("rolled {dice}", dice=row(hand.faces))
    pool = pool_words(hand.pool, most)
    dice = capital(dice)
    if hand.to:
        dice = together(dice, ", ", say("the 10 counts as {height}", height=hand.to))
    if hand.placed:
        dice = together(dice, ", ", special(hand.pool.wiggle_name), " ", row(hand.placed))
    if hand.spoiled:
        dice = together(dice, ", ", say("spoiled {dice}", dice=row(hand.spoiled)))
    return say(text, number=number, pool=pool, result=result(hand), dice=dice)


def _faces(hand: OreHand) -> tuple[int, ...]:
    """The faces of a roll, those of a quick one in the order rolled."""
    return hand.quick.thrown if hand.quick else hand.faces


def pages_of(roll: OreRoll) -> int:
    """How many pages a roll is shown on."""
    is_long = roll.kind is OreKind.CROWD
    return -(-len(roll.hands) // POOLS_ON_PAGE) if is_long else 1


def row(numbers: tuple[int, ...]) -> str:
    """Dice one after the other: `7 7 3`."""
    return " ".join(map(str, numbers))


def _link(links: Mapping[int, str], number: int) -> str:
    return f" {links[number]}" if number in links else ""


@dataclass(frozen=True, slots=True)
class OreWords:
    """A way to roll a One-Roll pool: its title, its page of details, whose a set of it is."""

    headline: Callable[[OreRoll], Text]
    details: Callable[[OreRoll, int], list[Text]]
    whose: str = later("{who}")


KINDS: Mapping[OreKind, OreWords] = exhaustive(
    OreKind,
    {
        OreKind.FULL: OreWords(_one, _of_one),
        OreKind.QUICK: OreWords(_one, _of_one),
        OreKind.ACTIONS: OreWords(_actions, _all_actions, later("{who}, action {number}")),
        OreKind.CROWD: OreWords(_crowd, _pools, later("{who}, pool {number}")),
    },
)
