"""Forget a person: find what names them in tables and facts, and remove it.

Their Discord id is removed everywhere; `without_id` finds it even in fields that are added later. Their
characters stay, played by nobody; a character that only had the person's name is called Somebody. A
name that also means something else at the table is removed only where it stands for a person. The same
holds for a lower-case name in an old log line, where it could be one of the line's own words; it is
removed from typed text, though.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from itertools import count
from typing import Any, TypeVar, cast

import msgspec

from rules.campaign.characters import renamed
from rules.campaign.seats import RESERVED, Actor, own_name
from rules.facts import Began, Fact, Illegible, OldWords, Quoted, Redone, SeatChange, Seated, Stretch, Undone
from rules.game import played
from rules.names import SOMEBODY, Erasure, Plan, TextMark, fold, key, reworded, said, unread
from rules.table import Character, Games, Table
from rules.values import StoredAsText, Value, replace

_Part = TypeVar("_Part")


def people(table: Table) -> frozenset[int]:
    """Return the Discord ids of everybody that a table mentions."""
    found = {*table.gms}
    for game in played():
        found.update(game.people(table))
    if table.plan is not None:
        found |= {*table.plan.replies, *(who for can in table.plan.times.values() for who in can)}
    for each in table.characters.values():
        found |= {each.player, each.owner}
    return frozenset(found - {0})


def names_on(table: Table, person: int) -> set[str]:
    """Return the names by which a table knows a person."""
    found = {each.player_name for each in table.characters.values() if each.player == person}
    found |= {name for gm, name in table.gms.items() if gm == person}
    if table.plan is not None:
        found |= {can[person] for can in table.plan.times.values() if person in can}
        found |= {each.name for who, each in table.plan.replies.items() if who == person}
    rolled = (roll.who for game in played() for roll in game.all_rolls(table) if roll.player == person)
    return {name for name in (*found, *(who for who in rolled if key(who) not in table.characters)) if name}


def known_as(person: int, names: Iterable[str]) -> frozenset[str]:
    """Return all forms of a person's names, except words that mean something else at every table."""
    said = {each for n in names if key(n) != key(SOMEBODY) for each in (n, own_name(Actor(person, n)))}
    return frozenset(name for name in said if key(name) not in (*RESERVED, key(SOMEBODY)))


def named_after(table: Table, person: int, names: frozenset[str]) -> list[str]:
    """Return the keys of the characters that have only the person's name."""
    return [who for who, each in table.characters.items() if _is_named_after(each, person, names)]


def common(table: Table, names: Iterable[str]) -> frozenset[str]:
    """Return those of the names that also mean something else at the table."""
    said = set[str]()
    wanted = {key(name) for name in names}
    things = (text for game in played() for text in game.things(table, wanted))
    others = (c.name for c in table.characters.values() if key(c.name) not in wanted)
    for text in (*things, *others, table.name, table.scene, table.day):
        said |= {text.casefold(), *re.findall(r"\w+", text.casefold())}
    return frozenset(name for name in names if key(name) in said)


def forgotten(
    table: Table,
    person: int,
    names: frozenset[str],
    shared: frozenset[str] = frozenset(),
    noted: frozenset[str] = frozenset(),
) -> Table:
    """Return the table without a person.

    `shared` names mean something else at the table too; `noted` are the texts of the open notes that the
    person typed.
    """
    for one in named_after(table, person, names):
        table = renamed(table, one, free_name(table))
    who = Erasure(person, names, without_others(names, [table]), shared)
    for game in played():
        table = game.forgotten(table, who)
    left = (each for each in table.threads.values() if each.text not in noted)
    threads = (reworded(each, who.reworded) for each in left)
    lines, veils = (_boundaries(held, who) for held in (table.lines, table.veils))
    return replace(
        table,
        characters={k: _unplayed(each, person) for k, each in table.characters.items()},
        gms={gm: name for gm, name in table.gms.items() if gm != person},
        lines=lines,
        veils=veils,
        threads={key(each.text): each for each in threads},
        plan=None if table.plan is None else _unasked(table.plan, who),
    )


def without_others(names: frozenset[str], tables: Iterable[Table]) -> frozenset[str]:
    """Return the names that no character at these tables has."""
    taken = {who for table in tables for who in table.characters}
    return frozenset(name for name in names if key(name) not in taken)


_Facts = TypeVar("_Facts", bound=tuple[Any, ...])


