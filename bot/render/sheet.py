"""A character's sheet in words."""

from collections.abc import Iterable

from bot.language import later, say
from bot.render.foes import gmc_words, hero_words
from bot.render.parts import RANKS, sfx_parts, sfx_words, trait_words
from bot.render.words import NOBODY
from rules.cortex import shut
from rules.cortex.sfx import EXAMPLE
from rules.table import Character, Kind, Sfx, Table, Trait, key

_IN_PLAY = (
    (Kind.COMPLICATION, later("Complications")),
    (Kind.STRESS, later("Stress")),
    (Kind.TRAUMA, later("Trauma")),
)


def character_lines(character: Character) -> list[str]:
    """Everything about a character, a line for each trait set."""
    lines = [_headline(character)]
    if character.pool or character.away:
        lines += gmc_words(character)
    if character.is_taken_out:
        lines.append(say("{who} is taken out", who=character.name))
    lines.append(_points(character))
    lines += _row(say("Distinctions"), character.distinctions.values(), character)
    for name, held in _sets(character).items():
        lines += _row(name, held, character)
    signature = [trait for trait in character.assets.values() if trait.signature]
    lines += _row(say("Signature assets"), signature, character)
    lines += _row(say("Assets"), [t for t in character.assets.values() if not t.signature], character)
    lines += _row(say("Resources"), character.resources.values(), character)
    for kind, head in _IN_PLAY:
        harms = [trait_words(character.name, kind, trait) for trait in character.traits(kind).values()]
        lines += [f"{say(head)}: {'; '.join(harms)}"] if harms else []
    if character.hero:
        lines.append(hero_words(character))
    lines += [say("SFX {sfx}", sfx=_sfx(each)) for each in character.sfx.values() if not each.trait]
    if character.milestones:
        lines.append(say("Milestones: {milestones}", milestones="; ".join(character.milestones)))
    lines += [say("Notes: {notes}", notes=character.notes)] if character.notes else []
    lines += [say("Portrait: {address}", address=character.portrait)] if character.portrait else []
    return lines


def list_lines(table: Table) -> list[str]:
    """Every character, and who plays them."""
    lines = [_headline(character) for character in table.characters.values()]
    return lines or [say("There are no characters yet. Example: /character new name:Alice")]


def xp_lines(table: Table) -> list[str]:
    """Everybody's XP."""
    lines = [say("{who}: {xp} XP", who=c.name, xp=c.xp) for c in table.characters.values() if c.xp]
    return lines or [say("Nobody has XP yet. Example: /xp give who:Alice")]


def sfx_lines(table: Table) -> list[str]:
    """Everybody's SFX, and what is shut down (X1)."""
    lines = [
        say("{who} · SFX {sfx}", who=c.name, sfx=sfx_words(each))
        for c in table.characters.values()
        for each in c.sfx.values()
    ]
    closed = [
        say("{trait} is shut down", trait=f"{c.name} · {trait.label} d{trait.die}")
        for c in table.characters.values()
        for _, trait in shut.held(c)
        if trait.shut
    ]
    return [*lines, *closed] or [say("There are no SFX yet. Example: {example}", example=EXAMPLE)]


def _headline(character: Character) -> str:
    who = f"{character.name} ({character.pronouns})" if character.pronouns else character.name
    if character.gmc:
        if character.rank:
            return say("{who}: GMC, {rank}", who=who, rank=say(RANKS[character.rank]))
        return say("{who}: GMC", who=who)
    player = character.player_name if character.player else say(NOBODY)
    return say("{who}: played by {player}", who=who, player=player)


def _points(character: Character) -> str:
    if not character.xp:
        return say("{who}: {pp} PP", who=character.name, pp=character.pp)
    return say("{who}: {pp} PP, {xp} XP", who=character.name, pp=character.pp, xp=character.xp)


def _sets(character: Character) -> dict[str, list[Trait]]:
    found: dict[str, list[Trait]] = {}
    for trait in character.sheet.values():
        found.setdefault(trait.set or say("Traits"), []).append(trait)
    return found


def _row(head: str, traits: Iterable[Trait], character: Character) -> list[str]:
    """A row of traits, each with its note and its SFX."""
    said = [_trait(trait, character) for trait in traits]
    return [f"{head}: {'; '.join(said)}"] if said else []


def _trait(trait: Trait, character: Character) -> str:
    line = f"{trait.label} d{trait.die}"
    if trait.spent:
        line = say("{trait} spent", trait=line)
    elif trait.shut:
        line = say("{trait} shut down", trait=line)
    if trait.note:
        line = f"{line} ({trait.note})"
    mine = [each for each in character.sfx.values() if key(each.trait) == key(trait.label)]
    return ", ".join([line, *(say("SFX {sfx}", sfx=_sfx(each)) for each in mine)])


def _sfx(sfx: Sfx) -> str:
    """An SFX: `Reckless Charge: double Strong, for complication d8, when outnumbered`."""
    return f"{sfx.name}: {sfx_parts(sfx)}"
