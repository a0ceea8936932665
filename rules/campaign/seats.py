"""Who sits at the table, who is GM, and who may do what."""

import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from itertools import chain, count

from rules.custom_terms import is_meant
from rules.errors import (
    Ambiguous,
    NotAllowed,
    OptionNeeded,
    PossibleAnswer,
    TooLate,
    Undecided,
    Unknown,
    Unreadable,
)
from rules.facts import SeatChange, Seated
from rules.game import Step, played, played_at
from rules.names import (
    CHARACTER_NAME,
    COMMAS,
    NAME,
    SCENE,
    SOMEBODY,
    Candidates,
    clean,
    find,
    find_same,
    fold,
    get_named,
    is_several,
    key,
    one_of,
    plain_name,
    shortened,
    strip_quotes,
    there_are,
)
from rules.table import Character, Table
from rules.terms import Term, later
from rules.text import NO_WORDS, Phrase, Row, Words, join_phrases, shorten
from rules.values import Value, replace

EVERYONE = ("all", "everyone", "everybody")
"""Words for all characters of players."""


GROUPS = (*EVERYONE, "party", "the party", "players", "the players", "@everyone", "@here")
"""What stands for the players' characters where several can be named, as a role does."""


RESERVED = ("scene", *EVERYONE, "gm", "doom", "doom pool")
"""Names that mean something else in `who`."""


NEAR = 0.65
"""How alike two names are, from 0 to 1, for one to be taken as the other mistyped."""


PLAYER = " (player)"
"""What stands behind the name of a person whose own name means something else."""


MOST_CHARACTERS = 60
"""A table has at most this many characters."""


_NUMBER = re.compile("[0-9]+")


_PARTING = str.maketrans(dict.fromkeys(COMMAS, " "))


_MEMBER = re.compile("<@!?([0-9]{1,20})>")


_ROLE = re.compile("<@&[0-9]{1,20}>")


_SIGNS = rf"{COMMAS}+/&\uff0b\uff0f\uff06"


# Several in a row separate once: `Alice, and Bob`.
_BETWEEN = re.compile(
    rf"( ?(?:(?:[{_SIGNS}](?<!<@&)|(?<![^ {_SIGNS}])and(?![^ {_SIGNS}])) ?)+)", re.IGNORECASE
)
"""What separates several names, as a capturing group."""


class Actor(Value):
    """The person who asks: Discord id, name, whether they can Manage Server, and what they agreed to.

    `agreed` holds the signs of their answers to earlier questions (`rules.errors.Undecided`). `place` is
    the id of the channel or thread where they ask, or 0.
    """

    id: int
    name: str
    manages: bool = False
    agreed: tuple[str, ...] = ()
    place: int = 0


def is_gm(table: Table, actor: Actor) -> bool:
    """Return whether the actor may do what the GM may; at an open table everybody may."""
    return table.is_open or actor.id in table.gms


def is_game_master(table: Table, actor: Actor) -> bool:
    """Return whether the actor was named GM, rather than just being at an open table."""
    return actor.id in table.gms


def own_name(actor: Actor) -> str:
    """Return the actor's name in a form usable at the table: one name, and not a reserved word."""
    try:
        # Nobody has chosen it here, so a long one is cut rather than refused.
        name = clean(actor.name.translate(_PARTING), NAME, 1000)[:80].strip()
    except Unreadable:
        name = SOMEBODY
    return f"{name}{PLAYER}" if fold(name) in (*RESERVED, fold(SOMEBODY)) else name


def gm_words(table: Table) -> Phrase:
    """Return who is GM, as the `gms` of a refusal; the bot says something else if all of them have left."""
    if table.is_open:
        return Words("This table has no {gm.one}. To become the {gm.one}: /campaign gm")
    return Words("{gm.One} here: {names}.", names=Row(shortened([*table.gms.values()])))


