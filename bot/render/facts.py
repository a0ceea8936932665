"""Facts in words: one plain line each."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from bot.render import ore
from bot.render.roll import headline, seen
from rules.cortex import facts
from rules.cortex.facts import Fact
from rules.cortex.table import Table, key
from rules.cortex.traits import wording
from rules.dice import write
from rules.names import listed, shortened


def fact_lines(fact: Fact) -> list[str]:
    """What a fact says; nothing for a roll, which has a card of its own and says what it waits for."""
    match fact:
        case facts.RollMade() | facts.OreRolled():
            return []
        case facts.OreChanged():
            return [f"{fact.roll.who}: {fact.how}"]
        case facts.OreGobbled():
            return [_gobbled(fact)]
        case facts.RollChanged():
            return [f"{fact.roll.who}: {fact.how}"] if fact.how else []
        case facts.PoolChanged():
            why = f". Why: {fact.why}" if fact.why else ""
            at = f", round {fact.round}" if fact.round else ""
            return [f"{fact.name}: {write(fact.after)}{at} ({fact.how}){why}"]
        case facts.PointsChanged():
            return [f"{fact.who}: {fact.after} PP ({fact.after - fact.before:+d}{_why(fact.why)})"]
        case facts.TraitChanged():
            return [_trait(fact)]
        case facts.TakenOut():
            return [f"{fact.who} is taken out by {fact.by}"]
        case facts.BackIn():
            return [f"{fact.who} stays in" if fact.paid else f"{fact.who} is back in"]
        case facts.Began():
            return [f"{_named(fact.what, fact.name)} begins"]
        case facts.Ended():
            closed = f". Closed are the rolls of {listed(fact.closed)}" if fact.closed else ""
            return [f"{_named(fact.what, fact.name)} ends{closed}"]
        case facts.Seated():
            return [f"{fact.who} {fact.how}"]
        case facts.SettingChanged():
            return [f"{fact.setting}: {fact.value}"]
        case facts.Told():
            return [fact.what]
        case facts.Over():
            return [f"{fact.what} {fact.how}"]
        case facts.TurnCame():
            return [_turn(fact)]
        case facts.PassedOver():
            return [f"{fact.who} is passed over ({_round(fact.of, fact.round)})"]
        case facts.ActsAgainst():
            return [f"{fact.of} acts against {fact.who}, who rolls first"]
        case facts.HeroDiceChanged():
            return [f"{fact.who}: hero dice {write(fact.after)} ({fact.how})"]
        case facts.Contested():
            return []
        case facts.ContestWon():
            return [f"{fact.who} wins the contest"]
        case facts.ResourceUsed():
            state = "is spent until the scene ends" if fact.spent else "can be used again"
            return [f"{fact.who} · {fact.label} d{fact.die} {state}"]
        case facts.XpChanged():
            return [f"{fact.who}: {fact.after} XP ({fact.after - fact.before:+d}{_why(fact.why)})"]
        case facts.SfxChanged():
            how = " (removed)" if fact.is_gone else f" (was {fact.was})" if fact.was else ""
            return [f"{fact.who} · SFX {fact.sfx}{how}"]
        case facts.SfxUsed():
            return [f"{fact.who} uses {fact.name}{f' on {fact.on}' if fact.on else ''}: {fact.sfx}"]
        case facts.TraitShut():
            state = "is shut down" if fact.shut else "works again"
            return [f"{fact.who} · {fact.label} d{fact.die} {state}"]
        case facts.NamedPoolChanged():
            return [f"Pool {fact.name}: {fact.dice} ({fact.how})"]
        case facts.SheetChanged():
            return [f"The sheet of {fact.who} is changed"]
        case facts.Imported():
            people = listed(shortened(list(fact.names))) or "nobody yet"
            return [f"{fact.what} is imported, with {people}"]
        case _:
            assert_never(fact)


def lines(of: Iterable[Fact]) -> list[str]:
    """All facts, one line each."""
    return [line for fact in of for line in fact_lines(fact)]


def summary(of: Sequence[Fact]) -> str:
    """What happened, in one line for the log: rolls with every die that was seen."""
    found = []
    for fact in of:
        match fact:
            case facts.RollMade():
                found.append(seen(fact.roll))
            case facts.OreRolled():
                found.append(ore.seen(fact.roll))
            case facts.OreChanged():
                found.append(f"{fact.roll.who}: {fact.how}; {ore.headline(fact.roll)}")
            case facts.RollChanged() if fact.how:
                found.append(f"{fact.roll.who}: {fact.how}; {seen(fact.roll)}")
            case facts.RollChanged() if all(isinstance(each, facts.RollChanged) for each in of):
                found.append(headline(fact.roll))
            case _:
                found += fact_lines(fact)
    return "; ".join(dict.fromkeys(found))


def news(of: Iterable[Fact]) -> tuple[str, ...]:
    """What deserves a message of its own where a roll's message is only edited.

    That is an ending, a takeout, or a contest that goes on after all.
    """
    found: list[str] = []
    for fact in of:
        match fact:
            case facts.Over() | facts.TakenOut() | facts.ContestWon() | facts.OreGobbled():
                found += fact_lines(fact)
            case facts.Contested():
                found.append(f"{fact.waiting} is to answer {fact.leader}: beat {fact.total}, or give in.")
    return tuple(found)


def concerned(table: Table, of: Iterable[Fact]) -> tuple[int, ...]:
    """The people whom facts concern: players of who is taken out, whose turn it is, who is to answer, whom a
    GM's roll is on; for a GMC the GM."""
    names = set()
    for fact in of:
        match fact:
            case facts.TakenOut():
                names.add(key(fact.who))
            case facts.RollMade() if fact.roll.on:
                names |= {key(name) for name in fact.roll.on}
            case facts.TurnCame():
                names |= {key(fact.who), key(fact.by)}
            case facts.ActsAgainst():
                names.add(key(fact.who))
            case facts.Contested():
                names.add(key(fact.waiting))
            case _:
                continue
    spoiled = [fact for fact in of if isinstance(fact, facts.OreGobbled)]
    gobbled = [fact.player for fact in spoiled if fact.player != fact.roll.player]
    players = [c.player for k, c in table.characters.items() if k in names and c.player]
    is_gms = any(c.gmc and not c.player for k, c in table.characters.items() if k in names)
    return tuple(dict.fromkeys([*players, *gobbled, *(table.gms if is_gms else ())]))


