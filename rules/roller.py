"""Who rolls: as whom, and who may change what they rolled."""

from rules.errors import NotAllowed
from rules.kinds import key
from rules.names import CHARACTER_NAME, GM, clean
from rules.own_words import is_meant
from rules.roll import Rolled
from rules.seats import (
    Actor,
    character_of,
    find_character,
    is_game_master,
    require_character,
    require_gm,
    require_here,
)
from rules.table import Character, Table
from rules.terms import Term
from rules.words import Words


def roller(table: Table, actor: Actor, who: str | None) -> tuple[str, bool]:
    """The name one rolls as, and whether as the GM."""
    if who and who.strip():
        word = key(who.strip())
        if word == "gm" or (
            table.settings.words
            and is_meant(table, Term.GM, who, actor.agreed, is_name=word in table.characters)
        ):
            require_gm(table, actor, Words("roll as the {gm.one}"))
            return GM, True
        character = _named(table, actor, who)
        require_here(table, key(character.name))
        require_character(table, actor, character, Words("roll"))
        return character.name, character.gmc
    if is_game_master(table, actor) and table.played_by(actor.id) is None:
        return GM, True
    return character_of(table, actor).name, False


def _named(table: Table, actor: Actor, who: str) -> Character:
    name = clean(who, CHARACTER_NAME, 80)
    if table.is_open and key(name) not in table.characters:
        return Character(name, player=actor.id)
    return table.characters[find_character(table, name)]


def require_roller(table: Table, actor: Actor, roll: Rolled) -> None:
    """Refuse who neither rolled it nor plays the character now."""
    if roll.gm:
        require_gm(table, actor, Words("change a roll of the {gm.one}"))
        return
    if not _is_theirs(table, actor, roll):
        raise NotAllowed("Only {roll} can do that: it's their roll.", roll=roll.who)


def require_teller(table: Table, actor: Actor, roll: Rolled) -> None:
    """Refuse to say what a roll was for to all but who may change it."""
    if roll.gm:
        require_gm(table, actor, Words("say what a roll of the {gm.one} was for"))
    elif not _is_theirs(table, actor, roll):
        raise NotAllowed("Only {who} and the {gm.one} can say what that roll was for.", who=roll.who)


def _is_theirs(table: Table, actor: Actor, roll: Rolled) -> bool:
    """Whether somebody plays the character that rolled, or rolled it where nobody does, or is a GM."""
    character = table.characters.get(key(roll.who))
    player = character.player if character is not None and character.player else roll.player
    return actor.id == player or is_game_master(table, actor)
