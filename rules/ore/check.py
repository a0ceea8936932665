"""Whether One-Roll dice that come from outside are such as could have been rolled."""

from collections.abc import Iterator, Mapping

from rules.check import Checks, of_label, of_rolls, quoted, too_long, too_many, too_much
from rules.errors import RuleError
from rules.game import Fault
from rules.ore.notation import LONGEST, read_ratings, write_ratings
from rules.ore.part import OreCharacter, OreTable, Rating
from rules.ore.pool import MOST, MOST_IN_CROWD, SIDES, OrePool
from rules.ore.quick import QuickDice
from rules.ore.ratings import MOST_RATINGS
from rules.ore.roll import OPEN_ROLLS
from rules.ore.sets import OreHand, OreRoll, wide
from rules.words import Phrase, Words


def of_pool(pool: OrePool) -> Iterator[Fault]:
    """What is wrong with a pool."""
    for place in ("dice", "hard", "wiggle", "expert", "called"):
        yield from too_much(getattr(pool, place), MOST_IN_CROWD, place)
    yield from too_much(pool.over, LONGEST, "over")
    yield from too_long(pool.typed, 2 * LONGEST, "typed")
    if pool.called and not pool.dice:
        yield "called", Words("a called die needs a normal die, and this pool has none")
    for place in ("wiggle_name", "expert_name"):
        if not 1 <= len(getattr(pool, place)) <= MOST * SIDES:
            yield place, Words("a name must be 1 to 100 characters long")


def of_hand(hand: OreHand) -> Iterator[Fault]:
    """What is wrong with the dice of a pool."""
    for place in ("faces", "placed", "spoiled", "spent"):
        yield from _heights(getattr(hand, place), place)
    if len(hand.placed) > hand.pool.wiggle:
        yield "placed", Words("only {count} wiggle dice can be placed", count=hand.pool.wiggle)
    if hand.to > SIDES:
        yield "to", _no_height(hand.to)
    if hand.quick:
        yield from too_much(hand.pool.rolled, MOST, "pool.dice")
    is_whole = hand.pool.rolled in range(MOST + 1) and hand.quick is not None
    if is_whole and wide(hand) and not (hand.quick and hand.quick.heights):
        yield "quick.heights", Words("the set has no height")


def of_quick(dice: QuickDice) -> Iterator[Fault]:
    """What is wrong with the dice of a quick roll."""
    for place in ("width", "second"):
        if getattr(dice, place) > SIDES:
            yield place, Words("a d{size} can't show {face}", size=SIDES, face=getattr(dice, place))
    yield from _heights(dice.heights, "heights")


def of_roll(roll: OreRoll) -> Iterator[Fault]:
    """What is wrong with a roll."""
    if not roll.hands:
        yield "hands", Words("a roll needs at least one pool")


def _heights(heights: tuple[int, ...], place: str) -> Iterator[Fault]:
    """Heights are those of a d10, and no more of them than dice can be."""
    for height in heights:
        if not 1 <= height <= SIDES:
            yield place, _no_height(height)
    yield from too_many(heights, 3 * MOST_IN_CROWD + 1, place)


def _no_height(height: int) -> Phrase:
    return Words("{height} isn't a height from 1 to {most}", height=height, most=SIDES)


def of_table(here: OreTable) -> Iterator[Fault]:
    """What is wrong with what a table has."""
    yield from of_rolls(here.rolls, "rolls", OPEN_ROLLS)


def of_character(own: OreCharacter) -> Iterator[Fault]:
    """What is wrong with what a character has."""
    yield from too_many(own.ratings, MOST_RATINGS, "ratings")


def of_rating(rating: Rating) -> Iterator[Fault]:
    """What is wrong with a rating."""
    yield from of_label(rating.label, "label")
    line = write_ratings((rating,))
    try:
        is_one = [label for label, _ in read_ratings(line)] == [rating.label]
    except RuleError:
        is_one = False
    if not is_one:
        yield "dice", Words("{line} isn't a valid line of a sheet", line=quoted(line))


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
