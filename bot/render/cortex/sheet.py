"""A character's sheet in words."""

from collections.abc import Iterable

from bot.language import say
from bot.render.card import BREAK, heading, small, strong
from bot.render.cortex.foes import gmc_words, hero_words
from bot.render.kinds import KINDS, RANKS
from bot.render.parts import label_words, sfx_words
from bot.render.portrait import portrait_of
from bot.render.words import NOBODY
from rules.cortex.state import typed_pool
from rules.cortex.state.kinds import HARMFUL, LENDING, Kind, Trait
from rules.cortex.state.part import CORTEX
from rules.cortex.state.sfx import EXAMPLE
from rules.cortex.traits import shut_down
from rules.ore.part import ORE
from rules.table import Character, Table

_ABOVE = (Kind.DISTINCTION, Kind.TRAIT, Kind.ASSET)
"""What has rows of its own on a sheet: by trait set, and signature assets apart."""


def character_lines(character: Character) -> list[str]:
    """Everything about a character: what they can roll, a line for each trait set, then the rest, small."""
    own = CORTEX.has(character)
    who = f"{character.name} ({character.pronouns})" if character.pronouns else character.name
    lines = [heading(who), small(_played(character))]
    if own.pool or character.away:
        lines += gmc_words(character)
    if own.is_taken_out:
        lines.append(strong(say("{who} is taken out", who=character.name)))
    lines.append(_points(character))
    lines += _row(say("Distinctions"), own.distinctions.values())
    for name, held in _sets(character).items():
        lines += _row(name, held)
    ratings = ", ".join(f"{each.label} {each.dice}" for each in ORE.has(character).ratings.values())
    lines += [say("{head} {what}", head=strong(say("Ratings")), what=ratings)] if ratings else []
    signature = [trait for trait in own.assets.values() if trait.signature]
    lines += _row(say("Signature assets"), signature)
    lines += _row(say("Assets"), [t for t in own.assets.values() if not t.signature])
    for kind in (kind for kind in KINDS if kind in LENDING and kind not in _ABOVE):
        lines += _row(say(KINDS[kind].title), own.traits(kind).values())
    for kind in HARMFUL:
        harms = [f"{label_words(trait.label, kind)} d{trait.die}" for trait in own.traits(kind).values()]
        lines += [f"{strong(say(KINDS[kind].title))} {', '.join(harms)}"] if harms else []
    if own.hero:
        lines.append(hero_words(character))
    below = [say("SFX {sfx}", sfx=sfx_words(each)) for each in own.sfx.values()]
    below += [say("Saved pool {pool}", pool=typed_pool.write(each)) for each in own.kept.values()]
    if own.milestones:
        below.append(say("Milestones: {milestones}", milestones="; ".join(own.milestones)))
    below += character.notes.splitlines()
    if character.portrait and not character.picture and portrait_of(character) is None:
        below.append(say("Portrait: {address}", address=character.portrait))
    return [*lines, *([BREAK, *map(small, below)] if below else [])]


def list_lines(table: Table) -> list[str]:
    """Every character, and who plays them."""
    lines = [_headline(character) for character in table.characters.values()]
    return lines or [say("There are no characters yet. Example: /character new name:Alice")]


def xp_lines(table: Table) -> list[str]:
    """Everybody's XP."""
    held = [(each.name, CORTEX.has(each).xp) for each in table.characters.values()]
    lines = [say("{who}: {xp} XP", who=name, xp=xp) for name, xp in held if xp]
    return lines or [say("Nobody has XP yet. Example: /xp give who:Alice")]


def sfx_lines(table: Table) -> list[str]:
    """Everybody's SFX, and what is shut down (X1)."""
    lines = [
        say("{who} · SFX {sfx}", who=c.name, sfx=sfx_words(each))
        for c in table.characters.values()
        for each in CORTEX.has(c).sfx.values()
    ]
    closed = [
        say("{trait} is shut down", trait=f"{c.name} · {trait.label} d{trait.die}")
        for c in table.characters.values()
        for _, trait in shut_down.held(c)
        if trait.shut
    ]
    return [*lines, *closed] or [say("There are no SFX yet. Example: {example}", example=EXAMPLE)]


def _headline(character: Character) -> str:
    who = f"{character.name} ({character.pronouns})" if character.pronouns else character.name
    return f"{who}: {_played(character)}"


def _played(character: Character) -> str:
    """Who plays a character."""
    own = CORTEX.has(character)
    if character.gmc:
        return say("GMC, {rank}", rank=say(RANKS[own.rank])) if own.rank else say("GMC")
    player = character.player_name if character.player else say(NOBODY)
    return say("played by {player}", player=player)


def _points(character: Character) -> str:
    own = CORTEX.has(character)
    points = strong(say("{who}: {pp} PP", who=character.name, pp=own.pp))
    return say("{points}, {xp} XP", points=points, xp=own.xp) if own.xp else points


def _sets(character: Character) -> dict[str, list[Trait]]:
    found: dict[str, list[Trait]] = {}
    for trait in CORTEX.has(character).sheet.values():
        found.setdefault(trait.set or say("Traits"), []).append(trait)
    return found


def _row(head: str, traits: Iterable[Trait]) -> list[str]:
    """A trait set on one line: `Skills Climb d8, Sharp d6`, each trait with how it stands and its note."""
    said = [_trait(trait) for trait in traits]
    return [f"{strong(head)} {', '.join(said)}"] if said else []


def _trait(trait: Trait) -> str:
    line = f"{trait.label} d{trait.die}"
    if trait.spent:
        line = say("{trait} spent", trait=line)
    elif trait.shut:
        line = say("{trait} shut down", trait=line)
    return f"{line} ({trait.note})" if trait.note else line
