"""A character's sheet in words."""

from collections.abc import Iterable

from bot.render.foes import gmc_words, hero_words
from rules.cortex import shut
from rules.cortex.sfx import EXAMPLE, write, write_parts
from rules.cortex.traits import wording
from rules.table import Character, Kind, Sfx, Table, Trait, key

_IN_PLAY = ((Kind.COMPLICATION, "Complications"), (Kind.STRESS, "Stress"), (Kind.TRAUMA, "Trauma"))


def character_lines(character: Character) -> list[str]:
    """Everything about a character, a line for each trait set."""
    lines = [_headline(character)]
    if character.pool or character.away:
        lines += gmc_words(character)
    if character.is_taken_out:
        lines.append(f"{character.name} is taken out")
    lines.append(f"{character.name}: {character.pp} PP" + (f", {character.xp} XP" if character.xp else ""))
    lines += _row("Distinctions", character.distinctions.values(), character)
    for name, held in _sets(character).items():
        lines += _row(name, held, character)
    signature = [trait for trait in character.assets.values() if trait.signature]
    lines += _row("Signature assets", signature, character)
    lines += _row("Assets", [t for t in character.assets.values() if not t.signature], character)
    lines += _row("Resources", character.resources.values(), character)
    for kind, head in _IN_PLAY:
        harms = [wording(character.name, kind, trait) for trait in character.traits(kind).values()]
        lines += [f"{head}: {'; '.join(harms)}"] if harms else []
    if character.hero:
        lines.append(hero_words(character))
    lines += [f"SFX {sfx_words(each)}" for each in character.sfx.values() if not each.trait]
    if character.milestones:
        lines.append(f"Milestones: {'; '.join(character.milestones)}")
    lines += [f"Notes: {character.notes}"] if character.notes else []
    return [*lines, *([f"Portrait: {character.portrait}"] if character.portrait else [])]


def list_lines(table: Table) -> list[str]:
    """Every character, and who plays them."""
    lines = [_headline(character) for character in table.characters.values()]
    return lines or ["There are no characters yet. Example: /character new name:Alice"]


def xp_lines(table: Table) -> list[str]:
    """Everybody's XP."""
    lines = [f"{c.name}: {c.xp} XP" for c in table.characters.values() if c.xp]
    return lines or ["Nobody has XP yet. Example: /xp give who:Alice"]


def sfx_words(sfx: Sfx) -> str:
    """An SFX: `Reckless Charge: double Strong, for complication d8, when outnumbered`."""
    return f"{sfx.name}: {write_parts(sfx)}"


def sfx_lines(table: Table) -> list[str]:
    """Everybody's SFX, and what is shut down (X1)."""
    lines = [f"{c.name} · SFX {write(each)}" for c in table.characters.values() for each in c.sfx.values()]
    closed = [
        f"{c.name} · {trait.label} d{trait.die} is shut down"
        for c in table.characters.values()
        for _, trait in shut.held(c)
        if trait.shut
    ]
    return [*lines, *closed] or [f"There are no SFX yet. Example: {EXAMPLE}"]


def _headline(character: Character) -> str:
    pronouns = f" ({character.pronouns})" if character.pronouns else ""
    if character.gmc:
        kind = f", {character.rank}" if character.rank else ""
        return f"{character.name}{pronouns}: GMC{kind}"
    player = f"played by {character.player_name}" if character.player else "played by nobody"
    return f"{character.name}{pronouns}: {player}"


def _sets(character: Character) -> dict[str, list[Trait]]:
    found: dict[str, list[Trait]] = {}
    for trait in character.sheet.values():
        found.setdefault(trait.set or "Traits", []).append(trait)
    return found


def _row(head: str, traits: Iterable[Trait], character: Character) -> list[str]:
    """A row of traits, each with its note and its SFX."""
    said = [_trait(trait, character) for trait in traits]
    return [f"{head}: {'; '.join(said)}"] if said else []


def _trait(trait: Trait, character: Character) -> str:
    state = " spent" if trait.spent else " shut down" if trait.shut else ""
    note = f" ({trait.note})" if trait.note else ""
    mine = [sfx_words(each) for each in character.sfx.values() if key(each.trait) == key(trait.label)]
    return f"{trait.label} d{trait.die}{state}{note}" + "".join(f", SFX {each}" for each in mine)
