"""Import tables and characters from files, after checking that play could have led to them.

The check walks every part by its class, so that a new field is covered at once: text must be readable,
numbers not negative, and names stored under their keys. Annotations set further limits
(`rules.values`), and games add checks for their classes. A fault names its place:
`characters.alice.notes: …`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from itertools import chain
from typing import Any, TypeVar

from rules import custom_terms
from rules.campaign.characters import DIGEST, free_name, link
from rules.campaign.dates import LAST, MOST_TIMES
from rules.campaign.notes import LONGEST_NOTE, MOST_OPEN
from rules.campaign.safety import MOST as MOST_BOUNDARIES
from rules.campaign.schedule import MOST as MOST_REPLIES
from rules.campaign.schedule import REPEATS
from rules.campaign.seats import (
    MOST_CHARACTERS,
    RESERVED,
    Actor,
    is_game_master,
    is_gm,
    require_character,
    require_gm,
    require_room,
)
from rules.campaign.zones import is_zone
from rules.dice import ALL_SIZES, MOST_DICE
from rules.errors import NotAllowed, RuleError, Unreadable
from rules.facts import Imported, SeatChange, Seated
from rules.game import Fault, Step, played, sheets_at
from rules.names import (
    CHARACTER_NAME,
    LONGEST,
    Plan,
    Reply,
    clean,
    fold,
    get_named,
    is_seen,
    key,
    plain_name,
    require_one,
    spelt,
)
from rules.table import LONGEST_DEADLINE, Character, Rolled, Settings, Table
from rules.text import COMMA, Row, Words, shorten
from rules.values import ANY, Limit, StoredAsText, Value, limits_of, replace

NOBODY = Actor(0, "")


NOTHING_OPEN = -1
"""The step up to which something comes back that is open in the file of another table."""


_Each = TypeVar("_Each")


def bring_table(table: Table, actor: Actor, found: Table, *, is_home: bool, is_same: bool) -> Step:
    """Replace the table by one from a file; the GM who does this stays GM.

    If `is_home`, the file is from this server, so its people are here too. Otherwise this table's GMs
    stay, and only people who play a character of the same name here keep a seat. If `is_same`, the
    file is of this very table, and its open rolls and contests come back; otherwise they are dropped.
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
    """Check that the actor may export a character: its player, its owner or the GM. Raises NotAllowed."""
    if character.owner != actor.id:
        require_character(table, actor, character, Words("export the sheet"))


_NAMED = re.compile(r"\s*Name:(?P<name>[^\n]*)\n?", re.IGNORECASE)
"""The first line of a sheet as text."""


def write_text(table: Table, character: Character) -> str:
    """Return a character's sheet as text, after a line with the name; `read_text` reads it back.

    Raises NotAllowed for a character of the GM, who has more than a sheet.
    """
    if character.gmc:
        raise NotAllowed(
            "Only a player's character fits into text. Export {name} again without as.", name=character.name
        )
    return f"Name: {character.name}\n{sheets_at(table).export(table, character)}\n"


def is_text(text: str) -> bool:
    """Return whether a text looks like the sheet of a character; it may have faults.

    >>> is_text("Name: Rook"), is_text("Rook")
    (True, False)
    """
    return _NAMED.match(text) is not None


def read_text(table: Table, actor: Actor, text: str) -> Character:
    """Return the character of a sheet as text, as the table's game reads it.

    Raises Unreadable for a name that can't be used, and what reading the sheet raises.
    """
    named = _NAMED.match(text)
    name = plain_name(clean(named["name"] if named else "", CHARACTER_NAME, 80))
    require_one(name)
    rest = text[named.end() :] if named else text
    return sheets_at(table).with_text(table, actor, Character(name), rest.strip())


