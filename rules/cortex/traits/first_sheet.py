"""The sheet that new characters of a campaign begin with (D1)."""

from bisect import bisect_right
from collections.abc import Collection

from rules.cortex.state.kinds import Kind, Trait
from rules.cortex.state.part import CORTEX, LONGEST_FIRST_SHEET
from rules.cortex.traits import sheet
from rules.cortex.traits.sheet import Sheet
from rules.dice import ALL_SIZES
from rules.errors import RuleError
from rules.kinds import key
from rules.table import Table
from rules.values import replace


def of(table: Table) -> Sheet:
    """Return the sheet of a new character: nothing in the trait sets that the table no longer has."""
    here = CORTEX.of(table)
    try:
        return listed(
            sheet.read(here.first_sheet, ALL_SIZES, safe=True, is_written=True), here.ruleset.trait_sets
        )
    except RuleError:  # somebody's own file
        return Sheet()


def listed(whole: Sheet, names: Collection[str]) -> Sheet:
    """Return a sheet without the traits of other trait sets than these, and without their SFX."""
    known = {key(name) for name in names}
    return _with_traits(
        whole,
        [one for one in _traits(whole) if key(sheet.row_of(*one)) in known],
    )


def shortened(whole: Sheet) -> Sheet:
    """Return as many traits of a sheet as fit into a form, the first ones, with their SFX."""
    traits = _traits(whole)

    def length(count: int) -> int:
        return len(sheet.write(_with_traits(whole, traits[:count])))

    fitting = bisect_right(range(len(traits) + 1), LONGEST_FIRST_SHEET, key=length) - 1
    return _with_traits(whole, traits[: max(0, fitting)])


def is_none(found: Sheet) -> bool:
    """Return whether there is nothing on a sheet."""
    return sheet.write(found) == sheet.write(Sheet())


def _traits(whole: Sheet) -> list[tuple[Kind, Trait]]:
    return [(kind, each) for kind, held in whole.traits.items() for each in held]


def _with_traits(whole: Sheet, traits: list[tuple[Kind, Trait]]) -> Sheet:
    labels = {"", *(key(each.label) for _, each in traits)}
    return replace(
        whole,
        traits={kind: tuple(each for of, each in traits if of is kind) for kind in whole.traits},
        sfx=tuple(each for each in whole.sfx if key(each.trait) in labels),
    )