def require_gm(table: Table, actor: Actor, what: Phrase) -> None:
    """Check that the actor is GM or a delegate. Raises NotAllowed otherwise."""
    if not is_gm(table, actor):
        raise NotAllowed("Only the {gm.one} can {what}. {gms}", what=what, gms=gm_words(table))


def require_secrets(table: Table, actor: Actor, what: Phrase) -> None:
    """Check that the actor was named GM; an open table has no secrets. Raises NotAllowed otherwise."""
    require_gm(table, actor, what)
    if not is_game_master(table, actor):
        raise NotAllowed(
            "Only {gm.a} can {what}, and this table has none. To become the {gm.one}: /campaign gm",
            what=what,
        )


def require_character(table: Table, actor: Actor, character: Character, what: Phrase) -> None:
    """Check that the actor plays the character or is GM. Raises NotAllowed otherwise."""
    if character.player != actor.id and not is_gm(table, actor):
        player = character.player_name or Words("the player")
        raise NotAllowed(
            "Only {who} can {what} for {character}. {gms}",
            who=Words("{player} or the {gm.one}", player=player)
            if character.player
            else Words("the {gm.one}"),
            what=what,
            character=character.name,
            gms=join_phrases(gm_words(table), seat_of(table, actor)),
        )


def seat_of(table: Table, actor: Actor) -> Phrase:
    """Return whom the actor plays, as a sentence of its own: `You play Bob.`"""
    return plays(played_as(table, actor))


def plays(own: str) -> Phrase:
    """Return the sentence of `seat_of` for a known name; nothing for "".

    >>> str(plays("Bob")), str(plays(""))
    ('You play Bob.', '')
    """
    return Words("You play {own}.", own=own) if own else NO_WORDS


def played_as(table: Table, actor: Actor) -> str:
    """Return the name of the character that the actor plays; "" for none."""
    own = table.played_by(actor.id)
    return own.name if own else ""


def character_of(table: Table, actor: Actor) -> Character:
    """Return the character that the actor acts as: the one they play, else a plain one of their own name."""
    played = table.played_by(actor.id)
    if played is not None:
        return played
    own = own_name(actor)
    # By their id first: of two people with one name each has the same number each time.
    names = chain((own, f"{own} {actor.id % 1000}"), (f"{own} {number}" for number in count(2)))
    known = table.characters
    people = (get_named(known, name) or newcomer(table, Character(name)) for name in names)
    free = next(each for each in people if not each.player and not each.gmc)
    return replace(free, player=actor.id, player_name=actor.name)


def seated(table: Table, actor: Actor) -> tuple[Table, str]:
    """Return the table with the actor's character added if needed, and that character's key."""
    character = character_of(table, actor)
    if key(character.name) not in table.characters:
        require_room(table)
    return table.with_owner(key(character.name), character), key(character.name)


def own_seat(table: Table, actor: Actor) -> tuple[Table, str]:
    """Return the same as `seated`, for things given to or taken from the character.

    Raises Undecided before a person who plays nobody becomes a character at a table with a GM.
    """
    name = character_of(table, actor).name
    sign = f"new {key(name)}"
    if not table.is_open and key(name) not in table.characters and sign not in actor.agreed:
        is_free = any(not (each.player or each.gmc) for each in table.characters.values())
        raise Undecided(
            "You don't play a character at this table yet. Create {name}, or take another character: "
            "{example}",
            PossibleAnswer(Words("Create {name}", name=name), sign),
            name=name,
            example="/character play" if is_free else "/character new",
        )
    return seated(table, actor)


def is_scene(table: Table, actor: Actor, typed: str) -> bool:
    """Return whether the typed word means the scene, also in the table's own word. Raises Undecided (N1)."""
    is_name = get_named(table.characters, typed) is not None
    return fold(typed) == SCENE or is_meant(table, Term.SCENE, typed, actor.agreed, is_name=is_name)


