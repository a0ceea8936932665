"""Check Cortex state that is read from files, and limit the size of imported sheets."""

from collections.abc import Iterator, Mapping

from rules.campaign.files import (
    Checks,
    of_label,
    of_rolls,
    of_size,
    quote_value,
    too_long,
    too_many,
    too_much,
)
from rules.cortex import pool_text
from rules.cortex.crisis import has_meaning
from rules.cortex.kinds import KINDS as TRAIT_KINDS
from rules.cortex.kinds import LONGEST_STATEMENT, MOST_RATING, RANKS, KeptPool, Sfx, Trait, TraitKind
from rules.cortex.model import (
    CORTEX,
    LONGEST_FILE,
    MOST_CONTESTS,
    MOST_TOGETHER,
    Against,
    Challenge,
    Contest,
    CortexCharacter,
    CortexTable,
    Crisis,
    Hand,
    Roll,
    RolledDie,
    TurnOrder,
)
from rules.cortex.named_pools import MOST_POOLS
from rules.cortex.pool import NamedPool
from rules.cortex.roll import OPEN_ROLLS
from rules.cortex.roll_status import MOST_CHANGES
from rules.cortex.ruleset import MOST_PP, PROFILES, Ruleset
from rules.cortex.settings import SETTINGS
from rules.cortex.traits import MOST_TRAITS
from rules.dice import MOST_DICE
from rules.errors import NotAllowed, RuleError
from rules.game import Fault
from rules.names import key, spelt
from rules.table import Character, Table
from rules.text import COMMA, Row, Words
from rules.values import MOST_TIMES

_LONGEST_POOL = 80


_OWN = (*(of.held for kind, of in TRAIT_KINDS.items() if kind is not TraitKind.TRAIT), "sfx")


def _of_cortex(here: CortexTable) -> Iterator[Fault]:
    yield from too_much(here.gm_pp, MOST_PP, "gm_pp")
    for place in ("crises", "challenges", "pools"):
        yield from too_many(getattr(here, place), MOST_POOLS, place)
    for place in ("rolls", "hidden"):
        yield from of_rolls(getattr(here, place), place, OPEN_ROLLS)
    yield from too_many(here.rule_changes, MOST_CHANGES, "rule_changes")
    waiting = [each for each in here.contests.values() if not each.closing]
    yield from too_many(waiting, MOST_CONTESTS, "contests")
    yield from _of_pool_names(here)
    for number, roll in here.rolls.items():
        contest = here.contests.get(roll.contest)
        if contest is not None and roll.who not in contest.sides:
            yield f"rolls.{number}.who", Words("{who} isn't in that contest", who=quote_value(roll.who))
    for number, each in here.contests.items():
        last = here.rolls.get(each.roll)
        if last is not None and last.contest != number:
            yield f"contests.{number}.roll", Words("roll {roll} isn't part of that contest", roll=each.roll)


def _of_pool_names(here: CortexTable) -> Iterator[Fault]:
    """No name of a pool means something else, or another pool; a shared one has the name of whose it is.

    Characters are not asked here: somebody may sit down whose own name is that of a crisis.
    """
    pools = [
        (f"{place}.{k}.name", k, each.name)
        for place in ("crises", "challenges", "pools")
        for k, each in getattr(here, place).items()
        if not getattr(each, "who", "")
    ]
    seen: dict[str, str] = {}
    for place, found, name in pools:
        if has_meaning(name) or len(name) > _LONGEST_POOL:
            yield place, Words("{name} can't be a pool's name", name=quote_value(name))
        if found in seen:
            yield place, Words("{other} already has that name", other=spelt(seen[found]))
        seen.setdefault(found, place.removesuffix(".name"))


def faults(table: Table) -> Iterator[Fault]:
    """Yield what does not fit together: turns of absent people, GMC fields of player characters."""
    for who, character in table.characters.items():
        own = CORTEX.has(character)
        if not character.gmc and (own.rank or own.pool):
            place = "rank" if own.rank else "pool"
            yield f"characters.{who}.games.cortex.{place}", Words("only {gmc.a} can have this field")
    for place, fault in _of_turns(table):
        yield f"games.cortex.{place}", fault


def _of_turns(table: Table) -> Iterator[Fault]:
    """Only who is at the table has a turn."""
    here = CORTEX.of(table)
    orders = [("order", here.order, "")] if here.order else []
    orders += [(f"challenges.{k}.order", each.order, each.against) for k, each in here.challenges.items()]
    for place, order, against in orders:
        for who in (order.turn, order.last, against, *order.acted, *order.absent):
            if who and who not in table.characters:
                yield place, Words("there's no character {who}", who=quote_value(who))


def _of_own(own: CortexCharacter) -> Iterator[Fault]:
    if own.rank and RANKS[own.rank].has_pool and not own.pool:
        yield (
            "pool",
            Words("a {rank} without dice is defeated, so add at least one die", rank=RANKS[own.rank].noun),
        )
    for place in _OWN:
        yield from too_many(getattr(own, place), 2 * MOST_TRAITS, place)
    yield from too_many(own.kept, pool_text.MOST, "kept")
    yield from too_much(own.pp, MOST_PP, "pp")


def _of_trait(trait: Trait) -> Iterator[Fault]:
    yield from of_label(trait.label, "label")
    if trait.part_of:  # undone by itself, a step may leave a part of what is gone: it is a trait of its own
        yield from of_label(trait.part_of, "part_of")
    for place in ("signature", "was"):
        if size := getattr(trait, place):
            yield from of_size(size, place)
    for place in ("more", "usual"):
        for size in getattr(trait, place):
            yield from of_size(size, place)
        yield from too_many(getattr(trait, place), MOST_RATING - 1, place)
    yield from too_long(trait.statement, LONGEST_STATEMENT, "statement")
    if trait.statement and trait.statement != " ".join(trait.statement.split()):
        yield (
            "statement",
            Words("{statement} has extra spaces or line breaks", statement=quote_value(trait.statement)),
        )


