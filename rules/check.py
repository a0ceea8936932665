"""Whether a table, or a character, is one that play could have led to: what comes from outside is checked.

Every part is visited by the shape of its class, so that a new field is checked for its kind at once: its
texts can be read, its numbers are not negative, its names are found by their keys. What more there is to
say about a class, it or its game says. A fault is told with its place: `characters.alice.notes: …`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import chain
from typing import Any

from rules.dates import LAST, zones
from rules.dice import MOST_DICE, SIZES, shorten
from rules.errors import RuleError, Unreadable
from rules.game import Fault, played
from rules.kinds import Plan, Reply, key
from rules.names import LONGEST, clean, is_seen, spelt
from rules.plan import MOST as MOST_REPLIES
from rules.plan import REPEATS
from rules.portrait import DIGEST, link
from rules.roll import Rolled
from rules.safety import MOST as MOST_BOUNDARIES
from rules.seats import MOST_CHARACTERS, RESERVED
from rules.settings import LONGEST_DEADLINE, Settings
from rules.table import Character, Table

Checks = Callable[[Any], Iterator[Fault]]
"""What is wrong with a thing of some class."""

_LARGEST = 2**63 - 1  # what a column can hold
_MOST_PARTS = 800
_LONGEST_TEXT = 2000
POOLS = ("pool", "hero", "doom", "dice")
"""The fields that count dice by their size."""
_COUNTS = {
    *("keep", "effects_bought", "raised", "limits_paid", "rerolls", "outs", "exchanges"),
    *("round", "rounds", "act", "scenes", "session"),
}
"""The fields that count what happens at the table."""
MOST_TIMES = 9999
"""Nothing that is counted happens more often."""
MINUTES = 24 * 60
_ON_LINES = ("notes", "after")
"""The fields whose texts may have several lines."""


def check(what: Table | Character, where: str = "") -> None:
    """Let a table or a character pass. Raises Unreadable with the place of the first fault."""
    name = _of_name(what.name, _at(where, "name")) if isinstance(what, Character) else ()
    for place, fault in chain(_faults(what, where, ""), name):
        raise Unreadable(spelt(f"{place}: {fault}." if place else f"{fault}."))


def _faults(part: object, where: str, name: str) -> Iterator[Fault]:
    """Everything that is wrong with a part and with the parts of it."""
    if isinstance(part, bool | Enum) or part is None:
        return
    if isinstance(part, str):
        yield from _of_text(part, where, name)
    elif isinstance(part, int):
        if not 0 <= part <= _LARGEST:
            yield where, f"{part} is no number from 0 to {_LARGEST}"
        elif name in _COUNTS and part > MOST_TIMES:
            yield where, f"{part} is too many; {MOST_TIMES} are the most"
    elif isinstance(part, Mapping):
        yield from _of_mapping(part, where, name)
    elif isinstance(part, tuple):
        yield from too_many(part, _MOST_PARTS, where)
        for number, each in enumerate(part):
            yield from _faults(each, f"{where}.{number}", name)
    elif is_dataclass(part):
        for each in fields(part):
            yield from _faults(getattr(part, each.name), _at(where, each.name), each.name)
        for place, fault in _checks(type(part))(part):
            yield _at(where, place), fault


def _of_text(text: str, where: str, name: str) -> Iterator[Fault]:
    """A text has no characters that cannot be seen, and one line unless it is a note."""
    if len(text) > _LONGEST_TEXT:
        yield where, f"{len(text)} characters are too many; {_LONGEST_TEXT} are the most"
    allowed = "\n" if name in _ON_LINES else ""
    odd = next((c for c in text if not is_seen(c) and c not in allowed), None)
    if odd is not None:
        yield where, f"the character U+{ord(odd):04X} in it cannot be seen"


def _of_mapping(held: Mapping[Any, Any], where: str, name: str) -> Iterator[Fault]:
    """Things are found by their keys, and dice are counted by their sizes."""
    yield from too_many(held, _MOST_PARTS, where)
    is_pool = name in POOLS
    for found, each in held.items():
        place = f"{where}.{spelt(str(found))}"
        label = getattr(each, "label", None) or getattr(each, "name", None)
        yield from _faults(found, place, "")
        if is_pool and found not in SIZES:
            yield place, f"{found} is no die"
        elif is_pool and not each:
            yield place, "0 dice are none"
        elif isinstance(found, str) and isinstance(label, str) and found != key(label):
            yield place, f"it stands under {shorten(found)}, but its name is {shorten(label)}"
        yield from _faults(each, place, name)
    if is_pool and sum(held.values()) > MOST_DICE:
        yield where, f"{sum(held.values())} dice are too many; {MOST_DICE} are the most"


def _of_table(table: Table) -> Iterator[Fault]:
    yield from too_many(table.characters, MOST_CHARACTERS, "characters")
    for place in ("name", "scene"):
        yield from of_label(getattr(table, place) or place, place)
    yield from _of_gms(table)
    yield from _of_boundaries(table)
    seated: dict[int, str] = {}
    for who, character in table.characters.items():
        yield from _of_name(character.name, f"characters.{who}.name")
        if character.player in seated:
            yield f"characters.{who}.player", f"the same person plays {seated[character.player]}"
        seated |= {character.player: character.name} if character.player else {}
    for game in played():
        yield from game.faults(table)


def of_rolls(rolls: Mapping[int, Rolled], place: str, most: int) -> Iterator[Fault]:
    """A roll is found by its number."""
    yield from too_many(rolls, most, place)
    for number, roll in rolls.items():
        if roll.number != number:
            yield f"{place}.{number}.number", f"{roll.number} is not {number}"


def _of_gms(table: Table) -> Iterator[Fault]:
    for gm, name in table.gms.items():
        if not gm:
            yield "gms.0", "0 is the id of nobody"
        yield from of_label(name, f"gms.{gm}")


def _of_boundaries(table: Table) -> Iterator[Fault]:
    yield from too_many((*table.lines, *table.veils), MOST_BOUNDARIES, "lines")
    for place in ("lines", "veils"):
        for found, what in getattr(table, place).items():
            yield from of_label(what, f"{place}.{spelt(found)}")
            if found != key(what):
                yield f"{place}.{spelt(found)}", f"it stands under {shorten(found)}, but says {shorten(what)}"
    for found in table.lines.keys() & table.veils.keys():
        yield f"veils.{spelt(found)}", "it is a line already"


def _of_name(name: str, place: str) -> Iterator[Fault]:
    if key(name) in RESERVED or "," in name or len(name) > 80:
        yield place, f"{shorten(name)} cannot be the name of a character"


def _of_character(character: Character) -> Iterator[Fault]:
    yield from of_label(character.name, "name")
    yield from too_long(character.player_name, LONGEST, "player_name")
    try:
        is_link = link(character.portrait) == character.portrait
    except RuleError:
        is_link = False
    if character.picture and not DIGEST.fullmatch(character.picture):
        yield "picture", f"{shorten(character.picture)} is no digest"
    if not is_link:
        yield "portrait", f"{shorten(character.portrait)} is no link"


def _of_plan(plan: Plan) -> Iterator[Fault]:
    yield from too_many(plan.replies, MOST_REPLIES, "replies")
    yield from too_long(plan.note, 200, "note")
    if plan.unread:
        yield "unread", "nothing of that name is known there"
    if plan.at > LAST:
        yield "at", f"{plan.at} is after the year 2099"
    if plan.weeks not in REPEATS:
        yield "weeks", f"{plan.weeks} is none of {', '.join(map(str, REPEATS))}"
    if plan.minute is not None and plan.minute >= MINUTES:
        yield "minute", f"{plan.minute} is after the end of a day"


def _of_reply(reply: Reply) -> Iterator[Fault]:
    yield from of_label(reply.name, "name")


def _of_settings(settings: Settings) -> Iterator[Fault]:
    if not 1 <= settings.deadline <= LONGEST_DEADLINE:
        yield "deadline", f"{settings.deadline} is no number of hours from 1 to {LONGEST_DEADLINE}"
    if settings.zone and zones().get(settings.zone.casefold()) != settings.zone:
        yield "zone", f"there is no time zone {shorten(settings.zone)}"


def of_label(label: str, place: str) -> Iterator[Fault]:
    """A label is as it would be after it was typed."""
    try:
        is_fine = clean(label) == label
    except RuleError:
        is_fine = False
    if not is_fine:
        yield place, f"{shorten(label)} is no name of 1 to {LONGEST} characters without odd spaces"


def of_size(size: int, place: str, least: int = SIZES[0]) -> Iterator[Fault]:
    """There is a die of that size, and it is no smaller than the least."""
    if size not in SIZES or size < least:
        yield place, f"{size} is no die; there are {', '.join(str(s) for s in SIZES if s >= least)}"


def too_long(text: str, most: int, place: str) -> Iterator[Fault]:
    """A text has so many characters at most."""
    if len(text) > most:
        yield place, f"{len(text)} characters are too many; {most} are the most"


def too_many(parts: Mapping[Any, Any] | Iterable[Any], most: int, place: str) -> Iterator[Fault]:
    """There are so many of something at most."""
    count = len(list(parts))
    if count > most:
        yield place, f"{count} are too many; {most} are the most"


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
"""What is wrong with a thing of each class of any game, beside what is wrong with its parts."""
