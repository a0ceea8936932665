"""What One-Roll tells of a session: who rolled."""

from collections.abc import Sequence

from rules.deeds import Deeds
from rules.fact import Fact
from rules.ore.facts import OreRolled


class OreDeeds(Deeds):
    """Rolls, as they were made."""

    def hear(self, fact: Fact, step: Sequence[Fact]) -> None:
        """A roll counts for whoever made it."""
        if isinstance(fact, OreRolled):
            self.hearing.count(fact.roll.who, is_gm=fact.roll.gm, rolls=1)
