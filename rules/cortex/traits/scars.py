"""Trauma that time does not heal, and who is out for good by it (N4)."""

from rules.cortex.state.kinds import Kind
from rules.cortex.state.part import CORTEX
from rules.cortex.state.ruleset import Rest
from rules.errors import NotAllowed
from rules.kinds import SCENE
from rules.seats import Actor, is_gm
from rules.table import Character, Table
from rules.words import Phrase, Words

SCARRED = (Rest.SCENE_START, Rest.BY_HAND)
"""Where people rest like that, trauma is healed by recovery alone."""


def are_kept(table: Table, kind: Kind) -> bool:
    """Whether traits of that kind are trauma that recovery alone heals (N4)."""
    return kind is Kind.TRAUMA and CORTEX.of(table).ruleset.rest in SCARRED


def is_retired(table: Table, character: Character) -> bool:
    """Whether trauma past d12 has taken them out for good (N4)."""
    trauma = CORTEX.has(character).trauma
    return any(trait.out for trait in trauma.values()) and are_kept(table, Kind.TRAUMA)


def require_in_play(table: Table, character: Character, what: Phrase) -> None:
    """Refuse what nobody does, or has done for them, who is out for good (N4)."""
    if not is_retired(table, character):
        return
    raise NotAllowed(
        "{who} is out for good, which rules out {what}. The {gm.one} can step the {trauma.one} down.",
        who=character.name,
        what=what,
    )


def require_healing(table: Table, actor: Actor, owner: str, kind: Kind) -> None:
    """Refuse players to take trauma away by hand where recovery alone heals it (N4)."""
    if owner == SCENE or not are_kept(table, kind) or is_gm(table, actor):
        return
    character = table.characters[owner]
    require_in_play(table, character, Words("removing it"))
    track = next(iter(CORTEX.has(character).trauma.values())).label
    raise NotAllowed(
        "Only recovery or the {gm.one} can heal {trauma.one} in this campaign. Example: /stress "
        "recover what:{track} dice:2d8 trauma:True",
        track=track,
    )
