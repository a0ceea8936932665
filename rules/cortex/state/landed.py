"""A die of a pool once it lies on the table (D2, N14, N22)."""

from rules.cortex.state.pool import Die
from rules.cortex.state.ruleset import HitchOn, Resources, Ruleset
from rules.cortex.state.several import is_resource
from rules.cortex.state.table import RolledDie


def lowest(rules: Ruleset) -> int:
    """The highest face that is a hitch (N14)."""
    return 2 if rules.hitch_on is HitchOn.TWO else 1


def landed(die: Die, face: int, rules: Ruleset) -> RolledDie:
    """A die of a pool with the face that it shows, by the settings of the table."""
    is_apart = rules.resources is Resources.APART and is_resource(die)
    return RolledDie(die.size, face, die.label, die.source, low=lowest(rules), safe=die.safe, apart=is_apart)
