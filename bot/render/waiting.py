"""What waits for somebody at the table: hitches, opportunities, effects, recoveries, dice to place."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from bot.language import later, say, say_of
from bot.render.card import strong
from bot.render.ore import headline as ore_headline
from bot.render.roll import headline
from rules.cortex.apply import can_recover, hitches, open_effects
from rules.cortex.hitches import opportunities, ways
from rules.cortex.roll import rules_of
from rules.cortex.ruleset import Opportunities
from rules.table import Roll, Table

GM, PLAYERS = later("GM"), later("Players")


class What(Enum):
    """The kinds of what waits, each by one and by several."""

    HITCH = later("{count} hitch"), later("{count} hitches")
    OPPORTUNITY = later("{count} opportunity"), later("{count} opportunities")
    EFFECT = later("{count} effect"), later("{count} effects")
    RECOVERY = later("{count} recovery"), later("{count} recoveries")
    DICE = later("{count} die to place"), later("{count} dice to place")


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits: for whom, how many of it, and the number of the roll that it is of."""

    who: str
    what: What
    count: int
    roll: int


def waiting(table: Table) -> list[Waiting]:
    """Everything that waits for somebody, the oldest first.

    A roll waits for nobody any more once whoever made it has rolled in another matter.
    """
    newest = {(roll.who, roll.gm): number for number, roll in table.rolls.items() if not roll.contest}
    found = [
        each
        for number, roll in table.rolls.items()
        if roll.contest or newest[roll.who, roll.gm] == number
        for each in _of(table, roll)
    ]
    placing = [(roll.who, sum(hand.waiting for hand in roll.hands), n) for n, roll in table.ore.items()]
    return found + [Waiting(who, What.DICE, count, number) for who, count, number in placing if count]


def waiting_lines(table: Table, links: Mapping[int, str]) -> list[str]:
    """What waits, each with the roll that it is of and where that is."""
    lines = []
    for each in waiting(table):
        roll = table.rolls.get(each.roll)
        of = headline(roll) if roll else ore_headline(table.ore[each.roll])
        who = strong(f"{each.who}: {_words(each.what, each.count)}")
        line = say("{who}, of {roll}", who=who, roll=of)
        if roll is not None and roll.note:
            line = say("{who}, of {roll} for {note}", who=who, roll=of, note=roll.note)
        lines.append(f"{line} {links[each.roll]}" if each.roll in links else line)
    return lines or [say("Nothing waits for anybody.")]


def waiting_line(table: Table) -> str:
    """Who has something to do, in one line: `GM 2 hitches, Nova 1 effect`."""
    counts: Counter[tuple[str, What]] = Counter()
    for each in waiting(table):
        counts[each.who, each.what] += each.count
    return ", ".join(f"{who} {_words(what, count)}" for (who, what), count in counts.items())


def _of(table: Table, roll: Roll) -> Iterator[Waiting]:
    if ways(table, roll):
        yield Waiting(say(GM), What.HITCH, len(hitches(roll)), roll.number)
    if opportunities(roll) and rules_of(table, roll).opportunities is Opportunities.TRAITS:
        yield Waiting(say(PLAYERS), What.OPPORTUNITY, len(opportunities(roll)), roll.number)
    if can_recover(table, roll):
        yield Waiting(roll.who, What.RECOVERY, 1, roll.number)
    elif roll.recovery is None and roll.against is not None and (effects := open_effects(table, roll)):
        yield Waiting(roll.who, What.EFFECT, len(effects), roll.number)


def _words(what: What, count: int) -> str:
    one, many = what.value
    return say_of(count, one, many)
