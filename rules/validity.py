"""Whether a table, or a character, is one that play could have led to: what comes from outside is checked.

Every part is visited by the shape of its class, so that a new field is checked for its kind at once: its
texts can be read, its numbers are not negative, its names are found by their keys. What more there is to
say about a class stands in `_KINDS`. A fault is told with its place: `characters.alice.pp: …`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import chain
from typing import Any

from rules.cortex.rolling.roll import OPEN_ROLLS
from rules.cortex.state import typed_pool
from rules.cortex.state.in_force import MOST_CHANGES
from rules.cortex.state.kinds import KINDS, RANKS, KeptPool, Kind, NamedPool, Sfx, Trait
from rules.cortex.state.ruleset import PROFILES, Ruleset
from rules.cortex.state.table import Against, Challenge, Contest, Crisis, Hand, Order, Roll, RolledDie
from rules.cortex.tools import xp
from rules.cortex.tools.campaign import LONGEST_DEADLINE
from rules.cortex.tools.contest import MOST_CONTESTS
from rules.cortex.tools.crisis import has_meaning
from rules.cortex.tools.named_pool import MOST_POOLS
from rules.cortex.tools.portrait import DIGEST
from rules.cortex.traits import plot, sheet
from rules.cortex.traits.traits import MOST_TRAITS
from rules.dates import LAST, zones
from rules.dice import MOST_DICE, SIZES, Die, shorten
from rules.errors import RuleError, Unreadable
from rules.kinds import Plan, Rating, Reply, key
from rules.names import LONGEST, clean, is_seen, spelt
from rules.ore import validity as one_roll
from rules.ore.pool import OrePool
from rules.ore.quick import QuickDice
from rules.ore.sets import OreHand, OreRoll
from rules.plan import MOST as MOST_REPLIES
from rules.plan import REPEATS
from rules.safety import MOST as MOST_BOUNDARIES
from rules.seats import MOST_CHARACTERS, RESERVED
from rules.settings import Settings
from rules.table import Character, Table

Fault = tuple[str, str]
"""Where something is wrong, and what."""

_LARGEST = 2**63 - 1  # what a column can hold
_MOST_PARTS = sheet.MOST_SETS * sheet.MOST_TRAITS
_LONGEST_POOL = 80
_LONGEST_TEXT = sheet.MOST_NOTES
POOLS = ("pool", "hero", "doom", "dice")
"""The fields that count dice by their size."""
_COUNTS = {
    *("keep", "effects_bought", "raised", "limits_paid", "rerolls", "outs", "exchanges"),
    *("round", "rounds", "act", "scenes", "session"),
}
"""The fields that count what happens at the table."""
_MOST_TIMES = 9999
MINUTES = 24 * 60
_ON_LINES = ("notes", "after")
"""The fields whose texts may have several lines."""
_OWN = (*(of.held for kind, of in KINDS.items() if kind is not Kind.TRAIT), "sfx")


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
        elif name in _COUNTS and part > _MOST_TIMES:
            yield where, f"{part} is too many; {_MOST_TIMES} are the most"
    elif isinstance(part, Mapping):
        yield from _of_mapping(part, where, name)
    elif isinstance(part, tuple):
        yield from _too_many(part, _MOST_PARTS, where)
        for number, each in enumerate(part):
            yield from _faults(each, f"{where}.{number}", name)
    elif is_dataclass(part):
        for each in fields(part):
            yield from _faults(getattr(part, each.name), _at(where, each.name), each.name)
        for place, fault in _KINDS.get(type(part), _nothing)(part):
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
    yield from _too_many(held, _MOST_PARTS, where)
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
    yield from _too_many(table.characters, MOST_CHARACTERS, "characters")
    if table.gm_pp > plot.MOST:
        yield "gm_pp", f"{table.gm_pp} is too many; {plot.MOST} are the most"
    for place in ("crises", "challenges", "pools"):
        yield from _too_many(getattr(table, place), MOST_POOLS, place)
    for place in ("rolls", "ore", "hidden"):
        yield from _too_many(getattr(table, place), OPEN_ROLLS, place)
    yield from _too_many(table.rule_changes, MOST_CHANGES, "rule_changes")
    waiting = [each for each in table.contests.values() if not each.closing]
    yield from _too_many(waiting, MOST_CONTESTS, "contests")
    if SIZES[0] in table.doom:
        yield "doom.4", "the doom pool holds no d4"
    for place in ("name", "scene"):
        yield from _of_label(getattr(table, place) or place, place)
    yield from _of_gms(table)
    yield from _of_boundaries(table)
    yield from _of_pool_names(table)
    played: dict[int, str] = {}
    for who, character in table.characters.items():
        yield from _of_name(character.name, f"characters.{who}.name")
        if character.player in played:
            yield f"characters.{who}.player", f"the same person plays {played[character.player]}"
        played |= {character.player: character.name} if character.player else {}
    for number, one in table.ore.items():
        if one.number != number:
            yield f"ore.{number}.number", f"{one.number} is not {number}"
    for number, roll in table.rolls.items():
        if roll.number != number:
            yield f"rolls.{number}.number", f"{roll.number} is not {number}"
        contest = table.contests.get(roll.contest)
        if contest is not None and roll.who not in contest.sides:
            yield f"rolls.{number}.who", f"{shorten(roll.who)} is not in that contest"
    for number, made in table.hidden.items():
        if made.number != number:
            yield f"hidden.{number}.number", f"{made.number} is not {number}"
    for number, each in table.contests.items():
        last = table.rolls.get(each.roll)
        if last is not None and last.contest != number:
            yield f"contests.{number}.roll", f"roll {each.roll} is not of that contest"
    yield from _of_turns(table)


def _of_gms(table: Table) -> Iterator[Fault]:
    for gm, name in table.gms.items():
        if not gm:
            yield "gms.0", "0 is the id of nobody"
        yield from _of_label(name, f"gms.{gm}")


def _of_boundaries(table: Table) -> Iterator[Fault]:
    yield from _too_many((*table.lines, *table.veils), MOST_BOUNDARIES, "lines")
    for place in ("lines", "veils"):
        for found, what in getattr(table, place).items():
            yield from _of_label(what, f"{place}.{spelt(found)}")
            if found != key(what):
                yield f"{place}.{spelt(found)}", f"it stands under {shorten(found)}, but says {shorten(what)}"
    for found in table.lines.keys() & table.veils.keys():
        yield f"veils.{spelt(found)}", "it is a line already"


def _of_pool_names(table: Table) -> Iterator[Fault]:
    """No name of a pool means something else, or another pool; a shared one has the name of whose it is.

    Characters are not asked here: somebody may sit down whose own name is that of a crisis.
    """
    pools = [
        (f"{place}.{k}.name", k, each.name)
        for place in ("crises", "challenges", "pools")
        for k, each in getattr(table, place).items()
        if not getattr(each, "who", "")
    ]
    seen: dict[str, str] = {}
    for place, found, name in pools:
        if has_meaning(name) or len(name) > _LONGEST_POOL:
            yield place, f"{shorten(name)} cannot be the name of a pool"
        if found in seen:
            yield place, f"it is {seen[found]} already"
        seen.setdefault(found, f"the name of {place.removesuffix('.name')}")


def _of_turns(table: Table) -> Iterator[Fault]:
    """Only who is at the table has a turn."""
    orders = [("order", table.order, "")] if table.order else []
    orders += [(f"challenges.{k}.order", each.order, each.against) for k, each in table.challenges.items()]
    for place, order, against in orders:
        for who in (order.turn, order.last, against, *order.acted, *order.absent):
            if who and who not in table.characters:
                yield place, f"there is no character {shorten(who)}"


def _of_name(name: str, place: str) -> Iterator[Fault]:
    if key(name) in RESERVED or "," in name or len(name) > 80:
        yield place, f"{shorten(name)} cannot be the name of a character"


def _of_character(character: Character) -> Iterator[Fault]:
    yield from _of_label(character.name, "name")
    if not character.gmc and (character.rank or character.pool):
        yield "rank" if character.rank else "pool", "only a GMC has that"
    yield from _too_long(character.player_name, LONGEST, "player_name")
    if character.rank and RANKS[character.rank].has_pool and not character.pool:
        yield "pool", f"a {character.rank} without any dice is defeated"
    for place in _OWN:
        yield from _too_many(getattr(character, place), 2 * MOST_TRAITS, place)
    yield from _too_many(character.kept, typed_pool.MOST, "kept")
    yield from _too_many(character.ratings, MOST_TRAITS, "ratings")
    for place, most in (("pp", plot.MOST), ("xp", xp.MOST)):
        if getattr(character, place) > most:
            yield place, f"{getattr(character, place)} is too many; {most} are the most"
    try:
        is_link = sheet.read(f"Portrait: {character.portrait}").portrait == character.portrait
    except RuleError:
        is_link = False
    if character.picture and not DIGEST.fullmatch(character.picture):
        yield "picture", f"{shorten(character.picture)} is no digest"
    if not is_link:
        yield "portrait", f"{shorten(character.portrait)} is no link"


def _of_trait(trait: Trait) -> Iterator[Fault]:
    yield from _of_label(trait.label, "label")
    yield from _of_size(trait.die, "die")
    if trait.signature:
        yield from _of_size(trait.signature, "signature")


def _of_sfx(sfx: Sfx) -> Iterator[Fault]:
    yield from _of_label(sfx.name, "name")


def _of_kept(pool: KeptPool) -> Iterator[Fault]:
    yield from _of_label(pool.name, "name")
    try:
        typed_pool.read(typed_pool.write(pool))
    except RuleError:
        yield "dice", f"{shorten(typed_pool.write(pool))} cannot be read on a sheet"


def _of_rating(rating: Rating) -> Iterator[Fault]:
    yield from _of_label(rating.label, "label")
    line = f"{rating.label} {rating.dice}"
    try:
        is_one = sheet.read(f"Ratings: {line}").ratings == (rating,)
    except RuleError:
        is_one = False
    if not is_one:
        yield "dice", f"{shorten(line)} cannot be read on a sheet"


def _of_pool(pool: Crisis | Challenge | NamedPool) -> Iterator[Fault]:
    yield from _of_label(pool.name, "name")
    if not pool.dice:
        yield "dice", "without any dice it is over"
    if isinstance(pool, NamedPool):
        yield from _too_many(pool.dice, MOST_DICE, "dice")


def _of_die(die: Die) -> Iterator[Fault]:
    yield from _of_size(die.size, "size")


def _of_rolled(die: RolledDie) -> Iterator[Fault]:
    yield from _of_size(die.size, "size")
    if not 1 <= die.face <= die.size:
        yield "face", f"a d{die.size} cannot show {die.face}"


def _of_hand(hand: Hand) -> Iterator[Fault]:
    if hand.hero:
        yield from _of_size(hand.hero, "hero")
    if not hand.keep:
        yield "keep", "a total has at least one die"
    for place in ("total", "effects"):
        for number in getattr(hand, place):
            if number >= len(hand.dice):
                yield place, f"there is no die {number} in these dice"


def _of_against(against: Against) -> Iterator[Fault]:
    if against.number > _MOST_TIMES:
        yield "number", f"{against.number} is too many; {_MOST_TIMES} are the most"


def _of_roll(roll: Roll) -> Iterator[Fault]:
    for name in roll.on:
        yield from _of_label(name, "on")
    for place in ("applied", "struck"):
        yield from _too_many(getattr(roll, place), MOST_DICE, place)
    for size in roll.struck:
        yield from _of_size(size, "struck")


def _of_contest(contest: Contest) -> Iterator[Fault]:
    if contest.leader > 1:
        yield "leader", f"{contest.leader} is neither 0 nor 1"
    for name in contest.sides:
        yield from _of_label(name, "sides")
    if key(contest.sides[0]) == key(contest.sides[1]):
        yield "sides", "a contest needs two sides"


def _of_plan(plan: Plan) -> Iterator[Fault]:
    yield from _too_many(plan.replies, MOST_REPLIES, "replies")
    yield from _too_long(plan.note, 200, "note")
    if plan.unread:
        yield "unread", "nothing of that name is known there"
    if plan.at > LAST:
        yield "at", f"{plan.at} is after the year 2099"
    if plan.weeks not in REPEATS:
        yield "weeks", f"{plan.weeks} is none of {', '.join(map(str, REPEATS))}"
    if plan.minute is not None and plan.minute >= MINUTES:
        yield "minute", f"{plan.minute} is after the end of a day"


def _of_reply(reply: Reply) -> Iterator[Fault]:
    yield from _of_label(reply.name, "name")


def _of_order(order: Order) -> Iterator[Fault]:
    if not order.round:
        yield "round", "the first round is 1"


def _of_ruleset(ruleset: Ruleset) -> Iterator[Fault]:
    if ruleset.name not in PROFILES:
        yield "name", f"there is no ruleset {shorten(ruleset.name)}. There is {', '.join(PROFILES)}"
    yield from _too_many(ruleset.doom_start, MOST_DICE, "doom_start")
    for size in ruleset.doom_start:
        yield from _of_size(size, "doom_start", 6)
    for place in ("trait_sets", "stress"):
        yield from _too_many(getattr(ruleset, place), 10, place)
    if ruleset.starting_pp > plot.MOST:
        yield "starting_pp", f"{ruleset.starting_pp} is too many; {plot.MOST} are the most"
    if ruleset.assets_in_pool > MOST_DICE:
        yield "assets_in_pool", f"{ruleset.assets_in_pool} is too many; {MOST_DICE} are the most"


def _of_settings(settings: Settings) -> Iterator[Fault]:
    if not 1 <= settings.deadline <= LONGEST_DEADLINE:
        yield "deadline", f"{settings.deadline} is no number of hours from 1 to {LONGEST_DEADLINE}"
    if settings.zone and zones().get(settings.zone.casefold()) != settings.zone:
        yield "zone", f"there is no time zone {shorten(settings.zone)}"


def _of_label(label: str, place: str) -> Iterator[Fault]:
    """A label is as it would be after it was typed."""
    try:
        is_fine = clean(label) == label
    except RuleError:
        is_fine = False
    if not is_fine:
        yield place, f"{shorten(label)} is no name of 1 to {LONGEST} characters without odd spaces"


def _of_size(size: int, place: str, least: int = SIZES[0]) -> Iterator[Fault]:
    if size not in SIZES or size < least:
        yield place, f"{size} is no die; there are {', '.join(str(s) for s in SIZES if s >= least)}"


def _too_long(text: str, most: int, place: str) -> Iterator[Fault]:
    if len(text) > most:
        yield place, f"{len(text)} characters are too many; {most} are the most"


def _too_many(parts: Mapping[Any, Any] | Iterable[Any], most: int, place: str) -> Iterator[Fault]:
    count = len(list(parts))
    if count > most:
        yield place, f"{count} are too many; {most} are the most"


def _nothing(part: object) -> Iterator[Fault]:
    return iter(())


def _at(where: str, name: str) -> str:
    return f"{where}.{name}" if where and name else where or name


_KINDS: Mapping[type, Callable[[Any], Iterator[Fault]]] = {
    Table: _of_table,
    Character: _of_character,
    Trait: _of_trait,
    Sfx: _of_sfx,
    KeptPool: _of_kept,
    Rating: _of_rating,
    Crisis: _of_pool,
    Challenge: _of_pool,
    NamedPool: _of_pool,
    Die: _of_die,
    RolledDie: _of_rolled,
    Hand: _of_hand,
    Against: _of_against,
    Roll: _of_roll,
    Contest: _of_contest,
    Order: _of_order,
    Plan: _of_plan,
    Reply: _of_reply,
    Ruleset: _of_ruleset,
    Settings: _of_settings,
    OrePool: one_roll.of_pool,
    OreHand: one_roll.of_hand,
    QuickDice: one_roll.of_quick,
    OreRoll: one_roll.of_roll,
}
"""What is wrong with a thing of each class, beside what is wrong with its parts."""