def bring_character(table: Table, actor: Actor, found: Character, *, is_home: bool) -> Step:
    """Import a character from a file.

    The actor plays it unless they already play somebody; a GM's import goes back to its player on this
    server if that person plays nobody. Only the GM can give PP, XP and hero dice, so a player's import
    comes without. Raises NotAllowed if the name is taken, the actor may not, or there is no room.
    """
    if get_named(table.characters, found.name) is not None:
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
    how = SeatChange.IMPORTED if found.gmc else SeatChange.IMPORTED_PLAYED
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
    """Return imported characters, each played by whoever plays the character of that name here."""
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
    return replace(found, xp=0)


def _names(table: Table) -> tuple[str, ...]:
    return tuple(character.name for character in table.characters.values())


Checks = Callable[[Any], Iterator[Fault]]
"""What is wrong with a thing of some class."""


_LARGEST = 2**63 - 1  # what a column can hold


_MOST_PARTS = 800


_LONGEST_TEXT = 2000


MINUTES = 24 * 60


def check(what: Table | Character, where: str = "") -> None:
    """Check a table or character from a file. Raises Unreadable, naming the place of the first fault."""
    name = _of_name(what.name, _at(where, "name")) if isinstance(what, Character) else ()
    for place, fault in chain(_faults(what, where, ANY), name):
        raise Unreadable("{place}: {fault}.", place=spelt(place), fault=fault)


def _faults(part: object, where: str, limit: Limit) -> Iterator[Fault]:
    """Everything that is wrong with a part and with the parts of it."""
    if isinstance(part, bool | Enum) or part is None:
        return
    if isinstance(part, str):
        yield from _of_text(part, where, limit)
    elif isinstance(part, StoredAsText):
        yield from _of_text(part.text, where, limit)
    elif isinstance(part, int):
        yield from _of_number(part, where, limit)
    elif isinstance(part, Mapping):
        yield from _of_mapping(part, where, limit)
    elif isinstance(part, tuple):
        yield from too_many(part, _MOST_PARTS, where)
        for number, each in enumerate(part):
            yield from _faults(each, f"{where}.{number}", limit)
    elif isinstance(part, Value):
        for name, its in limits_of(type(part)).items():
            yield from _faults(getattr(part, name), _at(where, name), its)
        for place, fault in _checks(type(part))(part):
            yield _at(where, place), fault


def _of_number(number: int, where: str, limit: Limit) -> Iterator[Fault]:
    if limit.is_signed and limit.most is not None:
        yield from too_much(abs(number), limit.most, where)
    elif not 0 <= number <= _LARGEST:
        yield where, Words("{number} isn't a number from 0 to {most}", number=number, most=_LARGEST)
    elif limit.most is not None:
        yield from too_much(number, limit.most, where)
    elif limit.is_size:
        yield from of_size(number, where)


def _of_text(text: str, where: str, limit: Limit) -> Iterator[Fault]:
    """A text has no characters that cannot be seen, and one line unless it is a note."""
    yield from too_long(text, limit.longest or _LONGEST_TEXT, where)
    allowed = "\n" if limit.has_lines else ""
    odd = next((c for c in text if not is_seen(c) and c not in allowed), None)
    if odd is not None:
        yield where, Words("the text contains the invisible character U+{code}", code=f"{ord(odd):04X}")


def _of_mapping(held: Mapping[Any, Any], where: str, limit: Limit) -> Iterator[Fault]:
    """Things are found by their keys, and dice are counted by their sizes."""
    yield from too_many(held, _MOST_PARTS, where)
    for found, each in held.items():
        place = f"{where}.{spelt(str(found))}"
        label = getattr(each, "label", None) or getattr(each, "name", None)
        yield from _faults(found, place, ANY)
        if limit.is_dice:
            yield from of_size(found, place, limit.least)
            if not each:
                yield place, Words("leave out sizes with 0 dice")
        elif isinstance(found, str) and isinstance(label, str) and found != key(label):
            own = quote_value(label)
            yield (
                place,
                Words("the key is {found}, but the name is {name}", found=quote_value(found), name=own),
            )
        yield from _faults(each, place, ANY)
    if limit.is_dice and (count := sum(held.values())) > MOST_DICE:
        yield where, Words("that's {count} dice; the limit is {most}", count=count, most=MOST_DICE)


