"""The whole table in words: every trait, pool and plot point in the forms that never change."""

from collections.abc import Mapping

from bot.language import later, say
from bot.render.foes import foe_lines, gmc_words, hero_words, pool_line, split_line, without
from bot.render.ore import open_lines
from bot.render.parts import OR, listed, trait_words
from bot.render.roll import headline
from bot.render.words import UNNAMED, lost_words, stretch_words
from rules.cortex.apply import can_recover, hitches, open_effects
from rules.cortex.campaign import SETTINGS, differences, shown
from rules.cortex.gm_pools import DOOM
from rules.cortex.hitches import opportunities, ways
from rules.cortex.roll import rules_of
from rules.cortex.ruleset import Opportunities
from rules.cortex.traits import owners
from rules.reasons import Stretch
from rules.table import Character, Foe, Kind, Roll, Table, Trait

_HEADINGS = {
    Kind.DISTINCTION: later("Distinctions"),
    Kind.ASSET: later("Assets"),
    Kind.RESOURCE: later("Resources"),
    Kind.COMPLICATION: later("Complications"),
    Kind.STRESS: later("Stress"),
    Kind.TRAUMA: later("Trauma"),
    Kind.TRAIT: later("Traits"),
}
"""The kinds of trait in their order; those of a GMC's sheet stand in its line."""
_NOUNS = {
    Kind.ASSET: later("assets"),
    Kind.COMPLICATION: later("complications"),
    Kind.STRESS: later("stress"),
    Kind.TRAUMA: later("trauma"),
    Kind.DISTINCTION: later("distinctions"),
    Kind.TRAIT: later("traits"),
    Kind.RESOURCE: later("resources"),
}


def table_lines(table: Table, links: Mapping[int, str] | None = None) -> list[str]:
    """Everything at the table, the scene first, then each character."""
    lines = [table.name or say(UNNAMED), *lost_lines(table), *_time(table)]
    if table.archived:
        name = table.name or "Skyfall"
        lines.append(say("This table is archived. Example: /campaign join name:{name}", name=name))
    if table.ruleset.doom:
        lines.append(doom_line(table))
    lines += foe_lines(table)
    lines += _traits(table.scenery)
    for character in table.characters.values():
        lines += _character(character)
    if not table.characters:
        lines.append(
            say("No characters yet. Press Join on the pinned table, or name one. Example: /pp give who:Alice")
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
    return [without(Foe.DOOM)]


def doom_line(table: Table) -> str:
    """The doom pool."""
    return pool_line(table, DOOM)


def points_lines(table: Table) -> list[str]:
    """Everybody's plot points."""
    lines = [_points(c) for c in table.characters.values() if not c.gmc]
    return lines or [say("Nobody has plot points yet. Example: /pp give who:Alice")]


def trait_lines(table: Table, kinds: tuple[Kind, ...]) -> list[str]:
    """All traits of some kinds, with their owners."""
    lines = [
        trait_words(owner.name, kind, trait)
        for _, owner in owners(table)
        for kind in kinds
        for trait in owner.traits(kind).values()
    ]
    return lines or [say("There are no {things}.", things=listed([say(_NOUNS[k]) for k in kinds], OR))]


def scene_lines(table: Table, links: Mapping[int, str] | None = None) -> list[str]:
    """The scene, what it has, and what is open in it."""
    lines = _time(table) + split_line(table) + _traits(table.scenery)
    return lines + [line for roll in table.rolls.values() for line in _open(table, roll, links or {})]


def campaign_lines(table: Table) -> list[str]:
    """The campaign's name, seats, ruleset and settings."""
    gms = listed(table.gms.values()) or say("nobody: the table is open to all")
    lines = [table.name or say(UNNAMED), say("GM: {names}", names=gms)]
    lines.append(say("Ruleset: {name}", name=table.ruleset.name))
    if table.archived:
        lines.append(say("Archived"))
    changed = differences(table.ruleset)
    for name in SETTINGS:
        line = f"{name}: {shown(table, name)}"
        lines.append(say("{setting} (changed)", setting=line) if name in changed else line)
    return lines


def _time(table: Table) -> list[str]:
    parts = []
    if table.is_session:
        parts.append(stretch_words(Stretch.SESSION, table.session))
    if table.is_act:
        parts.append(stretch_words(Stretch.ACT, table.act))
    if table.is_scene:
        parts.append(stretch_words(Stretch.SCENE, table.scenes, table.scene))
    return [", ".join(parts)] if parts else []


def _traits(owner: Character) -> list[str]:
    lines = []
    for kind, heading in _HEADINGS.items():
        held = owner.traits(kind)
        if held and not (owner.gmc and kind is Kind.TRAIT):
            said = "; ".join(trait_words(owner.name, kind, t) + _mark(t) for t in held.values())
            lines.append(f"{say(heading)}: {said}")
    return lines


def _character(character: Character) -> list[str]:
    lines = gmc_words(character) if character.gmc else [_points(character)]
    if character.hero:
        lines.append(hero_words(character))
    if character.is_taken_out:
        lines.append(say("{who} is taken out", who=character.name))
    return [*lines, *_traits(character)]


def _points(character: Character) -> str:
    return say("{who}: {pp} PP", who=character.name, pp=character.pp)


def _mark(trait: Trait) -> str:
    """How a trait stands, where it cannot be used as usual."""
    states = (
        (say("recovery tried"), trait.barred),
        (say("spent"), trait.spent),
        (say("shut down"), trait.shut),
    )
    return "".join(f" ({state})" for state, is_so in states if is_so)


def _open(table: Table, roll: Roll, links: Mapping[int, str]) -> list[str]:
    """A roll that still waits for somebody."""
    parts = []
    if ways(table, roll):
        parts.append(say("hitches {count}", count=len(hitches(roll))))
    if opportunities(roll) and rules_of(table, roll).opportunities is Opportunities.TRAITS:
        parts.append(say("opportunities {count}", count=len(opportunities(roll))))
    if can_recover(table, roll):
        parts.append(say("recovery to apply"))
    elif roll.recovery is None and roll.against is not None and open_effects(table, roll):
        parts.append(say("effect to apply"))
    if not parts:
        return []
    line = say("Open: {roll}", roll=headline(roll))
    if roll.note:
        line = say("Open: {roll} for {note}", roll=headline(roll), note=roll.note)
    where = f" {links[roll.number]}" if roll.number in links else ""
    return [f"{', '.join([line, *parts])}{where}"]
