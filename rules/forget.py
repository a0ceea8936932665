"""Forgetting a person: what is left of a table when nothing on it tells who they were.

Their Discord id goes wherever it stands; `without_id` finds it also in fields that are made later. Their
characters stay, played by nobody; one that had no other name than theirs is called Somebody. A name that is
also something else's at the table goes only where it stands for a person; so does one in small letters in an
old line of the log, whose own words are written so, but for what was typed there.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import count
from typing import Any, TypeVar, assert_never, cast

from rules.causes import Seat
from rules.cortex.state.facts import NamedPoolChanged
from rules.cortex.state.kinds import Kind, NamedPool
from rules.cortex.state.table import Challenge, Crisis, Roll
from rules.cortex.tools.build import Build
from rules.cortex.tools.character import renamed
from rules.facts import Illegible, Line, Redone, Seated, Undone
from rules.kinds import Plan, key
from rules.mentions import reworded as told
from rules.ore.sets import OreRoll
from rules.seats import RESERVED, SOMEBODY, Actor, own_name
from rules.table import Character, Table
from rules.texts import Says
from rules.values import replace

_Part = TypeVar("_Part")
_STANDS = (
    ("It is the turn of ", r" \("),
    ("The sheet of ", " is changed"),
    ("acts against ", ", who"),
    (r"gives in\. ", " wins"),
    ("the contest of ", " and "),
    (" and ", ", in which "),
    (", in which ", " is to answer"),
)
"""Between which words of the log only somebody's name can stand."""
_TYPED = re.compile(r"(Why: |(?:PP|XP) \([+-][0-9]+, )([^;)\n]*)")
"""Where in an old line of the log stands what somebody typed."""
_CLOSED = re.compile(r"(?<=Closed are the rolls of )[^;.\n]*")


def people(table: Table) -> frozenset[int]:
    """The Discord ids of all whom a table knows."""
    rolls: tuple[Roll | OreRoll, ...] = (*table.rolls.values(), *table.hidden.values(), *table.ore.values())
    found = {*table.gms, *table.last_pools, *(roll.player for roll in rolls)}
    found |= set(table.plan.replies if table.plan else ())
    for each in table.characters.values():
        found |= {each.player, each.owner}
    return frozenset(found - {0})


def names_on(table: Table, person: int) -> set[str]:
    """The names that a table knows a person by."""
    found = {each.player_name for each in table.characters.values() if each.player == person}
    found |= {name for gm, name in table.gms.items() if gm == person}
    if table.plan is not None and person in table.plan.replies:
        found.add(table.plan.replies[person].name)
    rolls: tuple[Roll | OreRoll, ...] = (*table.rolls.values(), *table.hidden.values(), *table.ore.values())
    rolled = (roll.who for roll in rolls if roll.player == person)
    return {name for name in (*found, *(who for who in rolled if key(who) not in table.characters)) if name}


def known_as(person: int, names: Iterable[str]) -> frozenset[str]:
    """All the forms of a person's names, but for words that mean something else at every table."""
    said = {each for n in names if key(n) != key(SOMEBODY) for each in (n, own_name(Actor(person, n)))}
    return frozenset(name for name in said if key(name) not in (*RESERVED, key(SOMEBODY)))


def named_after(table: Table, person: int, names: frozenset[str]) -> list[str]:
    """The keys of the characters that have no other name than the person's."""
    return [who for who, each in table.characters.items() if _is_named_after(each, person, names)]


def common(table: Table, names: Iterable[str]) -> frozenset[str]:
    """Those of the names that mean something else at the table too."""
    said = set[str]()
    wanted = {key(name) for name in names}
    there = (*table.characters.values(), table.scenery)
    held = (trait.label for c in there for kind in Kind for trait in c.traits(kind).values())
    things: list[Crisis | Challenge | NamedPool] = [*table.crises.values(), *table.challenges.values()]
    things += table.pools.values()
    others = (c.name for c in table.characters.values() if key(c.name) not in wanted)
    called = (thing.name for thing in things if key(thing.name) not in wanted)
    for text in (*held, *called, *others, table.name, table.scene, *table.ruleset.stress):
        said |= {text.casefold(), *re.findall(r"\w+", text.casefold())}
    return frozenset(name for name in names if key(name) in said)


