"""What a step did, in words: a line for each fact, one line for the log, and what is news."""

from collections.abc import Iterable, Sequence
from functools import partial

from bot.language import say, say_of
from bot.render.card import plain
from bot.render.cortex.roll import changed_line, headline, seen
from bot.render.events import event_line
from bot.render.illegible import said
from bot.render.ore import roll as ore
from bot.render.parts import listed
from rules import facts
from rules.cortex.state.facts import (
    ON_A_ROLL,
    ActsAgainst,
    Contested,
    ContestWon,
    GaveIn,
    OrderEnded,
    Over,
    RollStood,
    TakenOut,
    TurnCame,
)
from rules.cortex.state.rolled import HiddenDropped, HiddenRolled, RollChanged, RollMade
from rules.fact import Event, Fact
from rules.facts import Forgotten, Redone, Undone
from rules.kinds import Coming, key
from rules.ore.facts import OreChanged, OreGobbled, OreRolled
from rules.plan import answers
from rules.table import Table


def fact_lines(fact: Fact) -> list[str]:
    """What a fact says; nothing for a roll, which has a card of its own and says what it waits for."""
    return said(lambda: _fact_lines(fact), type(fact).__name__, _alone)


def _fact_lines(fact: Fact) -> list[str]:
    match fact:
        case RollMade() | RollChanged() | OreRolled() | Contested():
            return []
        case HiddenRolled():
            return [say("In secret: {roll}", roll=seen(fact.roll, fact.effects))]
        case HiddenDropped():
            return [say("Dropped unseen: {roll}", roll=headline(fact.roll))]
        case OreChanged():
            return [_ore_change(fact)]
        case OreGobbled():
            return [_gobbled(fact)]
        case Undone():
            return [say("Undone: {what}", what=summary(fact.facts))]
        case Redone():
            return [say("Redone: {what}", what=summary(fact.facts))]
        case Forgotten():
            return [say("{who} is forgotten, as they asked", who=fact.name)]
        case Event():
            return [event_line(fact)]
        case _:
            raise LookupError(f"{type(fact).__name__} has no words")


def told(table: Table, of: Sequence[Fact]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The lines of facts, and the people whom they concern."""
    return tuple(lines(of)), concerned(table, of)


def summed_up(table: Table, of: Sequence[Fact]) -> tuple[str, tuple[int, ...]]:
    """Facts in one line for the log, and the people whom they concern."""
    return summary(of), concerned(table, of)


def lines(of: Iterable[Fact]) -> list[str]:
    """All facts, one line each."""
    return [line for fact in of for line in fact_lines(fact)]


def summary(of: Sequence[Fact]) -> str:
    """What happened, in one line for the log: rolls with every die that was seen."""
    found: list[str] = []
    is_told = False
    for fact in of:
        found += said(partial(_summed, fact, of, is_told=is_told), type(fact).__name__, _alone)
        is_told = isinstance(fact, ON_A_ROLL)
    return "; ".join(dict.fromkeys(map(plain, found)))


def _summed(fact: Fact, of: Sequence[Fact], *, is_told: bool) -> list[str]:
    """What a fact is in the log, among those of its step; `is_told` where the one before told of its roll."""
    match fact:
        case RollMade():
            return [seen(fact.roll, fact.effects)]
        case OreRolled():
            return [ore.seen(fact.roll)]
        case OreChanged():
            return [f"{_ore_change(fact)}; {ore.headline(fact.roll)}"]
        case RollChanged() if is_told:
            return [seen(fact.roll, fact.effects)]
        case RollChanged() if all(isinstance(each, RollChanged) for each in of):
            return [changed_line(fact.roll, fact.effects)]
        case Contested() if len(of) == 1:  # else the roll beside it says so
            return [event_line(fact)]
        case _:
            return fact_lines(fact)


def _alone(line: str) -> list[str]:
    return [line]


def news(table: Table, of: Sequence[Fact]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """What deserves a message of its own where a roll's message is only edited, and whom it concerns.

    That is an ending, a takeout, or a contest that goes on after all.
    """
    found: list[str] = []
    for fact in of:
        match fact:
            case Over() | OrderEnded() | GaveIn() | TakenOut() | ContestWon():
                found.append(event_line(fact))
            case Contested():
                found.append(event_line(fact))
            case RollStood() if fact.waiting:
                found.append(event_line(fact))
            case OreGobbled():
                found += fact_lines(fact)
    return tuple(found), concerned(table, of) if found else ()


def concerned(table: Table, of: Iterable[Fact]) -> tuple[int, ...]:
    """The people whom facts concern: players of who is taken out, whose turn it is, who is to answer, whom a
    GM's roll is on; for a GMC the GM."""
    names = set()
    for fact in of:
        match fact:
            case TakenOut():
                names.add(key(fact.who))
            case RollMade() if fact.roll.on:
                names |= {key(name) for name in fact.roll.on}
            case TurnCame():
                names |= {key(fact.who), key(fact.by)}
            case ActsAgainst():
                names.add(key(fact.who))
            case Contested() | RollStood():
                names.add(key(fact.waiting))
            case _:
                continue
    planned = [each for fact in of for each in _asked(table, fact)]
    spoiled = [fact for fact in of if isinstance(fact, OreGobbled)]
    gobbled = [fact.prey.player for fact in spoiled if fact.prey.player != fact.roll.player]
    players = [c.player for k, c in table.characters.items() if k in names and c.player]
    is_gms = any(c.gmc and not c.player for k, c in table.characters.items() if k in names)
    return tuple(dict.fromkeys([*players, *gobbled, *planned, *(table.gms if is_gms else ())]))


def _asked(table: Table, fact: Fact) -> list[int]:
    """Who hears of a session that is planned, moved or called off: not who has planned it, or is out."""
    said = answers(table, table.plan) if table.plan is not None else {}
    match fact:
        case facts.Planned():
            return [player for player, (_, coming) in said.items() if coming is None]
        case facts.CalledOff():
            return [player for player, (_, coming) in said.items() if coming not in (Coming.OUT, Coming.AWAY)]
        case Undone() | Redone():
            dates = [each for each in fact.facts if isinstance(each, facts.Planned | facts.CalledOff)]
            return _asked(table, facts.CalledOff(0)) if dates else []
        case _:
            return []


def _ore_change(fact: OreChanged) -> str:
    """What was changed of a One-Roll roll: `Alice: wiggle dice on 6 and 6`."""
    if fact.tens:
        return say("{who}: the 10 counts as {height}", who=fact.roll.who, height=fact.tens)
    return say_of(
        len(fact.placed),
        "{who}: {name} die on {heights}",
        "{who}: {name} dice on {heights}",
        who=fact.roll.who,
        name=ore.special(fact.roll.hands[0].pool.wiggle_name),
        heights=listed(map(str, fact.placed)),
    )


def _gobbled(fact: OreGobbled) -> str:
    """A set that was spoiled: `Bob: 2×8 spoils 1 die of Alice: 2×6 is no set any more`."""
    line = say_of(
        fact.count,
        "{who}: {own} spoils {count} die of {whose}",
        "{who}: {own} spoils {count} dice of {whose}",
        who=fact.roll.who,
        own=fact.own,
        whose=ore.whose(fact.prey, fact.hand),
    )
    if fact.after:
        return say("{line}: {spoiled} is now {after}", line=line, spoiled=fact.spoiled, after=fact.after)
    return say("{line}: {spoiled} is no set any more", line=line, spoiled=fact.spoiled)
