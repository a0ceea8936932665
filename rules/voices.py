"""Speaking as somebody at the table: as one's own character, or for the GM as a GMC."""

from rules.errors import NotAllowed
from rules.kinds import key
from rules.seats import Actor, character_of, find_character, is_gm, require_here
from rules.table import Character, Table


def voice(table: Table, actor: Actor, who: str | None = None) -> Character:
    """Whom somebody speaks as: the character they play, or a GMC by name (GM).

    Raises NotAllowed for a character that somebody else plays, or that is somebody else's; the GM speaks as
    those no more than anybody.
    """
    if who is None or not who.strip():
        found = table.characters.get(key(character_of(table, actor).name))
        if found is None or found.player != actor.id:
            raise NotAllowed(
                "You don't play a character at this table. Choose a character; the "
                "{gm.one} can also choose {gmc.a}."
            )
        return found
    found = table.characters[find_character(table, who)]
    require_here(table, key(found.name))
    if found.player == actor.id or (may_speak_for(found, actor) and is_gm(table, actor)):
        return found
    if found.gmc:
        raise NotAllowed("Only the {gm.one} can speak as {who}.", who=found.name)
    raise NotAllowed("Only the player of {who} can speak as {who}.", who=found.name)


def voices(table: Table, actor: Actor) -> list[Character]:
    """All whom somebody can speak as, their own character first."""
    own = table.played_by(actor.id)
    others = [each for each in table.characters.values() if may_speak_for(each, actor) and not each.away]
    return [*([own] if own else []), *(others if is_gm(table, actor) else [])]


def may_speak_for(character: Character, actor: Actor) -> bool:
    """Whether a character is a GMC that nobody plays, whom a GM speaks for."""
    return character.gmc and character.player in (0, actor.id)
