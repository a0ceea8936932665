"""Characters of any game: create, play, hand over, rename and remove them; portraits and voices (B2)."""

import re

from rules.campaign.seats import (
    GROUPS,
    RESERVED,
    Actor,
    character_of,
    find_character,
    is_gm,
    newcomer,
    owner_of,
    require_character,
    require_gm,
    require_here,
    require_room,
    split_names,
)
from rules.dice import Throw
from rules.errors import NotAllowed, Unreadable
from rules.facts import PortraitChanged, SeatChange, Seated, SheetChanged
from rules.game import Step, given, gmcs_at, played, played_at, sheets_at
from rules.names import CHARACTER_NAME, NAME, clean, find, fold, key, plain_name, require_one
from rules.table import Character, Table
from rules.text import Words
from rules.values import replace


def new(table: Table, actor: Actor, name: str, player: Actor | None = None) -> Step:
    """Create a character, played by its creator or the person the GM names; a GM's own are GMCs (B2)."""
    if player is not None and player.id != actor.id:
        require_gm(table, actor, Words("make a character for someone else"))
    whose = player or actor
    label = clean(name, CHARACTER_NAME, 80)
    require_one(label)
    require_room(table)
    label = new_name(table, label)
    table = _released(table, whose.id)
    made = Character(label, player=whose.id, player_name=whose.name, owner=whose.id)
    made = newcomer(table, made)
    for game in played_at(table):
        made = game.with_first_sheet(table, made)
    return Step(table.with_owner(key(label), made), (Seated(label, SeatChange.PLAYED, whose.name),))


def play(table: Table, actor: Actor, name: str) -> Step:
    """Take over a character of your own, or one that nobody plays. Raises NotAllowed for any other."""
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
    step = Step(table.with_owner(who, fresh), (Seated(character.name, SeatChange.PLAYED, actor.name),))
    return step.then(_back(step.table, character)) if character.player else step


def _back(table: Table, taken: Character) -> Step:
    """Whoever played a character that is taken back plays one of their own again, if it is free."""
    for who, own in table.characters.items():
        if own.owner == taken.player and not own.player:
            fresh = replace(own, player=taken.player, player_name=taken.player_name)
            return Step(
                table.with_owner(who, fresh), (Seated(own.name, SeatChange.PLAYED, taken.player_name),)
            )
    return Step(table, ())


def give(table: Table, actor: Actor, name: str, player: Actor) -> Step:
    """Hand a character to somebody else; its owner or the GM gets it back by playing it.

    Raises NotAllowed if the actor may not, or that person plays it already.
    """
    who = find_character(table, name)
    character = table.characters[who]
    if character.owner != actor.id:
        require_character(table, actor, character, Words("choose another player"))
    if character.player == player.id:
        raise NotAllowed("{player} already plays {character}.", character=character.name, player=player.name)
    table = _released(table, player.id)
    owner = character.owner or character.player or actor.id
    fresh = replace(character, player=player.id, player_name=player.name, owner=owner)
    return Step(table.with_owner(who, fresh), (Seated(character.name, SeatChange.PLAYED, player.name),))


def character_shown(table: Table, actor: Actor, who: str | None = None) -> Character:
    """Return a character, by default the actor's own.

    Raises Unknown or Ambiguous for a name; NotAllowed if nobody is named and the actor plays nobody.
    """
    if who and who.strip():
        return table.characters[find_character(table, who)]
    own = table.played_by(actor.id)
    if own is None:
        raise NotAllowed("You don't play a character at this table. Make a new character, or name one.")
    return own


def editable(table: Table, actor: Actor, who: str | None = None) -> Character:
    """Return the character of that name, or the caller's own, if the caller may change the sheet.

    Raises NotAllowed if they may not, and what `character_shown` raises.
    """
    found = character_shown(table, actor, who)
    require_character(table, actor, found, Words("change the sheet"))
    return found


def edited(table: Table, actor: Actor, who: str, text: str, seen: str = "") -> Step:
    """Replace a sheet by the one typed in the form; `seen` is the mark of the sheet that the form showed.

    Raises NotAllowed if the sheet changed in the meantime or nothing is different, and what reading the
    sheet raises.
    """
    rules, before = sheets_at(table), editable(table, actor, who)
    if seen and seen != rules.mark(before):
        raise NotAllowed(
            "{character}'s sheet changed in the meantime. To see the current sheet: /character show",
            character=before.name,
        )
    after = rules.with_text(table, actor, before, text)
    if after == before:
        raise NotAllowed("Nothing changed on {character}'s sheet.", character=before.name)
    return Step(table.with_owner(key(before.name), after), (SheetChanged(before.name),))


def set_trait(
    table: Table,
    actor: Actor,
    trait: str,
    die: str | None = None,
    trait_set: str | None = None,
    who: str | None = None,
    **options: str | None,
) -> Step:
    """Set a trait on a sheet, as the table's game does.

    Raises NotAllowed for an option that the game doesn't use.
    """
    put, used = sheets_at(table).put, given(table, "character set", options)
    return put(table, actor, trait, die=die, trait_set=trait_set, who=who, **used)