def owner_of(
    table: Table, actor: Actor, who: str | None, *, scene: bool = True, new: bool = True, asks: bool = True
) -> tuple[Table, str]:
    """Return the table and the key of the owner that was typed: a character, `scene`, or None.

    None means the actor's character; for a GM who plays none, it means the scene if that can have the
    thing. Raises Undecided before an unknown name creates a plain character, and what `find_character`
    raises; with `asks` off, the actor isn't asked whether to become a character, because something is
    only shown.
    """
    if who is None or not who.strip():
        if scene and is_game_master(table, actor) and table.played_by(actor.id) is None:
            return table, SCENE
        if is_game_master(table, actor) and table.played_by(actor.id) is None:
            raise _character_needed(table, "Which character? {there_is}")
        return own_seat(table, actor) if asks else seated(table, actor)
    name = clean(who)
    parts = split_names(table, name)
    name = parts[0] if len(parts) == 1 else name
    is_somebody = not scene and get_named(table.characters, name) is not None  # then nobody need be asked
    if not is_somebody and is_scene(table, actor, name):
        if not scene:
            raise _character_needed(table, "The {scene.one} can't have that. {offer}")
        return table, SCENE
    return meant_or_new(table, actor, name) if new else (table, find_character(table, name))


def meant_or_new(table: Table, actor: Actor, name: str) -> tuple[Table, str]:
    """Return the table and the key of the named character; a plain one is created if the actor agrees.

    Raises Undecided to ask whether somebody new is meant, or somebody whose name is similar; TooLate if the
    one chosen is gone; and what `find_character` raises for what isn't one name.
    """
    if (known := known_character(table, name)) is not None:
        return table, known
    name = one_name(table, name)
    if is_scene(table, actor, name):
        raise _character_needed(table, "The {scene.one} can't have that. {offer}")
    if fold(name) in RESERVED:
        raise Unknown("{name} isn't a character. {choose}", name=shorten(name), choose=_choose(table, name))
    near = _near(table, name)
    meant = f"is {key(name)} {key(near.name)}" if near else ""
    if near is not None and meant in actor.agreed:
        return table, key(near.name)
    if near is None and any(sign.startswith(f"is {key(name)} ") for sign in actor.agreed):
        raise TooLate(
            "The character you meant by {name} is no longer at the table. Send the command again.", name=name
        )
    made = known_or_new(table, name)
    is_own = table.is_open and table.played_by(actor.id) is None and fold(name) == fold(own_name(actor))
    if is_own or f"new {key(name)}" in actor.agreed:
        return made
    new = PossibleAnswer(Words("Someone new: {name}", name=name), f"new {key(name)}")
    if near is None:
        raise Undecided("Nobody here is called {name}.", new, name=name)
    raise Undecided(
        "There's no {name} here. Did you mean {near}?",
        PossibleAnswer(Words("{name}", name=near.name), meant),
        new,
        name=name,
        near=near.name,
    )


def with_new(table: Table, actor: Actor, name: str) -> Actor:
    """Return the actor as having agreed to create a character of that name, unless another one is similar."""
    is_near = _near(table, name) is not None
    return actor if is_near else replace(actor, agreed=(*actor.agreed, f"new {key(name)}"))


def require_here(table: Table, who: str) -> None:
    """Check that a GMC is present where everybody would see it (B2); open tables hide nothing.

    Raises NotAllowed if it is away.
    """
    character = table.characters.get(who)
    if character is not None and character.gmc and character.away and not table.is_open:
        raise NotAllowed(
            "{character} isn't in the {scene.one}, so they can't do that openly. {enters}",
            character=character.name,
            enters=next((game.gmcs.enters for game in played_at(table) if game.gmcs), NO_WORDS),
        )


