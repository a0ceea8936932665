"""Characters of players and of the GM: made, played, handed on, changed, renamed, removed (D1, B2)."""

from zlib import crc32

from rules import seats
from rules.causes import Seat
from rules.characters import renamed
from rules.cortex.state import turn
from rules.cortex.state.facts import TraitChanged
from rules.cortex.state.kinds import ON_SHEET, Kind, Trait
from rules.cortex.state.part import CORTEX, with_traits
from rules.cortex.tools.crisis import free_name
from rules.cortex.traits import exchange, sheet
from rules.cortex.traits.traits import find_trait, label_for
from rules.dice import size_of
from rules.errors import NotAllowed
from rules.facts import Seated, SheetChanged
from rules.kinds import key
from rules.names import CHARACTER_NAME, LABEL, clean, require_one
from rules.result import Step
from rules.seats import (
    Actor,
    find_character,
    is_gm,
    owner_of,
    require_character,
    require_gm,
    require_room,
)
from rules.table import Character, Table
from rules.values import replace
from rules.words import COMMA, Row, Words

DISTINCTIONS, SIGNATURE, RESOURCES = "Distinctions", "Signature assets", "Resources"
_SETS = {DISTINCTIONS: Kind.DISTINCTION, SIGNATURE: Kind.ASSET, RESOURCES: Kind.RESOURCE}


def new(table: Table, actor: Actor, name: str, player: Actor | None = None) -> Step:
    """A new character, played by who makes it, or by whom the GM names; a GM's own are GMCs (B2)."""
    if player is not None and player.id != actor.id:
        require_gm(table, actor, Words("make a character for somebody else"))
    whose = player or actor
    label = clean(name, CHARACTER_NAME, 80)
    require_one(label)
    require_room(table)
    label = free_name(table, label)
    table = _released(table, whose.id)
    made = Character(label, player=whose.id, player_name=whose.name, owner=whose.id)
    made = seats.newcomer(table, made)
    return Step(table.with_owner(key(label), made), (Seated(label, Seat.PLAYED, whose.name),))


def join(table: Table, actor: Actor, name: str, text: str = "") -> Step:
    """Take a character that nobody plays, or a new one of that name, with the sheet that is typed (D1)."""
    step = seats.join(table, actor, name)
    typed = sheet.read(text)
    blank = sheet.write(sheet.Sheet())
    if sheet.write(typed) == blank:
        return step
    character = step.table.played_by(actor.id)
    if character is None or sheet.write(sheet.of(character)) != blank:
        raise NotAllowed(
            "{name} has a sheet already, which is as it was. It is changed by /character edit", name=name
        )
    after = step.table.with_owner(key(character.name), sheet.put(character, typed))
    return step.then(Step(after, (SheetChanged(character.name),)))