def new_gmc(table: Table, actor: Actor, name: str, dice: str, **options: str | bool | None) -> Step:
    """Create a character of the GM, as the table's game does.

    Raises NotAllowed for an option that the game doesn't use; Unknown for a kind that it doesn't have.
    """
    rules, used = gmcs_at(table), given(table, "gmc new", options)
    if kind := used.get("kind"):
        used["kind"] = find(kind, [*map(str, rules.kinds)], Words("kind of {gmc.one}"))
    return rules.new(table, actor, name, dice, **used)


def roll_gmc(
    table: Table, actor: Actor, throw: Throw, name: str, dice: str | None = None, **options: str | int | None
) -> Step:
    """Roll for a character of the GM, as the table's game does.

    Raises NotAllowed for an option that the game doesn't use.
    """
    return gmcs_at(table).roll(table, actor, throw, name, dice, **given(table, "gmc roll", options))


def rename(table: Table, actor: Actor, to: str, who: str | None = None) -> Step:
    """Rename a character, and every mention of them at the table.

    Raises NotAllowed if the actor may not, or the name is taken.
    """
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    require_character(table, actor, character, Words("choose a new name"))
    label = clean(to, CHARACTER_NAME, 80)
    require_one(label)
    if label == character.name:
        raise NotAllowed("{label} already has that name.", label=label)
    is_other = fold(label) != fold(character.name) or key(label) in table.characters
    if key(label) != owner and is_other:
        label = new_name(table, label)
    return Step(renamed(table, owner, label), (Seated(label, SeatChange.RENAMED, was=character.name),))


def renamed(table: Table, who: str, name: str) -> Table:
    """Return the table with a character (by key) renamed, wherever a game or an open note mentions them."""
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
    """Remove a character from the table, with everything they have."""
    who = find_character(table, name)
    character = table.characters[who]
    if character.owner != actor.id:
        require_character(table, actor, character, Words("use /character remove"))
    left = {k: each for k, each in table.characters.items() if k != who}
    table = replace(table, characters=left)
    for game in played():
        table = game.removed(table, who, character.name)
    return Step(table, (Seated(character.name, SeatChange.LEAVES),))


def new_name(table: Table, name: str) -> str:
    """Return a cleaned name for something new, which nothing at the table has.

    Raises Unreadable for a die or a mention in it (L1); NotAllowed if it is taken.

    >>> new_name(Table(), "  Great   Fire ")
    'Great Fire'
    """
    label = free_name(table, name)
    die = next((game.find_die_in(label) for game in played_at(table) if game.part.name == table.game), "")
    return plain_name(label, die)


def free_name(table: Table, name: str) -> str:
    """Return a cleaned name that nothing at the table has yet. Raises NotAllowed if it is taken."""
    label = clean(name, NAME, 80)
    is_word = fold(label) in (*RESERVED, *GROUPS) or not split_names(table, label)
    if is_word or any(game.has_meaning(label) for game in played_at(table)):
        raise NotAllowed('"{label}" already means something else here. Choose another name.', label=label)
    taken = (name for game in played() for name in (*game.taken_names(table), *game.pool_names(table)))
    if fold(label) in map(fold, (*table.characters, *taken)):
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


LONGEST_ALT = 300
"""What a portrait shows is told in at most this many characters."""


DIGEST = re.compile("[0-9a-f]{32}")
"""What a portrait is known by."""


_LINK = re.compile(r"https?://[^\s<>]{3,400}")


def link(typed: str) -> str:
    """Return a typed picture URL, or "" for none. Raises Unreadable if it isn't one."""
    address = typed.strip()
    if address and not _LINK.fullmatch(address):
        raise Unreadable("a portrait needs a link. Example: Portrait: https://example.org/alice.png")
    return address


def change(
    table: Table, actor: Actor, who: str | None = None, picture: str = "", alt: str | None = None
) -> Step:
    """Set a character's portrait, with `alt` as its description; without a picture, remove it.

    Raises NotAllowed if the actor is neither the player nor the GM, or there is nothing to remove.
    """
    character = whose(table, actor, who)
    told = clean(alt, Words("description"), LONGEST_ALT) if alt and alt.strip() else ""
    if not picture and not character.picture:
        raise NotAllowed(
            "{who} has no uploaded portrait. Attach a picture, or change the link on the sheet: "
            "/character edit",
            who=character.name,
        )
    fresh = replace(character, picture=picture, picture_alt=told if picture else "")
    key = next(k for k, each in table.characters.items() if each is character)
    return Step(table.with_owner(key, fresh), (PortraitChanged(character.name, is_gone=not picture),))


def whose(table: Table, actor: Actor, who: str | None = None) -> Character:
    """Return the character whose portrait the actor may change. Raises NotAllowed, Unknown or Ambiguous."""
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    require_character(table, actor, character, Words("change the portrait"))
    return character


def voice(table: Table, actor: Actor, who: str | None = None) -> Character:
    """Return the character that the actor speaks as: their own, or for a GM a GMC by name.

    Raises NotAllowed for a character that somebody else plays or owns, even if the actor is the GM.
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
    """Return all characters that the actor can speak as, their own first."""
    own = table.played_by(actor.id)
    others = [each for each in table.characters.values() if may_speak_for(each, actor) and not each.away]
    return [*([own] if own else []), *(others if is_gm(table, actor) else [])]


def may_speak_for(character: Character, actor: Actor) -> bool:
    """Return whether a character is a GMC that nobody plays, so that any GM speaks for it."""
    return character.gmc and character.player in (0, actor.id)