def _of_table(table: Table) -> Iterator[Fault]:
    yield from too_many(table.characters, MOST_CHARACTERS, "characters")
    for place in ("name", "scene", "day"):
        yield from of_label(getattr(table, place) or place, place)
    yield from _of_gms(table)
    yield from _of_boundaries(table)
    yield from _of_threads(table)
    seated: dict[int, str] = {}
    for who, character in table.characters.items():
        yield from _of_name(character.name, f"characters.{who}.name")
        if character.player in seated:
            other = spelt(seated[character.player])
            yield f"characters.{who}.player", Words("the same person also plays {name}", name=other)
        seated |= {character.player: character.name} if character.player else {}
    for game in played():
        yield from game.faults(table)


def of_rolls(rolls: Mapping[int, Rolled], place: str, most: int) -> Iterator[Fault]:
    """Yield faults of a table's rolls: too many, or stored under a wrong number."""
    yield from too_many(rolls, most, place)
    for number, roll in rolls.items():
        if roll.number != number:
            fault = Words("{number} should be {place}", number=roll.number, place=number)
            yield f"{place}.{number}.number", fault


def _of_gms(table: Table) -> Iterator[Fault]:
    for gm, name in table.gms.items():
        if not gm:
            yield "gms.0", Words("0 isn't anyone's id")
        yield from of_label(name, f"gms.{gm}")


def _of_boundaries(table: Table) -> Iterator[Fault]:
    yield from too_many((*table.lines, *table.veils), MOST_BOUNDARIES, "lines")
    for place in ("lines", "veils"):
        for found, what in getattr(table, place).items():
            yield from of_label(what, f"{place}.{spelt(found)}")
            if found != key(what):
                fault = Words(
                    "the key is {found}, but the text is {what}",
                    found=quote_value(found),
                    what=quote_value(what),
                )
                yield f"{place}.{spelt(found)}", fault
    for found in table.lines.keys() & table.veils.keys():
        yield f"veils.{spelt(found)}", Words("this is already listed as a line")


def _of_threads(table: Table) -> Iterator[Fault]:
    for secret in (False, True):
        yield from too_many((n for n in table.threads.values() if n.secret is secret), MOST_OPEN, "threads")
    for found, thread in table.threads.items():
        place = f"threads.{spelt(found)}"
        yield from too_long(thread.text, LONGEST_NOTE, f"{place}.text")
        yield from of_label(thread.about or "about", f"{place}.about")
        if found != key(thread.text):
            fault = Words(
                "the key is {found}, but the text is {what}",
                found=quote_value(found),
                what=quote_value(thread.text),
            )
            yield place, fault


def _of_name(name: str, place: str) -> Iterator[Fault]:
    if fold(name) in RESERVED or "," in name or len(name) > 80:
        yield place, Words("{name} can't be a character's name", name=quote_value(name))


def _of_character(character: Character) -> Iterator[Fault]:
    yield from of_label(character.name, "name")
    yield from too_long(character.player_name, LONGEST, "player_name")
    try:
        is_link = link(character.portrait) == character.portrait
    except RuleError:
        is_link = False
    if character.picture and not DIGEST.fullmatch(character.picture):
        yield "picture", Words("{picture} isn't a digest", picture=quote_value(character.picture))
    if not is_link:
        yield "portrait", Words("{portrait} isn't a link", portrait=quote_value(character.portrait))


