"""What waits for somebody at the table: hitches, opportunities, effects, recoveries, dice to place."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from bot.language import later, say, say_of
from bot.render.card import strong
from bot.render.foes import contest_words
from bot.render.ore import headline as ore_headline
from bot.render.parts import listed
from bot.render.roll import summed_up
from rules.cortex.apply import can_recover, hitches, open_effects, winner
from rules.cortex.challenge import is_its_turn
from rules.cortex.hitches import has_touchable, opportunities, ways
from rules.cortex.outcome import is_opposition_effective
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
    ANSWER = later("{count} answer"), later("{count} answers")
    ACT = later("{count} act"), later("{count} acts")
    DICE = later("{count} die to place"), later("{count} dice to place")


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits: for whom, how many of it, what it is of, and the number of the roll that shows it."""

    who: str
    what: What
    count: int
    of: str
    roll: int = 0


def waiting(table: Table) -> list[Waiting]:
    """Everything that waits for somebody, the oldest first; what no roll shows comes last.

    A roll waits for nobody any more once whoever made it has rolled in another matter.
    """
    rolled = [each for roll in table.rolls.values() if _is_latest(table, roll) for each in _of(table, roll)]
    placing = [
        Waiting(roll.who, What.DICE, count, ore_headline(roll), number)
        for number, roll in table.ore.items()
        if _newest(table, roll.who) == number and (count := sum(hand.waiting for hand in roll.hands))
    ]
    return [*sorted([*rolled, *_contests(table), *placing], key=lambda each: each.roll), *_challenges(table)]


def waiting_lines(table: Table, links: Mapping[int, str]) -> list[str]:
    """What waits, each with what it is of and where that is."""
    lines = []
    for each in waiting(table):
        who = strong(f"{each.who}: {_words(each.what, each.count)}")
        line = say("{who}, of {what}", who=who, what=each.of)
        lines.append(f"{line} {links[each.roll]}" if each.roll in links else line)
    return lines or [say("Nothing waits for anybody.")]


def waiting_line(table: Table) -> str:
    """Who has something to do, in one line: `GM 2 hitches, Nova 1 effect and 1 answer`."""
    counts: dict[str, Counter[What]] = {}
    for each in waiting(table):
        counts.setdefault(each.who, Counter())[each.what] += each.count
    said = {who: listed(_words(what, n) for what, n in of.items()) for who, of in counts.items()}
    return ", ".join(f"{who} {what}" for who, what in said.items())


def _newest(table: Table, who: str) -> int:
    """The number of the latest roll that somebody made, of either game."""
    numbers = [n for n, roll in table.rolls.items() if roll.who == who]
    return max(numbers + [n for n, roll in table.ore.items() if roll.who == who])


def _is_latest(table: Table, roll: Roll) -> bool:
    """Whether whoever rolled has rolled in no other matter since; rolls of one contest are one matter."""
    newest = _newest(table, roll.who)
    other = table.rolls.get(newest)
    return newest == roll.number or (
        bool(roll.contest) and other is not None and other.contest == roll.contest
    )


def _of(table: Table, roll: Roll) -> Iterator[Waiting]:
    of = summed_up(table, roll)
    of = say("{roll} for {note}", roll=of, note=roll.note) if roll.note else of
    rules = rules_of(table, roll)
    if ways(table, roll):
        yield Waiting(say(GM), What.HITCH, len(hitches(roll)), of, roll.number)
    if opportunities(roll) and rules.opportunities is Opportunities.TRAITS and has_touchable(table):
        yield Waiting(say(PLAYERS), What.OPPORTUNITY, len(opportunities(roll)), of, roll.number)
    if roll.gm and not roll.contest:
        answered = {
            each.who for each in table.rolls.values() if each.against and each.against.roll == roll.number
        }
        for name in roll.on:
            if name not in answered:
                yield Waiting(name, What.ANSWER, 1, of, roll.number)
    if can_recover(table, roll):
        yield Waiting(roll.who, What.RECOVERY, 1, of, roll.number)
    elif roll.recovery is None and roll.against is not None and (effects := open_effects(table, roll)):
        yield Waiting(_effective(table, roll), What.EFFECT, len(effects), of, roll.number)


def _effective(table: Table, roll: Roll) -> str:
    """Whose effect counts: the roller's, the winner's of a contest, or the GM's."""
    if not is_opposition_effective(roll, rules_of(table, roll)):
        return roll.who
    won = winner(table, roll)
    return won.name if won else say(GM)


def _contests(table: Table) -> Iterator[Waiting]:
    """Whoever is to answer in a contest (T4)."""
    for each in table.contests.values():
        if not each.closing:
            yield Waiting(each.waiting, What.ANSWER, 1, contest_words(each), each.roll)


def _challenges(table: Table) -> Iterator[Waiting]:
    """Whom a challenge acts against, and the GM where it is to act (L2, L4)."""
    for one in table.challenges.values():
        called_ = say("Challenge {name}", name=one.name)
        if one.against in table.characters:
            yield Waiting(table.characters[one.against].name, What.ANSWER, 1, called_)
        elif is_its_turn(table, one):
            yield Waiting(say(GM), What.ACT, 1, called_)


def _words(what: What, count: int) -> str:
    one, many = what.value
    return say_of(count, one, many)
