"""What One-Roll tells of a session: what was tried, and who rolled."""

from collections.abc import Sequence

from rules.deeds import RollDeeds, Went
from rules.fact import Fact
from rules.ore.facts import OreChanged, OreGobbled, OreRolled
from rules.ore.sets import OreRoll, sets


class OreDeeds(RollDeeds[OreRoll]):
    """Rolls, as they lay at last."""

    def hear(self, fact: Fact, step: Sequence[Fact]) -> None:
        """A roll was made, or is another."""
        match fact:
            case OreRolled(roll):
                self.made(roll)
            case OreChanged(roll):
                self.changed(roll)
            case OreGobbled(roll):
                self.changed(roll)
                self.changed(fact.prey)

    def end(self) -> None:
        """What each roll was for: it went well where it made a set."""
        for roll in self.rolls.values():
            self.hearing.count(roll.who, is_gm=roll.gm, rolls=1)
            self.tell(roll, Went.SUCCESS if any(map(sets, roll.hands)) else Went.FAILURE)