def _of_sfx(sfx: Sfx) -> Iterator[Fault]:
    yield from of_label(sfx.name, "name")


def _of_kept(pool: KeptPool) -> Iterator[Fault]:
    yield from of_label(pool.name, "name")
    try:
        pool_text.read_saved_pool(pool_text.write_saved_pool(pool))
    except RuleError:
        yield (
            "dice",
            Words("{line} isn't a valid line of a sheet", line=quote_value(pool_text.write_saved_pool(pool))),
        )


def _of_pool(pool: Crisis | Challenge | NamedPool) -> Iterator[Fault]:
    yield from of_label(pool.name, "name")
    if not pool.dice:
        yield "dice", Words("a pool without dice is over, so add at least one die")
    if isinstance(pool, NamedPool):
        yield from too_many(pool.dice, MOST_DICE, "dice")


def _of_rolled(die: RolledDie) -> Iterator[Fault]:
    if not 1 <= die.face <= die.size:
        yield "face", Words("a d{size} can't show {face}", size=die.size, face=die.face)


def _of_hand(hand: Hand) -> Iterator[Fault]:
    if hand.hero:
        yield from of_size(hand.hero, "hero")
    if not hand.keep:
        yield "keep", Words("a total needs at least one die")
    for place in ("total", "effects"):
        for number in getattr(hand, place):
            if number >= len(hand.dice):
                yield place, Words("these dice don't include die number {number}", number=number)


def _of_against(against: Against) -> Iterator[Fault]:
    yield from too_much(against.number, MOST_TIMES, "number")


def _of_roll(roll: Roll) -> Iterator[Fault]:
    for name in roll.on:
        yield from of_label(name, "on")
    for place in ("applied", "struck", "closing"):
        yield from too_many(getattr(roll, place), MOST_DICE, place)
    for each in roll.closing:
        yield from of_label(each.label, "closing")
    for size in roll.struck:
        yield from of_size(size, "struck")


def _of_contest(contest: Contest) -> Iterator[Fault]:
    if contest.leader > 1:
        yield "leader", Words("{leader} must be 0 or 1", leader=contest.leader)
    for name in contest.sides:
        yield from of_label(name, "sides")
    if key(contest.sides[0]) == key(contest.sides[1]):
        yield "sides", Words("a contest needs two sides")


def _of_order(order: TurnOrder) -> Iterator[Fault]:
    if not order.round:
        yield "round", Words("rounds start at 1")


def _of_ruleset(ruleset: Ruleset) -> Iterator[Fault]:
    if ruleset.name not in PROFILES:
        yield (
            "name",
            Words(
                "there's no ruleset {name}. Use one of {known}",
                name=quote_value(ruleset.name),
                known=Row((*PROFILES,), COMMA),
            ),
        )
    yield from too_many(ruleset.doom_start, MOST_DICE, "doom_start")
    for size in ruleset.doom_start:
        yield from of_size(size, "doom_start", 6)
    for place in ("trait_sets", "stress"):
        yield from too_many(getattr(ruleset, place), 10, place)
    yield from too_much(ruleset.starting_pp, MOST_PP, "starting_pp")
    yield from too_much(ruleset.assets_in_pool, MOST_DICE, "assets_in_pool")
    for name in ("sizes", "difficulties", "heroic margin", "fixed total"):
        held = SETTINGS[name]
        value = getattr(ruleset, held.field)
        written = held.write(value)
        try:
            is_fine = held.read(written) == value
        except RuleError:
            is_fine = False
        if not is_fine:
            yield (
                held.field,
                Words("{value} isn't a value for the setting {name}", value=quote_value(written), name=name),
            )


CHECKS: Mapping[type, Checks] = {
    CortexTable: _of_cortex,
    CortexCharacter: _of_own,
    Trait: _of_trait,
    Sfx: _of_sfx,
    KeptPool: _of_kept,
    Crisis: _of_pool,
    Challenge: _of_pool,
    NamedPool: _of_pool,
    RolledDie: _of_rolled,
    Hand: _of_hand,
    Against: _of_against,
    Roll: _of_roll,
    Contest: _of_contest,
    TurnOrder: _of_order,
    Ruleset: _of_ruleset,
}
"""What is wrong with a thing of each class, besides the faults of its parts."""


def require_short(character: Character) -> None:
    """Raise NotAllowed if the file that is stored with the character is too long."""
    if (count := _length(character)) > LONGEST_FILE:
        raise NotAllowed(
            "{who}'s sheet would have {count:,} characters; the limit is {most:,}. Shorten it, then "
            "send the file again.",
            who=character.name,
            count=count,
            most=LONGEST_FILE,
        )


def require_room(table: Table, character: Character) -> None:
    """Raise NotAllowed if the table's imported files would be too long together."""
    lengths = {each.name: _length(each) for each in table.characters.values()}
    if (coming := _length(character)) and (count := sum(lengths.values()) + coming) > MOST_TOGETHER:
        raise NotAllowed(
            "With {who}, the imported sheets would have {count:,} characters; the limit is {most:,}. "
            "To make room, remove {name}, whose sheet is the longest: /character remove",
            who=character.name,
            count=count,
            most=MOST_TOGETHER,
            name=max(lengths, key=lengths.__getitem__),
        )


def _length(character: Character) -> int:
    """So many letters and signs the file has that somebody came from."""
    origin = CORTEX.has(character).origin
    return len(origin.file) if origin is not None else 0
