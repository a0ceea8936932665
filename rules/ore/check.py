"""Whether One-Roll dice that come from outside are such as could have been rolled."""

from collections.abc import Iterator, Mapping

from rules.check import Checks, of_label, of_rolls, too_many
from rules.dice import shorten
from rules.errors import RuleError
from rules.game import Fault
from rules.kinds import key
from rules.ore.part import OreCharacter, OreTable, Rating
from rules.ore.pool import MOST, SIDES, WIDEST, OrePool
from rules.ore.quick import QuickDice
from rules.ore.ratings import MOST_RATINGS, more
from rules.ore.roll import OPEN_ROLLS
from rules.ore.sets import OreHand, OreRoll, wide


def of_pool(pool: OrePool) -> Iterator[Fault]:
    """What is wrong with a pool."""
    for place in ("dice", "hard", "wiggle", "expert", "called"):
        if getattr(pool, place) > MOST:
            yield place, f"{getattr(pool, place)} is too many; {MOST} are the most"
    if pool.called and not pool.dice:
        yield "called", "a called die is one of the normal dice, and there are none"
    for place in ("wiggle_name", "expert_name"):
        if not 1 <= len(getattr(pool, place)) <= MOST * SIDES:
            yield place, "it is no name of 1 to 100 characters"


def of_hand(hand: OreHand) -> Iterator[Fault]:
    """What is wrong with the dice of a pool."""
    for place in ("faces", "placed", "spoiled", "spent"):
        yield from _heights(getattr(hand, place), place)
    if len(hand.placed) > hand.pool.wiggle:
        yield "placed", f"there are {hand.pool.wiggle} wiggle dice to place"
    if hand.to > SIDES:
        yield "to", f"{hand.to} is no height from 1 to {SIDES}"
    is_whole = hand.pool.rolled in range(MOST + 1) and hand.quick is not None
    if is_whole and wide(hand) and not (hand.quick and hand.quick.heights):
        yield "quick.heights", "its set has no height"


def of_quick(dice: QuickDice) -> Iterator[Fault]:
    """What is wrong with the dice of a quick roll."""
    for place in ("width", "second"):
        if getattr(dice, place) > SIDES:
            yield place, f"a d{SIDES} cannot show {getattr(dice, place)}"
    yield from _heights(dice.heights, "heights")


def of_roll(roll: OreRoll) -> Iterator[Fault]:
    """What is wrong with a roll."""
    if not roll.hands:
        yield "hands", "a roll has at least one pool"


def _heights(heights: tuple[int, ...], place: str) -> Iterator[Fault]:
    """Heights are those of a d10, and no more of them than dice can be."""
    for height in heights:
        if not 1 <= height <= SIDES:
            yield place, f"{height} is no height from 1 to {SIDES}"
    if len(heights) > WIDEST:
        yield place, f"{len(heights)} are too many; {WIDEST} are the most"


def of_table(here: OreTable) -> Iterator[Fault]:
    """What is wrong with what a table has."""
    yield from of_rolls(here.rolls, "rolls", OPEN_ROLLS)


def of_character(own: OreCharacter) -> Iterator[Fault]:
    """What is wrong with what a character has."""
    yield from too_many(own.ratings, MOST_RATINGS, "ratings")


def of_rating(rating: Rating) -> Iterator[Fault]:
    """What is wrong with a rating."""
    yield from of_label(rating.label, "label")
    line = f"{rating.label} {rating.dice}"
    try:
        is_one = more({}, line) == {key(rating.label): rating}
    except RuleError:
        is_one = False
    if not is_one:
        yield "dice", f"{shorten(line)} cannot be read on a sheet"


CHECKS: Mapping[type, Checks] = {
    OreTable: of_table,
    OreCharacter: of_character,
    Rating: of_rating,
    OrePool: of_pool,
    OreHand: of_hand,
    QuickDice: of_quick,
    OreRoll: of_roll,
}
"""What is wrong with a thing of each class, beside what is wrong with its parts."""
