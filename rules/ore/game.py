"""One-Roll, as shared rules see it."""

from collections.abc import Iterable

from rules.fact import Fact
from rules.game import Game
from rules.luck import Thrown
from rules.ore.check import CHECKS
from rules.ore.facts import OreRolled
from rules.ore.part import ORE, OreCharacter
from rules.ore.pool import SIDES
from rules.ore.ratings import more


class OneRoll(Game):
    """Pools of d10, of which equal ones are sets."""

    part = ORE
    heads = ("rating",)
    checks = CHECKS

    def thrown(self, fact: Fact) -> Iterable[Thrown]:
        """Each d10 that was thrown; those that are chosen were not (O3)."""
        if isinstance(fact, OreRolled):
            hands = [(*each.faces, *(each.quick.thrown if each.quick else ())) for each in fact.roll.hands]
            dice = tuple((SIDES, face) for hand in hands for face in hand)
            yield Thrown(fact.roll.who, dice, fact.roll.gm)

    def sheet_lines(self, own: OreCharacter) -> Iterable[str]:
        """Ratings on a line: `Ratings: Body 3d, Fight 2d 1w` (O1)."""
        said = ", ".join(f"{each.label} {each.dice}" for each in own.ratings.values())
        return (f"Ratings: {said}",) if said else ()

    def read_line(self, own: OreCharacter, rest: str) -> OreCharacter:
        """More ratings (O1). Raises Unreadable or NotAllowed."""
        return OreCharacter(more(own.ratings, rest))


GAME = OneRoll()
"""One of the games that can be played."""