def play(table: Table, actor: Actor, name: str) -> Step:
    """Play a character of one's own, or one that nobody plays."""
    who = find_character(table, name)
    character = table.characters[who]
    if character.player == actor.id:
        raise NotAllowed("You play {character} already.", character=character.name)
    is_own = character.owner == actor.id or (is_gm(table, actor) and not table.is_open)
    if character.gmc and not is_gm(table, actor):
        require_gm(table, actor, Words("play {name}", name=character.name))
    if character.player and not is_own:
        raise NotAllowed(
            "{character} is played by {player_name}. Example: /character new name:Zoe",
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
        require_character(table, actor, character, Words("hand on"))
    if character.player == player.id:
        raise NotAllowed(
            "{character} is played by {player} already.", character=character.name, player=player.name
        )
    table = _released(table, player.id)
    owner = character.owner or character.player or actor.id
    fresh = replace(character, player=player.id, player_name=player.name, owner=owner)
    return Step(table.with_owner(who, fresh), (Seated(character.name, Seat.PLAYED, player.name),))


def put(
    table: Table, actor: Actor, trait: str, die: str, trait_set: str | None = None, who: str | None = None
) -> Step:
    """Give a sheet a trait of a trait set, or another rating (D1)."""
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    require_character(table, actor, character, Words("change the sheet"))
    label, size = clean(trait, LABEL), size_of(die)
    held = _held(character, label)
    if held is not None and (trait_set is None or not trait_set.strip()):
        kind, old = held
        fresh = replace(old, die=size, signature=size if old.signature else 0)
    else:
        if held is not None:
            raise NotAllowed(
                "{character} has {label} d{die} already. Leave trait_set out.",
                character=character.name,
                label=held[1].label,
                die=held[1].die,
            )
        kind, name = kind_of(table, character, trait_set)
        old = None
        label = label_for(table, kind, label)
        fresh = Trait(label, size, size if kind is Kind.ASSET else 0, set=name if kind is Kind.TRAIT else "")
        _require_fits(character, kind, name)
    traits = {**CORTEX.has(character).traits(kind), key(label): fresh}
    after = table.with_owner(owner, with_traits(character, kind, traits))
    return Step(after, (TraitChanged(character.name, kind, old, fresh),))


def unset(table: Table, actor: Actor, trait: str, who: str | None = None) -> Step:
    """Take a trait off a sheet, with its SFX."""
    owner, label, kind = find_trait(table, actor, ON_SHEET, trait, who)
    character = table.characters.get(owner)
    if character is None:
        raise NotAllowed("The scene has no sheet. Example: /dist remove what:Fog")
    require_character(table, actor, character, Words("change the sheet"))
    old = CORTEX.has(character).traits(kind)[label]
    traits = {k: each for k, each in CORTEX.has(character).traits(kind).items() if k != label}
    sfx = {k: each for k, each in CORTEX.has(character).sfx.items() if key(each.trait) != label}
    fresh = CORTEX.give(character, replace(CORTEX.has(character).with_traits(kind, traits), sfx=sfx))
    return Step(table.with_owner(owner, fresh), (TraitChanged(character.name, kind, old, None),))


def edited(table: Table, actor: Actor, who: str, text: str, seen: str = "") -> Step:
    """The sheet as it was typed in the form; `seen` is the mark of the sheet that the form showed."""
    owner = find_character(table, who)
    character = table.characters[owner]
    require_character(table, actor, character, Words("change the sheet"))
    if seen and seen != mark(character):
        raise NotAllowed(
            "The sheet of {character} has changed meanwhile. Look at it: /character show",
            character=character.name,
        )
    after = sheet.put(character, sheet.read(text))
    if after == character:
        raise NotAllowed("The sheet of {character} is as it was.", character=character.name)
    return Step(table.with_owner(owner, after), (SheetChanged(character.name),))


def shown(table: Table, actor: Actor, who: str | None = None) -> Character:
    """The character that is meant, one's own where nobody is named. Raises Unknown, Ambiguous, NotAllowed."""
    if who and who.strip():
        return table.characters[find_character(table, who)]
    own = table.played_by(actor.id)
    if own is None:
        raise NotAllowed("You play nobody here. Example: /character new name:Alice, or who:Alice")
    return own


def editable(table: Table, actor: Actor, who: str | None = None) -> Character:
    """The same, where the caller may change the sheet."""
    found = shown(table, actor, who)
    require_character(table, actor, found, Words("change the sheet"))
    return found


def mark(character: Character) -> str:
    """A short sign of a sheet as it is."""
    return f"{crc32(sheet.write(sheet.of(character)).encode()):08x}"


def rename(table: Table, actor: Actor, to: str, who: str | None = None) -> Step:
    """Give a character another name; everything at the table that names them follows."""
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    require_character(table, actor, character, Words("give another name"))
    label = clean(to, CHARACTER_NAME, 80)
    require_one(label)
    if label == character.name:
        raise NotAllowed("That is the name of {label} already.", label=label)
    if key(label) != owner:
        label = free_name(table, label)
    return Step(renamed(table, owner, label), (Seated(label, Seat.RENAMED, was=character.name),))


def remove(table: Table, actor: Actor, name: str) -> Step:
    """Take a character off the table, with everything they have."""
    who = find_character(table, name)
    character = table.characters[who]
    if character.owner != actor.id:
        require_character(table, actor, character, Words("remove the character"))
    left = {k: each for k, each in table.characters.items() if k != who}
    table = exchange.without(turn.without(replace(table, characters=left), who), character.name)
    return Step(table, (Seated(character.name, Seat.LEAVES),))


def kind_of(table: Table, character: Character, trait_set: str | None) -> tuple[Kind, str]:
    """What a trait set holds, and its name; a set that nobody named before is new."""
    known = list(dict.fromkeys([*sets(table, character), *_SETS]))
    if trait_set is None or not trait_set.strip():
        raise NotAllowed(
            "Say in which trait set. There is {known}. Example: trait_set:{first}",
            known=Row(known, COMMA),
            first=known[0],
        )
    typed = clean(trait_set, Words("trait set"), 40)
    own = [trait.set for trait in CORTEX.has(character).sheet.values() if trait.set]
    exact = [each for each in (*own, *known) if key(each) == key(typed)][:1]
    begun = exact or [each for each in known if key(each).startswith(key(typed))]
    name = begun[0] if len(begun) == 1 else typed
    return _SETS.get(name, Kind.TRAIT), name


def sets(table: Table, character: Character) -> list[str]:
    """The trait sets of the ruleset and of the character."""
    own = [trait.set for trait in CORTEX.has(character).sheet.values() if trait.set]
    return list(dict.fromkeys([*CORTEX.of(table).ruleset.trait_sets, *own]))


def _held(character: Character, label: str) -> tuple[Kind, Trait] | None:
    """The trait of that label on the sheet, and its kind."""
    for kind in ON_SHEET:
        found = CORTEX.has(character).traits(kind).get(key(label))
        if found is not None and (kind is not Kind.ASSET or found.signature):
            return kind, found
    return None


def _require_fits(character: Character, kind: Kind, name: str) -> None:
    """Refuse more traits in one set than a sheet holds."""
    held = [t for t in CORTEX.has(character).traits(kind).values() if kind is not Kind.TRAIT or t.set == name]
    if len(held) >= sheet.MOST_TRAITS:
        raise NotAllowed(
            "{name} has {most_traits} traits already, which is the most.",
            name=name,
            most_traits=sheet.MOST_TRAITS,
        )


def _released(table: Table, player: int) -> Table:
    """The table with that player playing nobody."""
    for other, before in list(table.characters.items()):
        if before.player == player:
            table = table.with_owner(other, replace(before, player=0, player_name=""))
    return table
