"""Characters: made, played, handed on, renamed, removed (B2), in whatever game."""

from rules.causes import Seat
from rules.errors import NotAllowed
from rules.facts import Seated
from rules.game import played
from rules.kinds import key
from rules.names import CHARACTER_NAME, NAME, clean, require_one
from rules.result import Step
from rules.seats import (
    Actor,
    find_character,
    is_gm,
    newcomer,
    owner_of,
    require_character,
    require_gm,
    require_room,
)
from rules.table import Character, Table
from rules.values import replace
from rules.words import Words


def new(table: Table, actor: Actor, name: str, player: Actor | None = None) -> Step:
    """A new character, played by who makes it, or by whom the GM names; a GM's own are GMCs (B2)."""
    if player is not None and player.id != actor.id:
        require_gm(table, actor, Words("make a character for someone else"))
    whose = player or actor
    label = clean(name, CHARACTER_NAME, 80)
    require_one(label)
    require_room(table)
    label = free_name(table, label)
    table = _released(table, whose.id)
    made = Character(label, player=whose.id, player_name=whose.name, owner=whose.id)
    made = newcomer(table, made)
    for game in played():
        made = game.with_first_sheet(table, made)
    return Step(table.with_owner(key(label), made), (Seated(label, Seat.PLAYED, whose.name),))


def play(table: Table, actor: Actor, name: str) -> Step:
    """Play a character of one's own, or one that nobody plays."""
    who = find_character(table, name)
    character = table.characters[who]
    if character.player == actor.id:
        raise NotAllowed("You already play {character}.", character=character.name)
    is_own = character.owner == actor.id or (is_gm(table, actor) and not table.is_open)
    if character.gmc and not is_gm(table, actor):
        require_gm(table, actor, Words("play {name}", name=character.name))
    if character.player and not is_own:
        raise NotAllowed(
            "{player_name} already plays {character}. Make another character. Example: /character new "
            "name:Zoe",
            character=character.name,
            player_name=character.player_name,
        )
    table = _released(table, actor.id)
    fresh = replace(character, player=actor.id, player_name=actor.name, owner=character.owner or actor.id)
    step = Step(table.with_owner(who, fresh), (Seated(character.name, Seat.PLAYED, actor.name),))
    return step.then(_back(step.table, character)) if character.player else step


def _back(table: Table, taken: Character) -> Step:
    """Whoever played a character that is taken back plays one of their own again, if it is free."""
    for who, own in table.characters.items():
        if own.owner == taken.player and not own.player:
            fresh = replace(own, player=taken.player, player_name=taken.player_name)
            return Step(table.with_owner(who, fresh), (Seated(own.name, Seat.PLAYED, taken.player_name),))
    return Step(table, ())


def give(table: Table, actor: Actor, name: str, player: Actor) -> Step:
    """Hand a character to somebody else; its owner or the GM takes it back by playing it."""
    who = find_character(table, name)
    character = table.characters[who]
    if character.owner != actor.id:
        require_character(table, actor, character, Words("choose another player"))
    if character.player == player.id:
        raise NotAllowed("{player} already plays {character}.", character=character.name, player=player.name)
    table = _released(table, player.id)
    owner = character.owner or character.player or actor.id
    fresh = replace(character, player=player.id, player_name=player.name, owner=owner)
    return Step(table.with_owner(who, fresh), (Seated(character.name, Seat.PLAYED, player.name),))


def shown(table: Table, actor: Actor, who: str | None = None) -> Character:
    """The character that is meant, one's own where nobody is named. Raises Unknown, Ambiguous, NotAllowed."""
    if who and who.strip():
        return table.characters[find_character(table, who)]
    own = table.played_by(actor.id)
    if own is None:
        raise NotAllowed("You don't play a character at this table. Make a new character, or name one.")
    return own


def rename(table: Table, actor: Actor, to: str, who: str | None = None) -> Step:
    """Give a character another name; everything at the table that names them follows."""
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    require_character(table, actor, character, Words("choose a new name"))
    label = clean(to, CHARACTER_NAME, 80)
    require_one(label)
    if label == character.name:
        raise NotAllowed("{label} already has that name.", label=label)
    if key(label) != owner:
        label = free_name(table, label)
    return Step(renamed(table, owner, label), (Seated(label, Seat.RENAMED, was=character.name),))


def renamed(table: Table, who: str, name: str) -> Table:
    """The table with a character renamed, by their key, and wherever a game or an open note names them."""
    for game in played():
        table = game.renamed(table, who, name)
    is_seen = not (table.characters[who].gmc and table.characters[who].away)
    threads = {
        k: replace(each, about=name) if key(each.about) == who and (is_seen or each.secret) else each
        for k, each in table.threads.items()
    }
    characters = {
        (key(name) if k == who else k): (replace(each, name=name) if k == who else each)
        for k, each in table.characters.items()
    }
    return replace(table, characters=characters, threads=threads)


def remove(table: Table, actor: Actor, name: str) -> Step:
    """Take a character off the table, with everything they have."""
    who = find_character(table, name)
    character = table.characters[who]
    if character.owner != actor.id:
        require_character(table, actor, character, Words("use /character remove"))
    left = {k: each for k, each in table.characters.items() if k != who}
    table = replace(table, characters=left)
    for game in played():
        table = game.removed(table, who, character.name)
    return Step(table, (Seated(character.name, Seat.LEAVES),))


def free_name(table: Table, name: str) -> str:
    """A name by which nothing at the table is found yet. Raises NotAllowed for one that is taken."""
    label = clean(name, NAME, 80)
    if any(game.has_meaning(label) for game in played()):
        raise NotAllowed('"{label}" already means something else here. Choose another name.', label=label)
    taken = (name for game in played() for name in (*game.taken_names(table), *game.pool_names(table)))
    if key(label) in (*table.characters, *taken):
        raise NotAllowed(
            "The name {label} is already taken. Choose another name. Example: {short} 2",
            label=label,
            short=label[:50],
        )
    return label


def _released(table: Table, player: int) -> Table:
    """The table with that player playing nobody."""
    for other, before in list(table.characters.items()):
        if before.player == player:
            table = table.with_owner(other, replace(before, player=0, player_name=""))
    return table
