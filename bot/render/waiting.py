"""What waits for somebody at the table: hitches, opportunities, effects, recoveries, dice to place."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from bot.language import later, say, say_of
from bot.render.card import Clock, mark, moment, strong
from bot.render.cortex.foes import contest_words
from bot.render.cortex.roll import summed_up
from bot.render.ore.roll import headline as ore_headline
from bot.render.parts import listed
from rules.cortex.state.doubt import is_in_doubt
from rules.cortex.state.in_force import come_to
from rules.cortex.state.outcome import Outcome
from rules.cortex.state.part import CORTEX
from rules.cortex.state.ruleset import Opportunities
from rules.cortex.state.table import Challenge, Roll
from rules.cortex.state.turn import stamp
from rules.cortex.tools.apply import can_recover, hitches, open_effects, winner
from rules.cortex.tools.challenge import is_its_turn
from rules.cortex.tools.hitches import has_touchable, opportunities, ways
from rules.kinds import key
from rules.ore.part import ORE
from rules.settings import Pace
from rules.table import Table

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
    TURN = later("{count} turn"), later("{count} turns")
    OPPOSITION = later("{count} opposition"), later("{count} oppositions")
    RULING = later("{count} ruling"), later("{count} rulings")


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits: for whom, how many of it, what it is of, and the number of the roll that shows it.

    What no roll shows has a `stamp`, by which it is told from the same of another turn.
    """

    who: str
    what: What
    count: int
    of: str
    roll: int = 0
    stamp: str = ""

    @property
    def sign(self) -> str:
        """A short sign for it: the same as long as it is the same that waits."""
        # What it is of, only where no roll shows it: the words for a roll change as the roll does.
        return mark(f"{self.who} {self.what.name} {self.roll} {self.stamp and self.of} {self.stamp}")


def waiting(table: Table) -> list[Waiting]:
    """Everything that waits for somebody, the oldest first; what no roll shows comes last.

    A roll waits for nobody any more once whoever made it has rolled in another matter.
    """
    rolled = [
        each
        for roll in CORTEX.of(table).rolls.values()
        if _is_latest(table, roll)
        for each in _of(table, roll)
    ]
    placing = [
        Waiting(roll.who, What.DICE, count, ore_headline(roll), number)
        for number, roll in ORE.of(table).rolls.items()
        if _newest(table, roll.who) == number and (count := sum(hand.waiting for hand in roll.hands))
    ]
    shown = sorted([*rolled, *_contests(table), *placing], key=lambda each: each.roll)
    return [*shown, *_challenges(table), *_turns(table)]


def waiting_lines(
    table: Table, links: Mapping[int, str], since: Mapping[str, datetime] | None = None
) -> list[str]:
    """What waits, each with what it is of and where that is; `since` when, by its sign, the oldest first."""
    known = since or {}
    found = waiting(table)
    last = max(known.values(), default=None)
    if last is not None:
        found.sort(key=lambda each: known.get(each.sign, last))
    lines = [one_line(each, links, known.get(each.sign)) for each in found]
    return lines or [say("Nothing waits for anybody.")]


def one_line(each: Waiting, links: Mapping[int, str], since: datetime | None = None) -> str:
    """One thing that waits: for whom, since when, what it is of and where that is."""
    who = strong(f"{each.who}: {how_much(each)}")
    line = say("{who}, of {what}", who=who, what=each.of)
    if since is not None:
        line = say("{line}, since {when}", line=line, when=moment(since, Clock.UNTIL))
    return f"{line} {links[each.roll]}" if each.roll in links else line


def how_much(each: Waiting) -> str:
    """What waits and how many of it: `1 answer`."""
    return _words(each.what, each.count)


def people(table: Table, each: Waiting) -> tuple[int, ...]:
    """The Discord ids of those for whom something waits; none where it is nobody's in particular."""
    if each.who == say(GM):
        return tuple(table.gms)
    who = table.characters.get(key(each.who))
    return (who.player,) if who is not None and who.player else ()


def waiting_line(table: Table) -> str:
    """Who has something to do, in one line: `GM 2 hitches, Nova 1 effect and 1 answer`."""
    counts: dict[str, Counter[What]] = {}
    for each in waiting(table):
        counts.setdefault(each.who, Counter())[each.what] += each.count
    said = {who: listed(_words(what, n) for what, n in of.items()) for who, of in counts.items()}
    return ", ".join(f"{who} {what}" for who, what in said.items())