def _near(table: Table, name: str) -> Character | None:
    """Who has nearly that name, where nobody has it; a number more or less makes another name.

    So has who alone is called so among others: `Abel` is Mister Abel Crane.
    """
    wanted = fold(name)
    plain = _NUMBER.sub("", wanted)
    if wanted in RESERVED:
        return None
    people = {fold(each.name): each for each in table.characters.values()}
    others = {who: each for who, each in people.items() if _NUMBER.sub("", who) != plain}
    called = [who for who in others if f" {wanted} " in f" {who} "]
    begun = [who for who in others if who.startswith(wanted)]
    sure = next((found for found in (called, begun) if len(found) == 1), None)
    near = sure or get_close_matches(wanted, others, n=1, cutoff=NEAR)
    return others[near[0]] if near else None


def known_or_new(table: Table, name: str) -> tuple[Table, str]:
    """Return the table and the key of the named character, creating a plain one if there is none.

    Raises NotAllowed if the name can't be used or the table is full.
    """
    if (known := known_character(table, name)) is not None:
        return table, known
    for game in played_at(table):
        taken = game.taken_names(table)
        if what := get_named(taken, name):
            raise NotAllowed(
                "{name} is already the name of {what} here. Choose another name.",
                name=shorten(name),
                what=what,
            )
    if fold(name) in (*RESERVED, *GROUPS) or is_several(name) or not split_names(table, name):
        raise NotAllowed("{name} can't be a character's name. Choose another name.", name=shorten(name))
    plain_name(clean(name, CHARACTER_NAME, 80))
    require_room(table)
    return table.with_owner(key(name), newcomer(table, Character(name))), key(name)


def newcomer(table: Table, character: Character) -> Character:
    """Return a new character with what each game gives them to start with."""
    for game in played_at(table):
        character = game.newcomer(table, character)
    return character


def known_character(table: Table, name: str) -> str | None:
    """Return the key of the character that a name, in any spelling, or a mention of a member stands for.

    Raises Ambiguous if there are several; Unknown if the member plays nobody.
    """
    if not (member := _MEMBER.fullmatch(name)):
        same = find_same(name, (each.name for each in table.characters.values()))
        if same is None and len(parts := split_names(table, name)) == 1 and parts != [name]:
            return known_character(table, parts[0])
        return None if same is None else key(same)
    player, people = int(member[1]), table.characters.values()
    played = [each.name for each in people if each.player == player]
    names = played or [each.name for each in people if each.owner == player and not each.player]
    if len(names) > 1:
        raise Ambiguous("That member has several characters. {choose}", choose=_choose(table, name, names))
    if not names:
        raise Unknown("That member doesn't play a character here. {choose}", choose=_choose(table, name))
    return key(names[0])


def _choose(table: Table, typed: str, names: Sequence[str] = ()) -> Phrase:
    """Return which of these characters, or of all, can be chosen instead of what was typed."""
    names = names or [each.name for each in table.characters.values()]
    if not names:
        return Words("To make a character: /character new")
    return Candidates(names, sentence=later("Choose {names}."), typed=typed)


def is_group(typed: str) -> bool:
    """Return whether a typed text stands for the players' characters, as `all`, `party` or a role does.

    >>> is_group("Party"), is_group("<@&5>"), is_group("Alice")
    (True, True, False)
    """
    return _ROLE.fullmatch(typed.strip()) is not None or fold(typed) in GROUPS


def split_names(table: Table, typed: str) -> list[str]:
    """Return the names in a text, separated by commas, `and`, `&`, `+` or `/`, without quotation marks.

    A character's name that has these in it stays whole.

    >>> split_names(Table(), "Alice, Bob, and Cy")
    ['Alice', 'Bob', 'Cy']
    >>> split_names(Table(characters={"cut & run": Character("Cut & Run")}), "Cut & Run + Bob")
    ['Cut & Run', 'Bob']
    """
    line = " ".join(typed.replace("><@", "> <@").replace("> <@", ">, <@").split())
    pieces = _BETWEEN.split(line)  # every second one separates
    known = {fold(each.name) for each in table.characters.values()}
    longest = max((2 * len(_BETWEEN.findall(name)) for name in known), default=0)
    found, place = list[str](), 0
    while place < len(pieces):
        ends = range(min(place + longest, len(pieces) - 1), place, -1)
        end = next((end for end in ends if fold("".join(pieces[place : end + 1])) in known), place)
        if name := "".join(pieces[place : end + 1]).strip():
            # In quotation marks, one of several known names that look the same is meant.
            bare = strip_quotes(name)
            found.append(name if {fold(name), fold(bare)} & known else bare)
        place = end + 2
    return found


