"""What lies at a table and would no longer be in play under another ruleset."""

from rules.cortex.state.part import CORTEX
from rules.cortex.state.ruleset import Ruleset
from rules.cortex.traits import doom, hero
from rules.dice import write
from rules.kinds import key
from rules.table import Table
from rules.words import Words


def switched_off(table: Table, rules: Ruleset) -> dict[Words, list[str]]:
    """What these rules have no place for, by what it is: `resources` with whose they are.

    Nothing of it is deleted: it is hidden, and there again with a ruleset that has it.
    """
    here = CORTEX.of(table)
    now, people = here.ruleset, [*table.characters.values(), table.scenery]
    in_sets = {trait.set for one in people for trait in CORTEX.has(one).sheet.values()}
    tracks = {track for one in people for track in (*CORTEX.has(one).stress, *CORTEX.has(one).trauma)}
    found = {
        Words("trait sets"): [each for each in dropped(now.trait_sets, rules.trait_sets) if each in in_sets],
        Words("{stress.one} tracks"): [
            each for each in dropped(now.stress, rules.stress) if key(each) in tracks
        ],
    }
    if now.doom and not rules.doom and here.doom:
        found[Words("{doom_pool.one}")] = [write(doom.dice(table))]
    if now.crisis and not rules.crisis:
        found[Words("{crisis.one} pools")] = [each.name for each in here.crises.values()]
    if now.challenges and not rules.challenges:
        found[Words("{challenge.many}")] = [each.name for each in here.challenges.values()]
    if now.has_resources and not rules.has_resources:
        found[Words("resources")] = [each.name for each in people if CORTEX.has(each).resources]
    if now.has_hero_dice and not rules.has_hero_dice:
        found[Words("{hero_die.many}")] = [
            f"{each.name} {write(hero.dice(each))}" for each in people if CORTEX.has(each).hero
        ]
    return {what: names for what, names in found.items() if names}


def dropped(before: tuple[str, ...], after: tuple[str, ...]) -> list[str]:
    """The names that are no longer listed."""
    left = {name.casefold() for name in after}
    return [name for name in before if name.casefold() not in left]
