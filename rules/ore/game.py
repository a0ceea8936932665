"""One-Roll, as shared rules see it."""

from collections.abc import Iterable, Mapping
from typing import Any

from rules.deeds import Hearing
from rules.fact import Fact
from rules.game import Game
from rules.luck import Thrown
from rules.ore import roll
from rules.ore.check import CHECKS
from rules.ore.deeds import OreDeeds
from rules.ore.facts import OreChanged, OreGobbled, OreRolled
from rules.ore.notation import write_ratings
from rules.ore.part import ORE, OreCharacter
from rules.ore.pool import SIDES
from rules.ore.ratings import more
from rules.ore.sets import OreRoll
from rules.ore.tags import TAGS
from rules.table import Table


class OneRoll(Game):
    """Pools of d10, of which equal ones are sets."""

    part = ORE
    made = OreRolled
    heads = ("rating",)
    checks = CHECKS
    tags = TAGS

    def about(self, table: Table, person: int) -> Mapping[str, tuple[Any, Any]]:
        """Their rolls."""
        rolls = tuple(roll for roll in ORE.of(table).rolls.values() if roll.player == person)
        return {"one_rolls": (tuple[OreRoll, ...], rolls)}

    def most_rolls(self) -> int:
        """A table keeps so many open."""
        return roll.OPEN_ROLLS

    def as_made(self, fact: Fact) -> Fact | None:
        """The roll that was made or changed, or whose dice gobbled."""
        return OreRolled(fact.roll) if isinstance(fact, OreRolled | OreChanged | OreGobbled) else None

    def rolls_now(self, table: Table) -> Mapping[int, Fact]:
        """Each as it is."""
        return {number: OreRolled(each) for number, each in ORE.of(table).rolls.items()}

    def thrown(self, fact: Fact) -> Iterable[Thrown]:
        """Each d10 that was thrown; those that are chosen were not (O3)."""
        if isinstance(fact, OreRolled):
            hands = [(*each.faces, *(each.quick.thrown if each.quick else ())) for each in fact.roll.hands]
            dice = tuple((SIDES, face) for hand in hands for face in hand)
            yield Thrown(fact.roll.who, dice, fact.roll.gm)

    def deeds(self, hearing: Hearing) -> OreDeeds:
        """Who rolled."""
        return OreDeeds(hearing)

    def sheet_lines(self, own: OreCharacter) -> Iterable[str]:
        """Ratings on a line: `Ratings: Body 3d, Fight 2d 1w` (O1)."""
        said = write_ratings(own.ratings.values())
        return (f"Ratings: {said}",) if said else ()

    def read_line(self, own: OreCharacter, rest: str) -> OreCharacter:
        """More ratings (O1). Raises Unreadable or NotAllowed."""
        return OreCharacter(more(own.ratings, rest))


GAME = OneRoll()
"""One of the games that can be played."""