def forgotten(
    table: Table, person: int, names: frozenset[str], shared: frozenset[str] = frozenset()
) -> Table:
    """The table with nothing on it that tells of a person; `shared` names mean something else too."""
    for who in named_after(table, person, names):
        table = renamed(table, who, _free(table))
    left = without_others(names, [table])
    rolls = {n: _rolled(roll, person, names, left, shared) for n, roll in table.rolls.items()}
    others = {n: roll for n, roll in table.hidden.items() if roll.player != person}
    hidden = {n: _rolled(roll, person, names, left, shared) for n, roll in others.items()}
    ore = {n: _ore_rolled(roll, person, left, shared) for n, roll in table.ore.items()}
    contests = {n: replace(each, sides=_named(each.sides, left)) for n, each in table.contests.items()}
    characters = {who: _unplayed(each, person) for who, each in table.characters.items()}
    gms = {gm: name for gm, name in table.gms.items() if gm != person}
    last = {who: dice for who, dice in table.last_pools.items() if who != person}
    pools = dict(_pools(table, left))
    lines, veils = (_boundaries(held, names - shared) for held in (table.lines, table.veils))
    fresh = replace(table, rolls=rolls, hidden=hidden, ore=ore, contests=contests, characters=characters)
    plan = None if table.plan is None else _unasked(table.plan, person, names, shared)
    fresh = replace(fresh, pools=pools, gms=gms, last_pools=last, lines=lines, veils=veils)
    return replace(fresh, plan=plan)


def without_others(names: frozenset[str], tables: Iterable[Table]) -> frozenset[str]:
    """The names that no character at the tables has."""
    taken = {who for table in tables for who in table.characters}
    return frozenset(name for name in names if key(name) not in taken)


def forgotten_build(build: Build, names: frozenset[str]) -> Build:
    """What somebody else builds, without the names."""
    wanted = {key(name) for name in names}
    pieces = tuple(
        each for each in build.pieces if key(each.name.strip('"').partition(" · ")[0]) not in wanted
    )
    vs = "" if key(build.vs) in wanted else build.vs
    return (
        build if (pieces, vs) == (build.pieces, build.vs) else replace(build, pieces=pieces, vs=vs, chosen=-1)
    )


def forgotten_line(line: str, names: frozenset[str], shared: frozenset[str] = frozenset()) -> str:
    """A line of the log without a person's names; one that is `shared` goes only where a person stands.

    One in small letters could be a word of the line itself: it goes there too, and from what was typed.
    """
    line = _TYPED.sub(lambda found: found[1] + reworded(found[2], names - shared), line)
    shared |= frozenset(name for name in names if name.islower())
    line = reworded(line, names - shared)
    for name in sorted(shared & names, key=len, reverse=True):
        word = re.escape(name)
        begins = rf"(^|; |\n|: ){word}(?=: | · | is | wins | stays | gives | uses | names | and )"
        line = re.sub(begins, rf"\g<1>{SOMEBODY}", forgotten_player(line, name))
        for before, behind in _STANDS:
            line = re.sub(rf"(?<={before}){word}(?={behind})", SOMEBODY, line)
        closed = _CLOSED.search(line)
        if closed:
            line = line.replace(closed[0], reworded(closed[0], frozenset({name})))
    return line


def forgotten_player(line: str, name: str) -> str:
    """A line of the log in which nobody of that name plays anybody, or is GM; a character keeps it."""
    word = re.escape(name)
    line = re.sub(rf"(?<=played by ){word}(?!\w)", SOMEBODY, line)
    return re.sub(rf"(?<!\w){word}(?= is (?:no longer )?GM\b)", SOMEBODY, line)


def reworded(text: str, names: frozenset[str]) -> str:
    """A text that says somebody wherever one of the names stands as a word."""
    # The longest first, or a part of a name would be left of the other.
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", SOMEBODY, text)
    return text


def _rolled(
    roll: Roll, person: int, names: frozenset[str], left: frozenset[str], shared: frozenset[str]
) -> Roll:
    """A roll without the names, in the fields that name people, and in a note of theirs."""
    against, goal = roll.against, roll.recovery
    if against is not None and roll.contest:
        against = replace(against, label=_named((against.label,), left)[0])
    if goal is not None:
        goal = replace(goal, said=forgotten_line(goal.said, left, shared))
    return replace(
        roll,
        player=0 if roll.player == person else roll.player,
        who=_named((roll.who,), left)[0],
        on=_named(roll.on, left),
        against=against,
        recovery=goal,
        note=reworded(roll.note, names - shared) if roll.player == person else roll.note,
        after={n: forgotten_facts(events, person, names, left, shared) for n, events in roll.after.items()},
        doers={deed: _named((who,), names)[0] for deed, who in roll.doers.items()},
    )


def line(text: str, names: frozenset[str], left: frozenset[str], shared: frozenset[str]) -> str:
    """A line without the names; one that is not `left` is a character's, and goes only from who plays."""
    for name in names - left:
        text = forgotten_player(text, name)
    return forgotten_line(text, left, shared)


def unread(kept: str, person: int, names: frozenset[str]) -> str:
    """What cannot be read, as JSON, without a person: nobody knows where in it they stand, so everywhere."""
    before = json.loads(kept)
    said = [rf"(?<!\d){person}(?!\d)", *(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names)]
    said.sort(key=len, reverse=True)

    def leave(part: Any) -> Any:
        if isinstance(part, str):
            return re.sub("|".join(said), SOMEBODY, part, flags=re.IGNORECASE)
        if isinstance(part, dict):
            return {leave(name): leave(each) for name, each in part.items()}
        if isinstance(part, list):
            return [leave(each) for each in part]
        return 0 if not isinstance(part, bool) and part == person else part

    after = leave(before)
    return kept if after == before else json.dumps(after)