def forgotten_facts(facts: _Facts, who: Erasure) -> _Facts:
    """Return the facts of a step without the person."""

    def forget(fact: Any) -> Any:
        if isinstance(fact, OldWords):
            return OldWords(who.line(fact.text))
        if isinstance(fact, Illegible):
            return Illegible(
                "" if who.person_in(fact.kind) != fact.kind else fact.kind,
                unread(fact.kept, who.person, who.names),
            )
        if isinstance(fact, Undone | Redone):
            made = replace(who, is_author=fact.step in who.steps)  # whoever takes it back
            return replace(fact, facts=forgotten_facts(fact.facts, made))
        if isinstance(fact, Seated) and fact.seat in (SeatChange.GM, SeatChange.NO_GM):
            fact = replace(fact, who=who.person_in(fact.who))
        if isinstance(fact, Quoted) and fact.player == who.person:
            fact = Quoted("", fact.by, fact.who)
        for game in played():
            fact = game.forgotten_fact(fact, who)
        return reworded(fact, who.reworded)

    return cast("_Facts", tuple(map(forget, facts)))


def _boundaries(held: Mapping[str, str], who: Erasure) -> Mapping[str, str]:
    """Lines or veils without the names, as they were typed otherwise."""
    return {key(what): what for what in map(who.note, held.values())}


def _unasked(plan: Plan, who: Erasure) -> Plan:
    """The plan of a session for which they are not asked."""
    replies = {player: each for player, each in plan.replies.items() if player != who.person}
    times = {at: {p: name for p, name in can.items() if p != who.person} for at, can in plan.times.items()}
    kept = plan.unread and unread(plan.unread, who.person, who.names)
    return replace(plan, replies=replies, times=times, note=who.note(plan.note), unread=kept)


def _is_named_after(character: Character, person: int, names: frozenset[str]) -> bool:
    is_free = character.player in (0, person) and character.owner in (0, person) and not character.gmc
    wanted = {key(name) for name in names}
    return is_free and (
        # With a number behind it where their name was taken.
        key(character.name) in wanted or key(re.sub(" [0-9]+$", "", character.name)) in wanted
    )


def free_name(table: Table) -> str:
    """Return "Somebody", with the first free number if that is taken."""
    tried = (SOMEBODY if number == 1 else f"{SOMEBODY} {number}" for number in count(1))
    taken = {*table.characters, *(name for game in played() for name in game.pool_names(table))}
    return next(name for name in tried if key(name) not in taken)


def _unplayed(character: Character, person: int) -> Character:
    fresh = replace(character, player=0, player_name="") if character.player == person else character
    return replace(fresh, owner=0) if fresh.owner == person else fresh


def without_id(part: _Part, person: int) -> _Part:
    """Return data without a person's id: their entries are removed, ids become 0, and text says Somebody."""
    digits = str(person)
    said = re.compile(rf"<@!?{digits}>|(?<!\d){digits}(?!\d)")

    def forget(leaf: Any) -> Any:
        if isinstance(leaf, str):
            return said.sub(SOMEBODY, leaf) if digits in leaf else leaf
        return 0 if leaf == person else leaf

    return _changed(part, forget, person)


def _changed(part: _Part, leaf: Callable[[Any], Any], dropped: int = 0) -> _Part:
    """A part with every text and number in it changed; what stands under the key `dropped` goes."""
    fresh: Any = part
    if part is None or isinstance(part, bool | Enum):
        return part
    if isinstance(part, int | str):
        fresh = leaf(part)
    elif isinstance(part, Games):
        fresh = type(part).having({name: _changed(each, leaf, dropped) for name, each in part.items()})
    elif isinstance(part, Mapping):
        fresh = {k: _changed(each, leaf, dropped) for k, each in part.items() if not dropped or k != dropped}
    elif isinstance(part, tuple):
        fresh = tuple(_changed(each, leaf, dropped) for each in part)
    elif isinstance(part, StoredAsText):
        fresh = part.of_text(leaf(part.text))
    elif isinstance(part, Value):
        parts = {name: _changed(each, leaf, dropped) for name, each in msgspec.structs.asdict(part).items()}
        fresh = replace(part, **parts)
    return cast("_Part", fresh)


def is_named(facts: Iterable[Fact], who: str) -> bool:
    """Return whether facts mention a name, or a part of it; old log lines are searched as text."""
    wanted = fold(who)
    for fact in facts:
        rolled = (name for game in played() for name in game.named_in(fact))
        texts = (
            *rolled,
            *(text for says, text in said(fact) if says is not TextMark.NOTE or isinstance(fact, OldWords)),
        )
        parts = (deep for deep in getattr(fact, "facts", ()))
        if any(wanted in fold(text) for text in texts) or is_named(parts, who):
            return True
    return False


def begins_session(facts: Iterable[Fact]) -> bool:
    """Return whether a session began with these facts."""
    return any(isinstance(fact, Began) and fact.what is Stretch.SESSION for fact in facts)