def _newest(table: Table, who: str) -> int:
    """The number of the latest roll that somebody made, of either game."""
    numbers = [n for n, roll in CORTEX.of(table).rolls.items() if roll.who == who]
    return max(numbers + [n for n, roll in ORE.of(table).rolls.items() if roll.who == who])


def _is_latest(table: Table, roll: Roll) -> bool:
    """Whether whoever rolled has rolled in no other matter since; rolls of one contest are one matter."""
    newest = _newest(table, roll.who)
    other = CORTEX.of(table).rolls.get(newest)
    return newest == roll.number or (
        bool(roll.contest) and other is not None and other.contest == roll.contest
    )


def _of(table: Table, roll: Roll) -> Iterator[Waiting]:
    came = come_to(table, roll)
    of = summed_up(came)
    of = say("{roll} for {note}", roll=of, note=roll.note) if roll.note else of
    if is_in_doubt(table, roll):
        yield Waiting(say(GM), What.RULING, 1, of, roll.number)
        return
    if ways(table, came):
        yield Waiting(say(GM), What.HITCH, len(hitches(roll)), of, roll.number)
    ones = opportunities(roll) if came.rules.opportunities is Opportunities.TRAITS else ()
    if ones and has_touchable(table):
        yield Waiting(say(PLAYERS), What.OPPORTUNITY, len(ones), of, roll.number)
    if table.gms and table.settings.pace is Pace.POST and is_unopposed(roll):
        yield Waiting(say(GM), What.OPPOSITION, 1, of, roll.number)
    if roll.gm and not roll.contest:
        answered = {
            each.who
            for each in CORTEX.of(table).rolls.values()
            if each.against and each.against.roll == roll.number
        }
        for name in roll.on:
            if name not in answered:
                yield Waiting(name, What.ANSWER, 1, of, roll.number)
    if can_recover(table, came):
        yield Waiting(roll.who, What.RECOVERY, 1, of, roll.number)
    elif roll.recovery is None and roll.against is not None and (effects := open_effects(table, came)):
        yield Waiting(_effective(table, came), What.EFFECT, len(effects), of, roll.number)


def is_unopposed(roll: Roll) -> bool:
    """Whether a player's roll has no opposition yet, and is used for nothing (T1, T2)."""
    return not (roll.gm or roll.contest or roll.against or roll.recovery or roll.applied)


def _effective(table: Table, came: Outcome) -> str:
    """Whose effect counts: the roller's, the winner's of a contest, or the GM's."""
    if not came.is_opposed:
        return came.roll.who
    won = winner(table, came.roll)
    return won.name if won else say(GM)


def _contests(table: Table) -> Iterator[Waiting]:
    """Whoever is to answer in a contest, once it is known that its last roll stands (T4, C4)."""
    here = CORTEX.of(table)
    for each in here.contests.values():
        last = here.rolls.get(each.roll)
        if not each.closing and not (last is not None and is_in_doubt(table, last)):
            yield Waiting(each.waiting, What.ANSWER, 1, contest_words(each), each.roll)


def _challenges(table: Table) -> Iterator[Waiting]:
    """Whom a challenge acts against, and the GM where it is to act (L2, L4)."""
    for one in CORTEX.of(table).challenges.values():
        called_ = said_of(one)
        if one.against in table.characters:
            name = table.characters[one.against].name
            yield Waiting(name, What.ANSWER, 1, called_, stamp=stamp(one.order))
        elif is_its_turn(table, one):
            yield Waiting(say(GM), What.ACT, 1, called_, stamp=stamp(one.order))


def said_of(challenge: Challenge) -> str:
    """What a challenge is called, where something of it waits."""
    return say("Challenge {name}", name=challenge.name)


def _turns(table: Table) -> Iterator[Waiting]:
    """Whose turn it is, where people play by post; of the GM's own the GM."""
    here = CORTEX.of(table)
    if table.settings.pace is not Pace.POST:
        return
    orders = [(say("the turn order"), here.order)] if here.order else []
    orders += [(said_of(one), one.order) for one in here.challenges.values()]
    for of, order in orders:
        who = table.characters.get(order.turn)
        if who is not None:
            yield Waiting(say(GM) if who.gmc else who.name, What.TURN, 1, of, stamp=stamp(order))


def _words(what: What, count: int) -> str:
    one, many = what.value
    return say_of(count, one, many)
