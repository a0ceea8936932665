"""What waits in Cortex: hitches, opportunities, effects, recoveries, answers, turns."""

from collections.abc import Iterator

from bot.language import later, say
from bot.language.line import Text
from bot.render.cortex.foes import contest_words
from bot.render.cortex.roll import summed_up
from bot.render.waiting import GM, PLAYERS, Waiting, What, newest
from rules.cortex.challenge import is_its_turn
from rules.cortex.effects import can_recover, hitches, open_effects, winner
from rules.cortex.hitches import has_touchable, opportunities, ways
from rules.cortex.model import CORTEX, Challenge, Roll
from rules.cortex.outcome import Outcome
from rules.cortex.roll_status import is_in_doubt, resolve
from rules.cortex.ruleset import Opportunities
from rules.cortex.turn import stamp
from rules.table import Pace, Table


class CortexWhat(What):
    """The kinds of what waits, each by one and by several."""

    HITCH = later("{count} {hitch.one}"), later("{count} {hitch.many}")
    OPPORTUNITY = later("{count} {opportunity.one}"), later("{count} {opportunity.many}")
    EFFECT = later("{count} effect"), later("{count} effects")
    RECOVERY = later("{count} recovery"), later("{count} recoveries")
    ANSWER = later("{count} answer"), later("{count} answers")
    ACT = later("{count} act"), later("{count} acts")
    TURN = later("{count} turn"), later("{count} turns")
    OPPOSITION = later("{count} opposition"), later("{count} oppositions")
    RULING = later("{count} ruling"), later("{count} rulings")


def found(table: Table) -> Iterator[Waiting]:
    """Everything that waits for somebody."""
    for roll in CORTEX.of(table).rolls.values():
        if _is_latest(table, roll):
            yield from _of(table, roll)
    yield from _contests(table)
    yield from _challenges(table)
    yield from _turns(table)


def _is_latest(table: Table, roll: Roll) -> bool:
    """Whether whoever rolled has rolled in no other matter since; rolls of one contest are one matter."""
    last = newest(table, roll.who)
    other = CORTEX.of(table).rolls.get(last)
    return last == roll.number or (bool(roll.contest) and other is not None and other.contest == roll.contest)


def _of(table: Table, roll: Roll) -> Iterator[Waiting]:
    came = resolve(table, roll)
    of = summed_up(came)
    of = say("{roll} for {note}", roll=of, note=roll.note) if roll.note else of
    if is_in_doubt(table, roll):
        yield Waiting(GM, CortexWhat.RULING, 1, of, roll.number)
        return
    if ways(table, came):
        yield Waiting(GM, CortexWhat.HITCH, len(hitches(roll)), of, roll.number)
    ones = opportunities(roll) if came.rules.opportunities is Opportunities.TRAITS else ()
    if ones and has_touchable(table):
        yield Waiting(PLAYERS, CortexWhat.OPPORTUNITY, len(ones), of, roll.number)
    if table.gms and table.settings.pace is Pace.POST and is_unopposed(roll):
        yield Waiting(GM, CortexWhat.OPPOSITION, 1, of, roll.number)
    if roll.gm and not roll.contest:
        answered = {
            each.who
            for each in CORTEX.of(table).rolls.values()
            if each.against and each.against.roll == roll.number
        }
        for name in roll.on:
            if name not in answered:
                yield Waiting(name, CortexWhat.ANSWER, 1, of, roll.number)
    if can_recover(table, came):
        yield Waiting(roll.who, CortexWhat.RECOVERY, 1, of, roll.number)
    elif roll.recovery is None and roll.against is not None and (effects := open_effects(table, came)):
        yield Waiting(_effective(table, came), CortexWhat.EFFECT, len(effects), of, roll.number)


def is_unopposed(roll: Roll) -> bool:
    """Whether a player's roll has no opposition yet, and is used for nothing (T1, T2)."""
    return not (roll.gm or roll.contest or roll.against or roll.recovery or roll.applied)


def _effective(table: Table, came: Outcome) -> str:
    """Whose effect counts: the roller's, the winner's of a contest, or the GM's."""
    if not came.is_opposed:
        return came.roll.who
    won = winner(table, came.roll)
    return won.name if won else GM


def _contests(table: Table) -> Iterator[Waiting]:
    """Whoever is to answer in a contest, once it is known that its last roll stands (T4, C4)."""
    here = CORTEX.of(table)
    for each in here.contests.values():
        last = here.rolls.get(each.roll)
        if not each.closing and not (last is not None and is_in_doubt(table, last)):
            yield Waiting(each.waiting, CortexWhat.ANSWER, 1, contest_words(each), each.roll)


def _challenges(table: Table) -> Iterator[Waiting]:
    """Whom a challenge acts against, and the GM where it is to act (L2, L4)."""
    for one in CORTEX.of(table).challenges.values():
        called_ = said_of(one)
        if one.against in table.characters:
            name = table.characters[one.against].name
            yield Waiting(name, CortexWhat.ANSWER, 1, called_, stamp=stamp(one.order))
        elif is_its_turn(table, one):
            yield Waiting(GM, CortexWhat.ACT, 1, called_, stamp=stamp(one.order))


def said_of(challenge: Challenge) -> Text:
    """What a challenge is called, where something of it waits."""
    return say("{challenge.One} {name}", name=challenge.name)


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
            yield Waiting(GM if who.gmc else who.name, CortexWhat.TURN, 1, of, stamp=stamp(order))