def _gobbled(fact: facts.OreGobbled) -> str:
    """A set that was spoiled: `Bob: 2×8 spoils 1 die of Alice: 2×6 is no set any more`."""
    dice = "1 die" if fact.count == 1 else f"{fact.count} dice"
    left = f"now {fact.after}" if fact.after else "no set any more"
    return f"{fact.roll.who}: {fact.own} spoils {dice} of {fact.whose}: {fact.spoiled} is {left}"


def _turn(fact: facts.TurnCame) -> str:
    """Whose turn it is: `It is the turn of Bob (Challenge Storm, round 2)`."""
    where = _round(fact.of, fact.round) + (f" of {fact.limit}" if fact.limit else "")
    if fact.who:
        return f"It is the turn of {fact.who} ({where})"
    first = f"{fact.by} names who is first" if fact.by else "who is first?"
    return f"{where[0].upper()}{where[1:]} begins: {first}"


def _round(of: str, number: int) -> str:
    return f"{of}, round {number}" if of else f"round {number}"


def _why(why: str) -> str:
    return f", {why}" if why else ""


def _named(what: str, name: str) -> str:
    return name if name.startswith(what) else f"{what} {name}"


def _trait(fact: facts.TraitChanged) -> str:
    if fact.after is None:
        gone = fact.before
        return f"{wording(fact.owner, fact.kind, gone).rpartition(' d')[0]} is gone" if gone else ""
    said = wording(fact.owner, fact.kind, fact.after)
    if fact.before is None:
        return said if fact.kind in ("stress", "trauma") else f"{said} ({fact.kind}{_why(fact.why)})"
    if fact.before.die == fact.after.die:
        return f"{said} (as large as it gets)"
    return f"{said} (was d{fact.before.die})"
