"""What a rule makes of a table: the next table, and the facts between the two."""

from dataclasses import dataclass

from rules.fact import Fact
from rules.table import Table


@dataclass(frozen=True, slots=True)
class Step:
    """What a rule makes of a table: the next table, and the facts between the two."""

    table: Table
    facts: tuple[Fact, ...]

    def then(self, other: "Step") -> "Step":
        """Both steps as one; `other` was made from this one's table."""
        return Step(other.table, self.facts + other.facts)