def one_name(table: Table, typed: str) -> str:
    """Return the one name in a text, without separators and quotation marks.

    Raises Ambiguous for a group or several names; Unreadable if there is none.
    """
    if get_named(table.characters, typed) is not None:
        return typed
    names = split_names(table, typed)
    if not names:
        raise Unreadable("{typed} isn't a name. {choose}", typed=shorten(typed), choose=_choose(table, typed))
    if len(names) > 1:
        raise Ambiguous(
            "That's several names, but this takes one. {choose}",
            choose=_choose(table, typed, [name for name in names if get_named(table.characters, name)]),
        )
    name = names[0]
    if _ROLE.fullmatch(name):
        raise Ambiguous("A role isn't one character. {choose}", choose=_choose(table, typed))
    if is_group(name):
        players = [each.name for each in table.characters.values() if not each.gmc]
        raise Ambiguous(
            "{typed} means all characters, but this takes one. {choose}",
            typed=shorten(name),
            choose=_choose(table, typed, players),
        )
    return name


def find_character(table: Table, name: str) -> str:
    """Return the key of the one character that is meant: by name, or by a mention of who plays them.

    Raises Unknown for a name that nobody has, or a member who plays nobody; Ambiguous for several.
    """
    if (known := known_character(table, clean(name, Words("character")))) is not None:
        return known
    names = [each.name for each in table.characters.values()]
    if not any(fold(each).startswith(fold(name)) for each in names):
        name = one_name(table, name)
    return key(find(name, names, Words("character")))


def find_meant_name(table: Table, typed: str) -> str:
    """Return the name of the character that is typed or mentioned, or the typed text if nobody is.

    Raises what `known_character` raises.
    """
    known = known_character(table, typed)
    return typed if known is None else table.characters[known].name


def name_members(table: Table, text: str) -> str:
    """Return a text with characters' names for mentions of members. Raises as `known_character` does."""
    return _MEMBER.sub(lambda member: find_meant_name(table, member[0]), text) if "<@" in text else text


def find_characters(table: Table, typed: str) -> tuple[str, ...]:
    """Return the keys of all characters that are meant; a group means the players' characters.

    Raises what `find_character` raises.
    """
    return tuple(dict.fromkeys(find_character(table, name) for name in expand_groups(table, typed)))


def expand_groups(table: Table, typed: str) -> list[str]:
    """Return the names in a text, with those of the players' characters for a group: `party, Rex`."""
    if get_named(table.characters, typed) is not None:
        return [typed]
    found: list[str] = []
    for part in split_names(table, typed):
        is_all = _is_group_here(table, part)
        found += [each.name for each in table.in_play.values() if not each.gmc] if is_all else [part]
    return found


def _is_group_here(table: Table, typed: str) -> bool:
    return is_group(typed) and get_named(table.characters, typed) is None


def several(table: Table, actor: Actor, who: str) -> tuple[Table, tuple[str, ...]]:
    """Return the table and the keys of the characters named; `all` or a role means the players' characters.

    Raises what `meant_or_new` raises; Unknown if nobody is named or `all` is nobody.
    """
    names = expand_groups(table, who)
    if not names and any(_is_group_here(table, part) for part in split_names(table, who)):
        raise Unknown("There are no characters in play yet. Press Join, or type a name.")
    keys: tuple[str, ...] = ()
    for name in names:
        table, one = meant_or_new(table, actor, clean(name))
        keys = keys if one in keys else (*keys, one)
    if not keys:
        raise Unknown(
            "Name one or more characters, separated by commas, or type all. Example: who:Alice, Bob"
        )
    return table, keys


