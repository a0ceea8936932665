"""Tables and characters that come from a file: they take their place here as one step."""

from collections.abc import Mapping
from typing import TypeVar

from rules.causes import Seat
from rules.characters import free_name
from rules.errors import NotAllowed
from rules.facts import Imported, Seated
from rules.game import played
from rules.kinds import key
from rules.result import Step
from rules.seats import Actor, is_game_master, is_gm, require_character, require_gm, require_room
from rules.table import Character, Table
from rules.values import replace
from rules.words import Words

NOBODY = Actor(0, "")
NOTHING_OPEN = -1
"""The step up to which something comes back that is open in the file of another table."""
_Each = TypeVar("_Each")


def bring_table(table: Table, actor: Actor, found: Table, *, is_home: bool, is_same: bool) -> Step:
    """Put the table of a file in the place of this one; the GM who does so stays one.

    `is_home` says that the file is of this server, so that its people are here; else the GMs of this table
    stay, and nobody plays anybody, but for whoever plays a character of that name here. `is_same` says that
    it is of this very table, whose open rolls and contests come back; those of another one stay behind.
    """
    require_gm(table, actor, Words("import a table"))
    settled = Step(found, ())
    for game in played():
        rolls = game.part.rolls_of(found)
        closing = rolls.keys() - _open(rolls, table, is_same=is_same).keys()
        settled = settled.then(game.stays_behind(settled.table, closing))
    fresh = settled.table if is_home else _without_people(table, settled.table)
    gms = fresh.gms if is_home else table.gms
    if actor.id not in gms and (found.gms or is_game_master(table, actor)):
        gms = {**gms, actor.id: actor.name}
    for game in played():
        rolls = game.part.rolls_of(found)
        fresh = game.part.with_rolls(fresh, _open(rolls, table, is_same=is_same))
        fresh = game.brought(fresh, table.number if is_same else NOTHING_OPEN)
    fresh = replace(fresh, number=table.number, name=found.name or table.name, gms=gms, archived=False)
    return Step(fresh, (Imported(fresh.name, _names(fresh)), *settled.facts))


def require_own(table: Table, actor: Actor, character: Character) -> None:
    """Refuse to hand out a character to anybody but its player, its owner and the GM."""
    if character.owner != actor.id:
        require_character(table, actor, character, Words("export the sheet"))


def bring_character(table: Table, actor: Actor, found: Character, *, is_home: bool) -> Step:
    """Bring the character of a file to the table.

    Who brings it plays it, unless they play somebody; a GM's comes back to its player of this server, if
    that one plays nobody. PP, XP and hero dice are the GM's to give, so a player's come without.
    """
    if key(found.name) in table.characters:
        raise NotAllowed(
            "{found} is already at this table. Rename that character, then send the file again. "
            "Example: /character rename to:{short} 2 who:{found}",
            found=found.name,
            short=found.name[:70],
        )
    if found.gmc:
        require_gm(table, actor, Words("import {gmc.a}"))
    require_room(table)
    free_name(table, found.name)
    character = found if is_gm(table, actor) else _unpaid(table, found)
    player, owner = _player(table, actor, found, is_home=is_home)
    character = replace(character, player=player.id, player_name=player.name, owner=owner)
    how = Seat.IMPORTED if found.gmc else Seat.IMPORTED_PLAYED
    for game in played():
        game.require_kept(table, character)
    return Step(table.with_owner(key(found.name), character), (Seated(found.name, how, player.name),))


def _player(table: Table, actor: Actor, found: Character, *, is_home: bool) -> tuple[Actor, int]:
    """Who plays an imported character, and whose it is."""
    player, owner = actor, actor.id
    if is_game_master(table, actor):
        player, owner = (Actor(found.player, found.player_name), found.owner) if is_home else (NOBODY, 0)
    if found.gmc and not player.id:
        owner = 0
    return (NOBODY if table.played_by(player.id) else player), owner


def with_seats(table: Table, characters: Mapping[str, Character]) -> dict[str, Character]:
    """Characters from elsewhere, each played by whoever plays one of that name at the table."""
    seated = {}
    for who, character in characters.items():
        here = table.characters.get(who)
        free = replace(character, player=0, player_name="", owner=0)
        if here is not None and not character.gmc and not here.gmc:
            free = replace(free, player=here.player, player_name=here.player_name, owner=here.owner)
        seated[who] = free
    return seated


def _open(found: Mapping[int, _Each], table: Table, *, is_same: bool) -> dict[int, _Each]:
    """What is open in a file, by step: only this very table has come to those steps."""
    return {number: each for number, each in found.items() if is_same and number <= table.number}


def _without_people(table: Table, found: Table) -> Table:
    """A table from another server, with nobody of there at it."""
    fresh = replace(found, gms={}, characters=with_seats(table, found.characters))
    for game in played():
        fresh = game.without_people(fresh)
    return fresh


def _unpaid(table: Table, found: Character) -> Character:
    """A character without what only a GM gives."""
    for game in played():
        found = game.unpaid(table, found)
    return found


def _names(table: Table) -> tuple[str, ...]:
    return tuple(character.name for character in table.characters.values())
