"""The order of action of several rolls: by width, then by height."""

from dataclasses import dataclass

from rules.ore.part import ORE
from rules.ore.sets import PARTS, OreKind, OreRoll, OreSet, sets
from rules.ore.sets import order as before
from rules.table import Table


@dataclass(frozen=True, slots=True)
class Acting:
    """A set in the order of action: its place, equal sets sharing one, and of which pool of a roll it is."""

    place: int
    roll: OreRoll
    hand: int
    made: OreSet


def acting(table: Table) -> list[Acting]:
    """The sets of everybody's latest roll, in the order in which they act."""
    found = [
        (made, roll, number)
        for roll in latest(table)
        for number, hand in enumerate(roll.hands)
        for made in sets(hand)
    ]
    found.sort(key=lambda each: before(each[0]), reverse=True)
    kinds = [made for made, *_ in found]
    return [Acting(kinds.index(made) + 1, roll, hand, made) for made, roll, hand in found]


def idle(table: Table) -> list[str]:
    """Who has rolled and has no set."""
    return [roll.who for roll in latest(table) if not any(map(sets, roll.hands))]


def latest(table: Table) -> list[OreRoll]:
    """The latest roll of everybody; of the GM, and of crowds, the latest of each note."""
    newest: dict[tuple[str, str], OreRoll] = {}
    for _, roll in sorted(ORE.of(table).rolls.items()):
        is_many = roll.gm or roll.kind is OreKind.CROWD
        newest[roll.who, roll.note if is_many else ""] = roll
    return list(newest.values())


def named(roll: OreRoll, number: int) -> str:
    """Whose set it is: of a crowd which pool, of several actions which one."""
    of = f" ({roll.note})" if roll.note else ""
    part = PARTS[roll.kind]
    return f"{roll.who}{of}, {part} {number + 1}" if part else f"{roll.who}{of}"