def _character_needed(table: Table, sentence: str) -> OptionNeeded:
    """Return a refusal that offers the table's characters for the option `who`."""
    names = [c.name for c in table.characters.values()]
    new = Words("Type a new name. Example: who:Alice")
    there_is = there_are(names) if names else new
    offer = Words("Try {names}.", names=one_of(names)) if names else new
    return OptionNeeded(sentence, option="who", choices=names, there_is=there_is, offer=offer)


def join(table: Table, actor: Actor, name: str) -> Step:
    """Take a character that nobody plays, or a new one of that name. Raises NotAllowed if that isn't free."""
    table, who = known_or_new(table, clean(name, CHARACTER_NAME, 80))
    character = table.characters[who]
    if character.player == actor.id:
        raise NotAllowed("You already play {character}.", character=character.name)
    if character.player or character.gmc:
        free = [c.name for c in table.characters.values() if not c.player and not c.gmc]
        there_is = Words("Free to play: {names}.", names=one_of(free)) if free else Words("Type a new name.")
        player = character.player_name or Words("the {gm.one}")
        raise NotAllowed(
            "{player} already plays {character}. {there_is}",
            character=character.name,
            player=player,
            there_is=there_is,
        )
    _require_free(table, actor, character)
    for other, before in list(table.characters.items()):
        if before.player == actor.id:
            table = table.with_owner(other, replace(before, player=0, player_name=""))
    owner = character.owner or actor.id
    table = table.with_owner(who, replace(character, player=actor.id, player_name=actor.name, owner=owner))
    return Step(table, (Seated(character.name, SeatChange.PLAYED, own_name(actor)),))


def stand_up(table: Table, actor: Actor) -> Step:
    """Stop playing a character, which then anybody may take. Raises NotAllowed if the actor plays none."""
    own = [(who, each) for who, each in table.characters.items() if each.player == actor.id]
    if not own:
        raise NotAllowed("You don't play a character at that table. To see your tables: /privacy show")
    for who, character in own:
        table = table.with_owner(who, replace(character, player=0, player_name=""))
    return Step(table, tuple(Seated(each.name, SeatChange.PLAYED) for _, each in own))


def _require_free(table: Table, actor: Actor, character: Character) -> None:
    """Ask whoever plays somebody already before they play somebody else instead."""
    own = table.played_by(actor.id)
    sign = f"over {key(own.name)}" if own else ""
    if own is not None and sign not in actor.agreed:
        raise Undecided(
            "You play {own}. Play {character} instead of {own}?",
            PossibleAnswer(Words("Play {name}", name=character.name), sign),
            own=own.name,
            character=character.name,
        )


def require_walk(before: Table, after: Table, actor: Actor) -> None:
    """Check that undoing or redoing changes nothing that only the current GM may change.

    Raises NotAllowed if it does.
    """
    if is_gm(before, actor) or actor.manages:
        return
    if before.archived:
        raise NotAllowed(
            "{before} is archived. {gms}", before=before.name or Words("This table"), gms=gm_words(before)
        )
    if _ruled(before) != _ruled(after):
        raise NotAllowed(
            "That step changed a setting or the {gm.one}, so only the {gm.one} can undo it. {gms}",
            gms=gm_words(before),
        )


def _ruled(table: Table) -> tuple[object, ...]:
    """What only the GM changes."""
    return (table.gms, table.name, table.game, *(game.ruled(table) for game in played()))


def require_room(table: Table) -> None:
    """Check that the table has room for one more character. Raises NotAllowed if it is full."""
    if len(table.characters) >= MOST_CHARACTERS:
        raise NotAllowed(
            "This table is full: it has {most_characters} characters. Remove one first: /character remove",
            most_characters=MOST_CHARACTERS,
        )