_Facts = TypeVar("_Facts", bound=tuple[Any, ...])


def forgotten_facts(
    facts: _Facts, person: int, names: frozenset[str], left: frozenset[str], shared: frozenset[str]
) -> _Facts:
    """Facts that name nobody who is forgotten.

    Of the `names` those that are `left` are no character's; a person goes by all of them.
    """
    people, others = ({key(name) for name in some} for some in (names, left))

    def reword(says: Says, text: str) -> str:
        match says:
            case Says.PERSON:
                return SOMEBODY if key(text) in people else text
            case Says.NAME:
                return SOMEBODY if key(text) in others else text
            case Says.NOTE:
                return reworded(text, names - shared)
            case Says.LABEL:
                return text
            case _:
                assert_never(says)

    def forget(fact: Any) -> Any:
        if isinstance(fact, Line):
            return Line(line(fact.text, names, left, shared))
        if isinstance(fact, Illegible):
            kind = "" if key(fact.kind) in people else fact.kind
            return Illegible(kind, unread(fact.kept, person, names))
        if isinstance(fact, Undone | Redone):
            return replace(fact, facts=tuple(map(forget, fact.facts)))
        if isinstance(fact, NamedPoolChanged) and key(fact.pool.name) in others:
            fact = replace(fact, pool=replace(fact.pool, name=SOMEBODY, who=""))
        if isinstance(fact, Seated) and fact.seat in (Seat.GM, Seat.NO_GM) and key(fact.who) in people:
            fact = replace(fact, who=SOMEBODY)
        changes: dict[str, Any] = {}
        for part in fields(fact):
            held = getattr(fact, part.name)
            if isinstance(held, Roll):
                changes[part.name] = _rolled(held, person, names, left, shared)
            elif isinstance(held, OreRoll):
                changes[part.name] = _ore_rolled(held, person, left, shared)
        return told(replace(fact, **changes) if changes else fact, reword)

    return cast("_Facts", tuple(map(forget, facts)))


def _ore_rolled(roll: OreRoll, person: int, left: frozenset[str], shared: frozenset[str]) -> OreRoll:
    note = reworded(roll.note, left - shared) if roll.player == person else roll.note
    player = 0 if roll.player == person else roll.player
    return replace(roll, player=player, who=_named((roll.who,), left)[0], note=note)


_Texts = TypeVar("_Texts", tuple[str, ...], tuple[str, str], tuple[str])


def _named(texts: _Texts, names: frozenset[str]) -> _Texts:
    """Names of people, of which those that are forgotten are somebody's."""
    wanted = {key(name) for name in names}
    return cast("_Texts", tuple(SOMEBODY if key(text) in wanted else text for text in texts))


def _pools(table: Table, names: frozenset[str]) -> Iterable[tuple[str, NamedPool]]:
    """The named pools; one that is called as somebody who is forgotten has another name."""
    wanted = {key(name) for name in names}
    for one, pool in table.pools.items():
        vs = "" if key(pool.vs) in wanted else pool.vs
        if one not in wanted:
            yield one, replace(pool, vs=vs)
            continue
        owner = table.characters.get(pool.who)
        name = owner.name if owner and key(owner.name) not in table.pools else _free(table)
        yield key(name), replace(pool, name=name, vs=vs)


def _boundaries(held: Mapping[str, str], names: frozenset[str]) -> Mapping[str, str]:
    """Lines or veils without the names, as they were typed otherwise."""
    return {key(what): what for what in (reworded(each, names) for each in held.values())}


def _unasked(plan: Plan, person: int, names: frozenset[str], shared: frozenset[str]) -> Plan:
    """The plan of a session for which they are not asked."""
    replies = {player: each for player, each in plan.replies.items() if player != person}
    kept = plan.unread and unread(plan.unread, person, names)
    return replace(plan, replies=replies, note=reworded(plan.note, names - shared), unread=kept)


def _is_named_after(character: Character, person: int, names: frozenset[str]) -> bool:
    is_free = character.player in (0, person) and character.owner in (0, person) and not character.gmc
    wanted = {key(name) for name in names}
    return is_free and (
        # With a number behind it where their name was taken.
        key(character.name) in wanted or key(re.sub(" [0-9]+$", "", character.name)) in wanted
    )


def _free(table: Table) -> str:
    """Somebody, or the first number of them that is free."""
    tried = (SOMEBODY if number == 1 else f"{SOMEBODY} {number}" for number in count(1))
    return next(name for name in tried if key(name) not in (*table.characters, *table.pools))


def _unplayed(character: Character, person: int) -> Character:
    fresh = replace(character, player=0, player_name="") if character.player == person else character
    return replace(fresh, owner=0) if fresh.owner == person else fresh


def without_id(part: _Part, person: int) -> _Part:
    """A part without a person's id, wherever it stands: nothing is under it, and 0 is where it stood."""
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
