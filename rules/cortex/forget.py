"""Forgetting a person: what is left of a table when nothing on it tells who they were.

Their Discord id goes wherever it stands, also from fields that are made later. Their characters stay, played
by nobody; a plain one that had no other name than theirs is called Somebody.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from itertools import count
from typing import Any, TypeVar, cast

from rules.cortex.character import renamed
from rules.cortex.seats import RESERVED, Actor, own_name
from rules.cortex.table import Character, Roll, Table, key
from rules.ore.sets import OreRoll

SOMEBODY = "Somebody"
"""What is said instead of their name."""
_Part = TypeVar("_Part")
_Roll = TypeVar("_Roll", Roll, OreRoll)


def names_on(table: Table, person: int) -> set[str]:
    """The names that a table knows a person by."""
    found = {each.player_name for each in table.characters.values() if each.player == person}
    found |= {name for gm, name in table.gms.items() if gm == person}
    rolls: tuple[Roll | OreRoll, ...] = (*table.rolls.values(), *table.ore.values())
    rolled = (roll.who for roll in rolls if roll.player == person)
    return {name for name in (*found, *(who for who in rolled if key(who) not in table.characters)) if name}


def known_as(person: int, names: Iterable[str]) -> frozenset[str]:
    """All the forms of a person's names, but for words that mean something else at every table."""
    said = {each for name in names for each in (name, own_name(Actor(person, name)))}
    return frozenset(name for name in said if key(name) not in (*RESERVED, key(SOMEBODY)))


def named_after(table: Table, person: int, names: frozenset[str]) -> list[str]:
    """The keys of the plain characters that have no other name than the person's."""
    return [who for who, each in table.characters.items() if _is_named_after(each, person, names)]


def forgotten(table: Table, person: int, names: frozenset[str]) -> Table:
    """The table with nothing on it that tells of a person."""
    own = named_after(table, person, names)
    for who in own:
        table = renamed(table, who, _free(table))
    others = {each.name for each in table.characters.values()}
    loose = names if own else frozenset(names - others)
    rolls = {n: _rolled(roll, person, names, loose, bool(own)) for n, roll in table.rolls.items()}
    ore = {n: _rolled(roll, person, names, loose, bool(own)) for n, roll in table.ore.items()}
    contests = {n: _said(each, loose, whole=True) for n, each in table.contests.items()}
    characters = {who: _unplayed(each, person) for who, each in table.characters.items()}
    return _without(replace(table, rolls=rolls, ore=ore, contests=contests, characters=characters), person)


def forgotten_line(line: str, names: frozenset[str], *, is_theirs: bool, others: Iterable[str] = ()) -> str:
    """A line of the log without a person's names; `others` are the names of who else is at the table.

    A line of their own loses a name wherever it stands, one of somebody else where it tells of them.
    """
    if is_theirs:
        return reworded(line, names)
    for name in sorted(names, key=len, reverse=True):
        word = re.escape(name)
        line = re.sub(rf"(?<=played by ){word}(?!\w)", SOMEBODY, line)
        line = re.sub(rf"(?<!\w){word}(?= is (?:no longer )?GM\b)", SOMEBODY, line)
        if name not in others:
            begins = rf"(^|; |\n|: ){word}(?=: | · | is | wins | stays | gives | and )"
            line = re.sub(begins, rf"\g<1>{SOMEBODY}", line)
    return line


def reworded(text: str, names: frozenset[str]) -> str:
    """A text that says somebody wherever one of the names stands as a word."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", SOMEBODY, text)
    return text


def _rolled(
    roll: _Roll, person: int, names: frozenset[str], loose: frozenset[str], is_renamed: bool
) -> _Roll:
    """A roll without the names: one of theirs wherever they stand, another where they are a whole text."""
    is_theirs = roll.player == person
    return _said(roll, names if is_theirs else loose, whole=not (is_theirs or is_renamed))


def _is_named_after(character: Character, person: int, names: frozenset[str]) -> bool:
    is_free = character.player in (0, person) and character.owner in (0, person) and not character.gmc
    bare = re.sub(" [0-9]+$", "", character.name)
    return is_free and (character.name in names or bare in names)


def _free(table: Table) -> str:
    """Somebody, or the first number of them that is free."""
    tried = (SOMEBODY if number == 1 else f"{SOMEBODY} {number}" for number in count(1))
    return next(name for name in tried if key(name) not in table.characters)


def _unplayed(character: Character, person: int) -> Character:
    is_theirs = character.player == person
    return replace(character, player=0, player_name="") if is_theirs else character


def _said(part: _Part, names: frozenset[str], *, whole: bool = False) -> _Part:
    """A part with other words for the names: wherever they stand, or where they are a whole text."""

    def said(text: str) -> str:
        return (SOMEBODY if text in names else text) if whole else reworded(text, names)

    return _changed(part, lambda leaf: said(leaf) if isinstance(leaf, str) else leaf) if names else part


def _without(part: _Part, person: int) -> _Part:
    """A part without a person's id: nothing stands under it, and 0 stands where it stood."""
    return _changed(part, lambda leaf: 0 if leaf == person and isinstance(leaf, int) else leaf, person)


def _changed(part: _Part, leaf: Callable[[Any], Any], dropped: int = 0) -> _Part:
    """A part with every text and number in it changed; what stands under the key `dropped` goes."""
    fresh: Any = part
    if part is None or isinstance(part, bool | Enum):
        return part
    if isinstance(part, int | str):
        fresh = leaf(part)
    elif isinstance(part, Mapping):
        fresh = {k: _changed(each, leaf, dropped) for k, each in part.items() if not dropped or k != dropped}
    elif isinstance(part, tuple):
        fresh = tuple(_changed(each, leaf, dropped) for each in part)
    elif is_dataclass(part) and not isinstance(part, type):
        parts = {each.name: _changed(getattr(part, each.name), leaf, dropped) for each in fields(part)}
        fresh = replace(cast("Any", part), **parts)
    return cast("_Part", fresh)