def name_gm(
    table: Table, actor: Actor, player: Actor, remove: bool = False, *, on_server: bool = False
) -> Step:
    """Name or remove a GM or delegate; whoever can Manage Server may always do it on a server.

    Raises NotAllowed if the actor may not or the person is GM already; Unknown if the person to remove
    isn't GM.
    """
    if on_server and not (actor.manages or is_gm(table, actor)):
        raise NotAllowed(
            "Only the {gm.one} or members with Manage Server can name {gm.a}. {gms}",
            gms=gm_words(table),
        )
    if not actor.manages:
        require_gm(table, actor, Words("name {gm.a}"))
    if remove:
        if player.id not in table.gms:
            raise Unknown(
                "{player} isn't {gm.a} at this table. {gms}", player=player.name, gms=gm_words(table)
            )
        left = {gm: name for gm, name in table.gms.items() if gm != player.id}
        return Step(replace(table, gms=left), (Seated(player.name, SeatChange.NO_GM, player.name),))
    if player.id in table.gms:
        raise NotAllowed("{player} is already {gm.a} at this table.", player=player.name)
    gms = {**table.gms, player.id: own_name(player)}
    return Step(replace(table, gms=gms), (Seated(player.name, SeatChange.GM, player.name),))


def take_over(table: Table, actor: Actor, gone: Collection[int], *, has_left: bool, seen: int = 0) -> Step:
    """Become GM in place of those who are gone: a delegate first, or anybody who can Manage Server.

    `seen` is the step as of which they were gone. Delegates who have long been inactive may do it too,
    but don't block people with Manage Server. Raises NotAllowed if the actor may not; TooLate if
    something has happened since.
    """
    if table.number != seen:
        raise TooLate("The table changed in the meantime. Press again.")
    delegates = tuple(name for gm, name in table.gms.items() if gm not in gone)
    if not delegates and not has_left:
        delegates = tuple(table.gms.values())[1:]
    is_managers = not delegates or not has_left
    if actor.id not in table.gms and not (is_managers and actor.manages):
        raise NotAllowed(
            "Only {who} can take over this table.", who=_heirs(delegates, is_managers=is_managers)
        )
    left = {gm: name for gm, name in table.gms.items() if gm in gone and gm != actor.id}
    kept = {gm: name for gm, name in table.gms.items() if gm not in left and gm != actor.id}
    facts = [
        Seated(name.removesuffix(PLAYER), SeatChange.NO_GM, name.removesuffix(PLAYER))
        for name in left.values()
    ]
    new = Seated(actor.name, SeatChange.GM, actor.name)
    return Step(replace(table, gms={actor.id: own_name(actor), **kept}), (new, *facts))


def _heirs(delegates: tuple[str, ...], *, is_managers: bool) -> Phrase:
    """Who may take over, for a refusal."""
    if not delegates:
        return Words("members with Manage Server")
    if not is_managers:
        return Row(delegates)
    return Words("{delegates} or members with Manage Server", delegates=Row(delegates))


def with_gms(before: Table, after: Table) -> Step:
    """Return an earlier table, with the current GMs if it would have none, so that secrets stay secret."""
    if after.gms or not before.gms:
        return Step(after, ())
    kept = replace(after, gms=before.gms)
    names = [name.removesuffix(PLAYER) for name in before.gms.values()]
    return Step(kept, tuple(Seated(name, SeatChange.STAYS_GM) for name in names))


def claim(table: Table, actor: Actor) -> Step:
    """Become GM of a table that has none. Raises NotAllowed, naming the GM, if it has one."""
    if not table.is_open:
        how = Words("{gm.A} can name another one: /campaign gm")
        raise NotAllowed("{gms}", gms=join_phrases(gm_words(table), how))
    return name_gm(table, actor, actor)
