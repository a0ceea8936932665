"""The whole table in words: every trait, pool and plot point in the forms that never change."""

from collections.abc import Mapping

from bot.render.foes import foe_lines, gmc_words, hero_words, split_line
from bot.render.ore import open_lines
from bot.render.roll import headline
from bot.render.words import lost_words
from rules.cortex import doom
from rules.cortex.apply import can_recover, hitches, open_effects
from rules.cortex.campaign import SETTINGS, differences, shown
from rules.cortex.hitches import opportunities, ways
from rules.cortex.roll import rules_of
from rules.cortex.ruleset import Opportunities
from rules.cortex.traits import owners, wording
from rules.dice import write
from rules.names import listed
from rules.table import Character, Kind, Roll, Table, Trait

_HEADINGS = {
    Kind.DISTINCTION: "Distinctions",
    Kind.ASSET: "Assets",
    Kind.RESOURCE: "Resources",
    Kind.COMPLICATION: "Complications",
    Kind.STRESS: "Stress",
    Kind.TRAUMA: "Trauma",
    Kind.TRAIT: "Traits",
}
"""The kinds of trait in their order; those of a GMC's sheet stand in its line."""


def table_lines(table: Table, links: Mapping[int, str] | None = None) -> list[str]:
    """Everything at the table, the scene first, then each character."""
    lines = [table.name or "This table", *lost_lines(table), *_time(table)]
    if table.archived:
        lines.append(f"This table is archived. Example: /campaign join name:{table.name or 'Skyfall'}")
    if table.ruleset.doom:
        lines.append(doom_line(table))
    lines += foe_lines(table)
    lines += _traits(table.scenery)
    for character in table.characters.values():
        lines += _character(character)
    if not table.characters:
        lines.append(
            "No characters yet. Press Join on the pinned table, or name one. Example: /pp give who:Alice"
        )
    lines += [line for roll in table.rolls.values() for line in _open(table, roll, links or {})]
    return lines + open_lines(table.ore.values(), links or {})


def lost_lines(table: Table) -> list[str]:
    """What is not on the table, since it cannot be read any more."""
    return [lost_words(table.number, table.lost)] if table.lost else []


def doom_lines(table: Table) -> list[str]:
    """The doom pool, or the setting that turns it on."""
    if table.ruleset.doom:
        return [doom_line(table)]
    return [
        "This campaign plays without a doom pool. The setting is doom pool. "
        "Example: /campaign set setting:doom pool value:on"
    ]


def doom_line(table: Table) -> str:
    """The doom pool."""
    return f"{doom.NAME}: {write(doom.dice(table))}"


def points_lines(table: Table) -> list[str]:
    """Everybody's plot points."""
    lines = [f"{c.name}: {c.pp} PP" for c in table.characters.values() if not c.gmc]
    return lines or ["Nobody has plot points yet. Example: /pp give who:Alice"]


def trait_lines(table: Table, kinds: tuple[Kind, ...]) -> list[str]:
    """All traits of some kinds, with their owners."""
    lines = [
        wording(owner.name, kind, trait)
        for _, owner in owners(table)
        for kind in kinds
        for trait in owner.traits(kind).values()
    ]
    nouns = {Kind.STRESS: "stress", Kind.TRAUMA: "trauma"}
    return lines or [f"There are no {listed([nouns.get(k, f'{k}s') for k in kinds], 'or')}."]


def scene_lines(table: Table, links: Mapping[int, str] | None = None) -> list[str]:
    """The scene, what it has, and what is open in it."""
    lines = _time(table) + split_line(table) + _traits(table.scenery)
    return lines + [line for roll in table.rolls.values() for line in _open(table, roll, links or {})]


def campaign_lines(table: Table) -> list[str]:
    """The campaign's name, seats, ruleset and settings."""
    gms = listed(table.gms.values()) or "nobody: the table is open to all"
    lines = [table.name or "This table", f"GM: {gms}", f"Ruleset: {table.ruleset.name}"]
    if table.archived:
        lines.append("Archived")
    changed = differences(table.ruleset)
    lines += [f"{name}: {shown(table, name)}{' (changed)' if name in changed else ''}" for name in SETTINGS]
    return lines


def _time(table: Table) -> list[str]:
    parts = []
    if table.is_session:
        parts.append(f"Session {table.session}")
    if table.is_act:
        parts.append(f"Act {table.act}")
    if table.is_scene:
        parts.append(table.scene if table.scene.startswith("Scene") else f"Scene {table.scene}")
    return [", ".join(parts)] if parts else []


def _traits(owner: Character) -> list[str]:
    lines = []
    for kind, heading in _HEADINGS.items():
        held = owner.traits(kind)
        if held and not (owner.gmc and kind is Kind.TRAIT):
            said = "; ".join(wording(owner.name, kind, t) + _mark(t) for t in held.values())
            lines.append(f"{heading}: {said}")
    return lines


def _character(character: Character) -> list[str]:
    lines = [] if character.gmc else [f"{character.name}: {character.pp} PP"]
    if character.gmc:
        lines += gmc_words(character)
    if character.hero:
        lines.append(hero_words(character))
    if character.is_taken_out:
        lines.append(f"{character.name} is taken out")
    return [*lines, *_traits(character)]


def _mark(trait: Trait) -> str:
    """How a trait stands, where it cannot be used as usual."""
    states = (("recovery tried", trait.barred), ("spent", trait.spent), ("shut down", trait.shut))
    return "".join(f" ({state})" for state, is_so in states if is_so)


def _open(table: Table, roll: Roll, links: Mapping[int, str]) -> list[str]:
    """A roll that still waits for somebody."""
    parts = []
    if ways(table, roll):
        parts.append(f"hitches {len(hitches(roll))}")
    if opportunities(roll) and rules_of(table, roll).opportunities is Opportunities.TRAITS:
        parts.append(f"opportunities {len(opportunities(roll))}")
    if can_recover(table, roll):
        parts.append("recovery to apply")
    elif roll.recovery is None and roll.against is not None and open_effects(table, roll):
        parts.append("effect to apply")
    where = f" {links[roll.number]}" if roll.number in links else ""
    note = f" for {roll.note}" if roll.note else ""
    return [f"Open: {headline(roll)}{note}, {', '.join(parts)}{where}"] if parts else []
