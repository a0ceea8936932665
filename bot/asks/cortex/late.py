"""What the GM may do about what is late in Cortex: turns, answers in contests, acts of challenges."""

from functools import partial

from bot.asks.question import Rule
from bot.render.cortex.waiting import CortexWhat, said_of
from bot.render.waiting import Waiting
from rules.cortex import challenge, contest, turn
from rules.cortex.model import CORTEX
from rules.table import Table


def view_of(table: Table, each: Waiting) -> str:
    """The view on which something can be done that no roll shows."""
    if not isinstance(each.what, CortexWhat):
        return ""
    if _contest(table, each):
        return "contest"
    return "challenge" if _challenge(table, each) else "turn"


def passed_over(table: Table, each: Waiting) -> Rule | None:
    """Somebody is passed over: they have no turn in this round, or give in."""
    if number := _contest(table, each):
        return partial(contest.give_in, number=number)
    if each.what is not CortexWhat.TURN:
        return None
    if name := _challenge(table, each):
        return partial(challenge.skip, who=each.who, name=name)
    return partial(turn.skip, who=each.who)


def _contest(table: Table, each: Waiting) -> int:
    """The number of the contest in which an answer waits; 0 for none."""
    going = {one.roll: number for number, one in CORTEX.of(table).contests.items() if not one.closing}
    return going.get(each.roll, 0) if each.roll and each.what is CortexWhat.ANSWER else 0


def _challenge(table: Table, each: Waiting) -> str:
    """The name of the challenge of which something waits."""
    return next((one.name for one in CORTEX.of(table).challenges.values() if said_of(one) == each.of), "")