def _of_plan(plan: Plan) -> Iterator[Fault]:
    yield from too_many(plan.replies, MOST_REPLIES, "replies")
    yield from too_long(plan.note, 200, "note")
    if plan.unread:
        yield "unread", Words("there's no such field")
    if plan.at > LAST:
        yield "at", Words("{at} is after the year 2099", at=plan.at)
    yield from too_many(plan.times, MOST_TIMES, "times")
    for at, can in plan.times.items():
        if not 0 < at <= LAST:
            yield f"times.{at}", Words("{at} isn't a time up to the year 2099", at=at)
        yield from too_many(can, MOST_REPLIES, f"times.{at}")
        for name in can.values():
            yield from of_label(name, f"times.{at}")
    yield from too_much(plan.least, MOST_REPLIES, "least")
    if plan.weeks not in REPEATS:
        yield "weeks", Words("{weeks} isn't one of {known}", weeks=plan.weeks, known=Row(REPEATS, COMMA))
    if plan.minute is not None and plan.minute >= MINUTES:
        yield "minute", Words("{minute} is after the end of a day", minute=plan.minute)


def _of_reply(reply: Reply) -> Iterator[Fault]:
    yield from of_label(reply.name, "name")


def _of_settings(settings: Settings) -> Iterator[Fault]:
    if not 1 <= settings.deadline <= LONGEST_DEADLINE:
        yield (
            "deadline",
            Words(
                "{hours} isn't a number of hours from 1 to {most}",
                hours=settings.deadline,
                most=LONGEST_DEADLINE,
            ),
        )
    if settings.zone and not is_zone(settings.zone):
        yield "zone", Words("there's no time zone {zone}", zone=quote_value(settings.zone))
    for term, fault in custom_terms.faults(settings.words):
        yield f"words.{term}", fault


def of_label(label: str, place: str) -> Iterator[Fault]:
    """Yield a fault if a label isn't as it would be after being typed."""
    try:
        is_fine = clean(label) == label
    except RuleError:
        is_fine = False
    if not is_fine:
        yield (
            place,
            Words(
                "{name} can't be a name; use 1 to {most} characters, with no extra spaces",
                name=quote_value(label),
                most=LONGEST,
            ),
        )


def of_size(size: int, place: str, least: int = ALL_SIZES[0]) -> Iterator[Fault]:
    """Yield a fault if there is no die of that size, or it is smaller than `least`."""
    if size not in ALL_SIZES or size < least:
        sizes = Row([each for each in ALL_SIZES if each >= least], COMMA)
        yield place, Words("{size} isn't a die; use one of {sizes}", size=size, sizes=sizes)


def too_long(text: str, most: int, place: str) -> Iterator[Fault]:
    """Yield a fault if a text has more than `most` characters."""
    if len(text) > most:
        count = len(text)
        yield place, Words("that's {count} characters; the limit is {most}", count=count, most=most)


def too_many(parts: Mapping[Any, Any] | Iterable[Any], most: int, place: str) -> Iterator[Fault]:
    """Yield a fault if there are more than `most` parts."""
    count = len(list(parts))
    if count > most:
        yield place, Words("that's {count} entries; the limit is {most}", count=count, most=most)


def too_much(number: int, most: int, place: str) -> Iterator[Fault]:
    """Yield a fault if a number is larger than `most`."""
    if number > most:
        yield place, Words("{number} is too many; the limit is {most}", number=number, most=most)


def quote_value(text: str) -> str:
    """Return text from a file, shortened for a message, with invisible characters escaped."""
    return spelt(shorten(text))


def _checks(kind: Any) -> Checks:
    """What says what is wrong with things of a class, of the game that knows it."""
    known = [_KINDS, *(game.checks for game in played())]
    return next((checks[kind] for checks in known if kind in checks), _nothing)


def _nothing(part: object) -> Iterator[Fault]:
    return iter(())


def _at(where: str, name: str) -> str:
    return f"{where}.{name}" if where and name else where or name


_KINDS: Mapping[type, Checks] = {
    Table: _of_table,
    Character: _of_character,
    Plan: _of_plan,
    Reply: _of_reply,
    Settings: _of_settings,
}
"""What is wrong with a thing of each class of any game, besides the faults of its parts."""
